#pragma once
// What a check keeps of each fault: its repro, of the smallest model that shows it.

#include <filesystem>
#include <functional>

#include "check/check.h"
#include "cli/run.h"

namespace culprit {

/// Writes repro/<fault>/ into the run folder. `work` is where files may lie until then. Empty where --no-repro is
/// given. A reduction takes at most two minutes, and none begins when `is_time_up`.
KeepFault keeper_of(Run& run, const Model& model, const std::filesystem::path& work,
                    const std::function<bool()>& is_time_up);

}  // namespace culprit
