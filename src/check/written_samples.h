#pragma once
// Samples of a proposal as packs on the disk.

#include <filesystem>
#include <string>
#include <vector>

#include "data/sample.h"

namespace culprit {

struct WrittenSamples {
  std::vector<std::filesystem::path> packs;
  std::vector<std::string> fed;  ///< the inputs that every sample holds
};

/// One by one: what is drawn is in the memory once, however many samples there are.
Result<WrittenSamples> write_samples(const Proposal& proposal, const std::filesystem::path& folder);

}  // namespace culprit
