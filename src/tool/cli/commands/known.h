#pragma once
// culprit known add REPRO...|list: the list of known faults that `check --known` takes.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/output_file.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "repro/known_faults.h"

namespace culprit {

enum class KnownAction { add, list, remove };

struct KnownArguments {
  KnownAction action = KnownAction::list;
  std::vector<std::filesystem::path> repros;  ///< for `remove` ids of entries
  std::filesystem::path file = "known.json";
  std::string note;
  Format format = Format::text;
};

std::string known_as_text(const KnownFaults& known, int width);

/// As typed; "" where not given.
struct KnownFlags {
  std::string action, known, note, format;
  std::vector<std::string> repros;
};

void add_known_command(CommandParser& parser, KnownFlags& flags);

/// ErrorKind::usage where a value makes no sense, or flags contradict each other.
Result<KnownArguments> resolve(const KnownFlags& flags);

/// Returns the exit code. `add` makes the file where it is not there.
int run_known(const KnownArguments& arguments, Terminal& terminal);

}  // namespace culprit
