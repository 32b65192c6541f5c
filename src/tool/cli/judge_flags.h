#pragma once
// Flags of judging: when is it a fault?

#include <string>

#include "app/requests.h"
#include "base/error.h"
#include "cli/flags.h"

namespace culprit {

inline constexpr const char* judging_group = "Judging (a difference within the expected rounding error is ok)";

/// As typed; "" where not given.
struct JudgeFlags {
  std::string atol, rtol, confirm;
  bool strict = false;
};

void add_judge_flags(const Flags& command, JudgeFlags& flags);

/// Errors: usage, for nonsense.
Result<JudgingRequest> read_judging(const JudgeFlags& flags);

}  // namespace culprit
