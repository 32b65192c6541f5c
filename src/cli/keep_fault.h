#pragma once
// What a check asks and keeps of each fault: whose fault it is by a second opinion, and its repro, of the smallest
// model that shows it.

#include <filesystem>
#include <functional>

#include "check/check.h"
#include "cli/run.h"

namespace culprit {

/// Writes repro/<fault>/ into the run folder, unless --no-repro is given. `work` is where files may lie until then. A
/// reduction takes at most two minutes, looking for the first wrong value one; neither begins when `is_time_up`.
KeepFault keeper_of(Run& run, const Model& model, const std::filesystem::path& work,
                    const std::function<bool()>& is_time_up);

}  // namespace culprit
