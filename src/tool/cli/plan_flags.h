#pragma once
// Flags of the plan: whose steps are tried, and which.

#include <filesystem>
#include <string>
#include <vector>

#include "app/requests.h"
#include "base/error.h"
#include "cli/flags.h"

namespace culprit {

/// As typed; "" where not given.
struct PlanFlags {
  std::vector<std::string> passes, each, options;
  std::string optimizer, repeat;
  bool all_passes = false;
};

void add_optimizer_flag(const Flags& command, PlanFlags& flags);
void add_repeat_flag(const Flags& command, PlanFlags& flags);

/// Is an optimizer named, and is it another one than the linked one?
bool names_another(const PlanFlags& flags);

/// A program that is an optimizer gets `data` (--data; "": none) as well. Errors: usage, for nonsense and for flags
/// that contradict each other, or `deploy_level`, as typed.
Result<OptimizerRequest> read_plan(const PlanFlags& flags, const std::filesystem::path& data,
                                   const std::string& deploy_level);

}  // namespace culprit
