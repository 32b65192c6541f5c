#pragma once
// culprit profile MODEL...: is it faster, why, and what does it cost?

#include <filesystem>
#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "cli/commands/eval_deciding.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

/// What is printed.
enum class ProfileForm { text, json, markdown, csv };

struct ProfileArguments {
  ProfileRequest request;
  Printing printing;  ///< `format` is not used
  ProfileForm form = ProfileForm::text;
  std::filesystem::path kept;           ///< --baseline; "": none
  std::filesystem::path compared = {};  ///< --compare: the report of before; "": models are measured
};

/// As typed; "" where not given.
struct ProfileFlags {
  std::vector<std::string> models;
  SampleFlags samples;
  PlanFlags plan;
  RunFlags run;
  OutputFlags output;
  std::vector<std::string> runtimes, providers, sweep;
  std::string levels, against, blocks, protocol, kept, compared;
  bool until_sure = false, blame = false, kernels = false;
  DecidingFlags deciding;
};

void add_profile(CommandParser& parser, ProfileFlags& flags);

/// Errors: usage, for nonsense and for flags that contradict each other.
Result<ProfileArguments> resolve(const ProfileFlags& flags);

/// Runs it and returns the exit code: 0 measured, 1 a row failed, or is worse than the kept profile, 2 usage, 3 nothing
/// could be measured.
int run_profile(const ProfileArguments& arguments, Terminal& terminal);

}  // namespace culprit
