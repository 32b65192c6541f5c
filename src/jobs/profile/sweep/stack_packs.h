#pragma once
// Samples for --sweep batch=...: what the models were fed, stacked to batches, as packs in files.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "profile/profile.h"

namespace culprit {

/// By model, in a folder of its own below `folder`; nothing of a model without samples. Errors: a batch that is fixed,
/// or so large that its inputs take more than a quarter of the memory (usage); what cannot be stacked
/// (data/stacked_samples.h); io.
Result<StackedPacks> stack_packs(const std::vector<GivenModel>& models, const std::vector<std::int64_t>& batches,
                                 const std::filesystem::path& folder);

}  // namespace culprit
