#pragma once
// Samples of a run with the feeds of its view in them. Private to this folder.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conversion/sides/side.h"

namespace culprit {

struct FedSamples {
  std::map<std::string, const SideFeed*> feeds;      ///< by the name under which the run takes it
  std::optional<std::set<std::string>> needed = {};  ///< what the run takes; nullopt: all that samples hold
  [[nodiscard]] bool is_needed(const std::string& name) const { return !needed || needed->contains(name); }
};

/// Gives `job` its samples. Where nothing is fed and a sample holds nothing that is not needed, it stays the file that
/// it is; else a pack is written in `folder`. Errors: io, bad_input.
Result<void> give_samples(const FedSamples& fed, const std::vector<std::filesystem::path>& samples,
                          const std::filesystem::path& folder, RunJob& job);

}  // namespace culprit
