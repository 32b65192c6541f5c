#pragma once
// culprit merge INTO RUN...: shards of a campaign, put together.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct MergeArguments {
  std::filesystem::path into;
  std::vector<std::filesystem::path> runs;
};

/// As typed.
struct MergeFlags {
  std::string into;
  std::vector<std::string> runs;
};

void add_merge(CommandParser& parser, MergeFlags& flags);
Result<MergeArguments> resolve(const MergeFlags& flags);

/// Returns the exit code: 3 where cases are missing that no run has finished.
int run_merge(const MergeArguments& arguments, Terminal& terminal);

}  // namespace culprit
