#pragma once
// culprit doctor: what a check needs, found or missing, and what to do about it.

#include <string>
#include <vector>

#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct DoctorArguments {
  std::string runtime;  ///< path or version; "": the default one
};

void add_doctor(CommandParser& parser, DoctorArguments& arguments);

/// One thing that was looked at.
struct MachineFinding {
  enum class State { ok, note, missing } state = State::ok;
  std::string what;   ///< "ONNX Runtime"
  std::string found;  ///< version, place, size; or why it is missing
  std::string to_do;  ///< for anything but ok
};

std::string findings_as_text(const std::vector<MachineFinding>& findings, const Look& look);
/// 3 where something is missing without which no model can be judged.
int exit_code_of(const std::vector<MachineFinding>& findings);

int run_doctor(const DoctorArguments& arguments, Terminal& terminal);

}  // namespace culprit
