#pragma once
// culprit check MODEL...: does optimizing break this model, and which pass does it?

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "check/check.h"
#include "cli/terminal.h"
#include "data/sample.h"

namespace culprit {

enum class Format { text, json };

/// What was asked for, all of it valid as far as can be told without looking at files.
struct CheckArguments {
  std::vector<std::string> command;  ///< the command line, word by word, for the report
  std::vector<std::filesystem::path> models;
  std::filesystem::path variant;  ///< of localize: the file to judge against the only model; "": none
  DataOptions data;
  CheckOptions check;
  std::string runtime;            ///< path or version; "": the default one
  std::string second_runtime;     ///< for a second opinion on faults: path or version; "": none
  std::string python;             ///< for another one by ONNX's reference evaluator: a Python; "": none
  int jobs = 0;                   ///< 0: as many as cores
  double budget = 0;              ///< seconds from the start of the run; 0: no end
  std::filesystem::path run_dir;  ///< "": a new folder under .culprit
  bool keep_variants = false;
  bool keep_repros = true;      ///< of every fault, a folder that shows it
  std::filesystem::path known;  ///< list of known faults; "": none
  Format format = Format::text;
  std::filesystem::path output;  ///< "": standard output
  bool quiet = false;
  bool verbose = false;
  bool only_faults = false;               ///< print what is wrong and why, and no table of all that was tried
  std::vector<std::string> repeat_flags;  ///< what must be typed again to see the same: --data, --dim, --strict, ...
};

/// Runs it and returns the exit code.
int run_check(const CheckArguments& arguments, Terminal& terminal);

}  // namespace culprit
