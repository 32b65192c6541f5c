#pragma once
// What the commands on models (check, localize, optimize, compare, reduce) have in common: flags, as they are declared,
// and what they mean.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "check/check.h"
#include "cli/flags.h"
#include "data/sample.h"
#include "optimizer/command/program_options.h"

namespace culprit {

inline constexpr const char* judging_group = "Judging (what rounding explains is equivalent)";
inline constexpr const char* output_group = "Output (an answer also goes into report.json, in the run folder)";

enum class Format { text, json };

/// What was asked for, all of it valid as far as can be told without looking at files.
struct CheckArguments {
  std::vector<std::string> command;  ///< the command line, word by word, for the report
  std::vector<std::filesystem::path> models;
  std::filesystem::path variant;  ///< of localize: the file to judge against the only model; "": none
  DataOptions data;
  std::filesystem::path labels;  ///< of the data; "": none
  std::string task;              ///< what is read off the outputs; "": what fits
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
  GivenOptions program_options;           ///< of the optimizer, where it is a program; --option, --data
  std::vector<std::string> repeat_flags;  ///< what must be typed again to see the same: --data, --dim, --strict, ...
};

/// As typed; "" where not given.
struct CheckFlags {
  std::vector<std::string> models, inputs, dims, passes, each, custom_ops, options;
  std::string data, samples, seed, repeat, runtime, jobs, timeout, budget, memory, threads, deploy_level, confirm, atol,
      rtol, run_dir, format, output, known, second_runtime, python, variant, optimizer, preprocess, labels, task;
  bool all_passes = false, strict = false, keep_variants = false, quiet = false, verbose = false, undirected = false,
       no_localize = false, no_repro = false, trust_runtime = false, trust = false;
};

/// "auto|classification|..."
std::string task_choices();

// Declared the same in several commands.
void add_data_flags(const Flags& command, CheckFlags& flags);
/// What is decided on the data set: --labels, --task.
void add_decision_flags(const Flags& command, CheckFlags& flags);
void add_repeat_flag(const Flags& command, CheckFlags& flags);
void add_optimizer_flag(const Flags& command, CheckFlags& flags);
void add_judge_flags(const Flags& command, CheckFlags& flags);
void add_running_flags(const Flags& command, CheckFlags& flags);
void add_output_flags(const Flags& command, CheckFlags& flags);  ///< but for -o
/// --trust, of commands that run models of TensorFlow.
void add_trust_flag(const Flags& group, CheckFlags& flags);

/// ErrorKind::usage for nonsense and for flags that contradict each other. The default memory limit is left 0 (see
/// cli/run.cc).
Result<CheckArguments> resolve(const CheckFlags& flags);

}  // namespace culprit
