#pragma once
// What a person reads on the terminal after `culprit check`. 80 columns, and as clear without colour as with it. Names
// and messages come from untrusted models: all text is made printable first. Only commands to copy are exact (broken
// with "\" where they are long).

#include <optional>
#include <string>
#include <vector>

#include "record/environment.h"
#include "record/report.h"
#include "record/variant_record.h"

namespace culprit {

struct ConsoleStyle {
  bool colour = false;
  int width = 80;        ///< columns; no line is longer
  bool verbose = false;  ///< also what changed nothing, every measurement, and all that a dead process said
  /// What of the command line the shown commands need, to see the same: --data, --dim, ...
  std::vector<std::string> repeat_flags = {};
  bool only_faults = false;  ///< no warnings, and no table of the variants
  /// Whom a fault may be blamed on, as people call them: "ONNX Optimizer 0.4.2"; "": the optimizer, the runtime.
  std::string optimizer = {}, runtime = {};
};

/// The same style, with the names and versions of what was used.
ConsoleStyle with_products(ConsoleStyle style, const Environment& environment);

/// "ONNX Runtime 1.31.1 itself changes what this model gives when it optimizes" and the command that says which of its
/// steps does it, if that is so; else "".
struct RuntimeCaution {
  std::string what, which_step;
};
std::optional<RuntimeCaution> runtime_caution(const ModelReport& report, const ConsoleStyle& style);

/// One model: a line with the outcome, warnings, a table of the variants that changed something, the faults with the
/// command that shows more. Files are named relative to `run_folder`, which stands before them.
std::string to_console(const ModelReport& report, const ConsoleStyle& style, const std::string& run_folder);
/// The closing lines over all models: counts, verdicts, where the report lies.
std::string to_console(const Summary& summary, const ConsoleStyle& style, const std::string& run_folder);

}  // namespace culprit
