#pragma once
// Flags of the commands that hold one model against another: compare, diagnose.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/check_flags.h"
#include "cli/parser.h"

namespace culprit {

/// As typed; "" where not given.
struct TwoModelsFlags {
  std::string a, b;
  std::vector<std::string> map;
  SampleFlags samples;
  JudgeFlags judge;
  RunFlags run;
  OutputFlags output;
};

template <class Request>
struct TwoModelsArguments {
  Request request;
  Printing printing;
};

inline constexpr const char* exit_codes_of_two_models =
    "Exit codes: 0 the same, 1 a mismatch, 2 wrong usage, 3 cannot judge, 4 internal error, 130 interrupted.";

/// More than `check` makes: what is right on few samples is taken for right everywhere behind.
inline constexpr std::int64_t samples_made_up_to_diagnose = 10;

/// --map
void add_map_flag(const Flags& command, std::vector<std::string>& map);
void add_two_models_judging(const Flags& command, JudgeFlags& flags);
/// `has_levels`: also --deploy-level, where decisions are compared.
void add_two_models_running(const Flags& command, RunFlags& flags, bool has_levels);
/// `has_file`: also --output for the report; not of commands whose --output is something else.
void add_two_models_output(const Flags& command, OutputFlags& flags, bool has_file = true);

/// Errors: usage, for nonsense, and where one of --map is not A=B.
Result<Printing> read_two_models(const TwoModelsFlags& flags, TwoModelsRequest& request);

}  // namespace culprit
