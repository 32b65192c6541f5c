#pragma once
// Flags of the commands that hold one model against another: compare, diagnose.

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/model_flags.h"
#include "cli/parser.h"

namespace culprit {

/// --map, described by `about`.
void add_map_flag(const Flags& command, std::vector<std::string>& map, const std::string& about);
void add_two_models_judging(const Flags& command, CheckFlags& flags);
/// `has_levels`: also --deploy-level, where decisions are compared.
void add_two_models_running(const Flags& command, CheckFlags& flags, bool has_levels);
void add_two_models_output(const Flags& command, CheckFlags& flags);

/// Errors: usage, where one of --map is not A=B.
Result<void> expect_pairs(const std::vector<std::string>& map);

}  // namespace culprit
