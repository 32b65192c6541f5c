#pragma once
// What a person reads on the terminal after `culprit check`. 80 columns, and as clear without colour as with it.

#include <string>

#include "record/record.h"

namespace culprit {

struct ConsoleStyle {
  bool colour = false;
  int width = 80;
  bool verbose = false;  ///< also the variants that changed nothing
};

/// One model: a line with the outcome, warnings, a table of the variants that changed something, the faults with the command that
/// shows more.
std::string to_console(const ModelReport& report, const ConsoleStyle& style, const std::string& run_folder);
/// The closing lines over all models: counts, verdicts, where the report lies.
std::string to_console(const Summary& summary, const ConsoleStyle& style, const std::string& run_folder);

}  // namespace culprit
