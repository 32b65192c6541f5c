#pragma once
// culprit passes: every pass of the optimizer, what it promises, and whether the bundle has it.

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "optimizer/optimizer.h"

namespace culprit {

struct PassesArguments {
  bool json = false;
  bool names = false;  ///< names only, one a line: for shells
};

/// As typed; "" where not given.
struct PassesFlags {
  std::string format;
  bool names = false;
};

void add_passes(CommandParser& parser, PassesFlags& flags);

/// ErrorKind::usage where a value makes no sense, or flags contradict each other.
Result<PassesArguments> resolve(const PassesFlags& flags);

/// "48 passes, 39 in the bundle"
std::string counts_of_passes(const std::vector<PassInfo>& passes);
std::string passes_as_text(const std::vector<PassInfo>& passes, int width);
std::string passes_as_json(const std::vector<PassInfo>& passes);
std::string passes_as_names(const std::vector<PassInfo>& passes);

int run_passes(const PassesArguments& arguments, Terminal& terminal);

}  // namespace culprit
