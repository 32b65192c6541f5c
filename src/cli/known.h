#pragma once
// culprit known add REPRO...|list: the list of known faults that `check --known` takes.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/check.h"
#include "cli/terminal.h"
#include "repro/known_faults.h"

namespace culprit {

struct KnownArguments {
  bool adds = false;  ///< else lists
  std::vector<std::filesystem::path> repros;
  std::filesystem::path file = "known.json";
  std::string note;
  Format format = Format::text;
};

std::string known_as_text(const KnownFaults& known, int width);

/// Returns the exit code. `add` makes the file where it is not there.
int run_known(const KnownArguments& arguments, Terminal& terminal);

}  // namespace culprit
