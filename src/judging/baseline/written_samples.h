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

/// What ends the writing.
struct WritingEnds {
  Stop is_time_up = {};      ///< then what is written is enough; the first sample always is, and none is cut
  Stop is_interrupted = {};  ///< then nothing counts any more: ErrorKind::interrupted
};

/// One by one: what is drawn is in the memory once, however many samples there are. Both ends are looked at between
/// samples and between blocks of a large one.
Result<WrittenSamples> write_samples(const Proposal& proposal, const std::filesystem::path& folder,
                                     const WritingEnds& ends = {});

}  // namespace culprit
