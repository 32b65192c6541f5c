#pragma once
// Flags of output: what is printed, and what stays in the folder of the run.

#include <filesystem>
#include <string>

#include "app/requests.h"
#include "base/error.h"
#include "cli/flags.h"
#include "cli/output_file.h"

namespace culprit {

inline constexpr const char* output_group = "Output (an answer also goes into report.json, in the run folder)";

/// As typed; "" where not given.
struct OutputFlags {
  std::string format, run_dir, output;
  bool keep_variants = false, no_repro = false, quiet = false, verbose = false;
};

/// How an answer is printed.
struct Printing {
  Format format = Format::text;
  std::filesystem::path output;  ///< "": standard output
  bool quiet = false;
  bool verbose = false;
  bool only_faults = false;  ///< print what is wrong and why, and no table of all that was tried
};

void add_output_flags(const Flags& command, OutputFlags& flags);  ///< but for -o

/// Errors: usage, for nonsense and for flags that contradict each other.
Result<Printing> read_printing(const OutputFlags& flags);
FolderRequest read_folder(const OutputFlags& flags);

}  // namespace culprit
