#pragma once
// --target-data: what the target of a conversion is really fed, where that is not what its source is fed.

#include <cstddef>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "data/data_set.h"
#include "model/model.h"

namespace culprit {

/// All must outlive it.
struct TargetDataTask {
  const Model& target;
  const std::filesystem::path& path;  ///< as of --data; empty: none
  const CheckData& of_source;
  const DataOptions& options;    ///< of the source's data: seed and --samples are those of the target's
  std::size_t samples = 0;       ///< of the source, that ran
  std::filesystem::path folder;  ///< for packs and other files
};

/// Packs by the target's names, one for each sample of the source. Errors: usage where the source has no data of its
/// own, or another number of samples; those of open_described_data and write_samples.
Result<std::vector<std::filesystem::path>> write_target_data(const TargetDataTask& task);

}  // namespace culprit
