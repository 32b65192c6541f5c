#pragma once
// culprit profile MODEL...: is it faster, why, and what does it cost?

#include <string>
#include <vector>

#include "cli/commands/eval_deciding.h"
#include "cli/model_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "profile/profile.h"

namespace culprit {

/// What is printed.
enum class ProfileForm { text, json, markdown, csv };

struct ProfileArguments {
  CheckArguments check;                     ///< models, data, optimizer, session, limits, output; `runtime` is not used
  bool has_optimizer = false;               ///< --optimizer, --passes or --each was given
  std::vector<Level> levels;                ///< --levels; empty: what fits
  std::vector<std::string> runtimes;        ///< --runtime; empty: the default one
  std::vector<std::string> providers = {};  ///< --provider, as typed; empty: the CPU
  std::string against;                      ///< --against
  std::int64_t blocks = 20;                 ///< --blocks
  bool until_sure = false;                  ///< --until-sure
  Protocol protocol = Protocol::blocks;
  ProfileForm form = ProfileForm::text;
  std::filesystem::path kept;           ///< --baseline; "": none
  std::filesystem::path compared = {};  ///< --compare: the report of before; "": models are measured
  bool blame = false;                   ///< --blame
  bool has_budget = false;              ///< --budget was given
  TaskSettings settings = {};           ///< --detector, --softmax
  bool kernels = false;                 ///< --kernels
  SweepSettings sweep = {};             ///< --sweep
};

/// As typed; "" where not given.
struct ProfileFlags {
  CheckFlags check;
  std::vector<std::string> runtimes, providers, sweep;
  std::string levels, against, blocks, protocol, kept, compared;
  bool until_sure = false, blame = false, kernels = false;
  DecidingFlags deciding;
};

void add_profile(CommandParser& parser, ProfileFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<ProfileArguments> resolve(const ProfileFlags& flags);

/// Runs it and returns the exit code: 0 measured, 1 a row failed, or is worse than the kept profile, 2 usage, 3 nothing
/// could be measured.
int run_profile(const ProfileArguments& arguments, Terminal& terminal);

}  // namespace culprit
