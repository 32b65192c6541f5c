#include "cli/model_flags.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/chosen_optimizer.h"
#include "cli/flag_values.h"
#include "model/model_folder.h"
#include "task/choose_task.h"

namespace culprit {

std::string task_choices() { return "auto|" + join(task_names(), "|"); }

void add_data_flags(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group("Data (without these: what lies beside the model, else random values)");
  group.value(
      "--data", flags.data, "PATH",
      "Folder of test_data_set_N, one such folder, an .npz, an .npy, or a folder of pictures (default: `data` in "
      "culprit.yaml beside the model, else a test_data_set_* there)");
  group.value("--preprocess", flags.preprocess, "PATH|PRESET",
              "How pictures are prepared: a .yaml, or a preset such as torchvision (default: culprit.yaml beside the "
              "model, else guessed)");
  group.value(
      "--samples", flags.samples, "N",
      "How many samples to run (default: all there are, of pictures 10, or 3 made-up ones and up to 3 more for what "
      "the graph compares its inputs with)");
  group.value("--seed", flags.seed, "S", "Seed of the random values (default 0)");
  group.values("--input", flags.inputs, "NAME=VALUE|FILE",
               "Value of one input: a number, [1,2,3], or a .npy or .pb file; may be repeated");
  command.toggle("--undirected", flags.undirected, "Direct no samples at the places where passes would fire").hidden();
  group.values("--dim", flags.dims, "NAME=N", "Size of a symbolic dimension; may be repeated");
}

void add_decision_flags(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group("Deciding (with --data: does a variant decide alike on all of it?)");
  group.value("--task", flags.task, task_choices(), "What is read off the outputs (default: what fits them)");
  group.value("--labels", flags.labels, type_file,
              "What is right of each picture: a .csv or .jsonl with file and label, or COCO's .json with boxes");
}

void add_repeat_flag(const Flags& command, CheckFlags& flags) {
  command.value("--repeat", flags.repeat, "once|library|stable",
                "Run a recipe once (default), to the library's own fixpoint, or until nothing changes any more");
}

void add_optimizer_flag(const Flags& command, CheckFlags& flags) {
  command.value(
      "--optimizer", flags.optimizer, "NAME|FILE.yaml",
      "Whose steps are tried (default onnx_optimizer); onnxruntime: what the runtime itself does to the model, "
      "up to --deploy-level; a program such as onnxsim, or onnxsim@0.4.36 (`culprit optimizers` lists them); FILE.yaml "
      "describes a program of your own, and is run");
  command.values("--option", flags.options, "NAME=VALUE",
                 "An option of that program, such as weight_type=QUInt8 of quantize_static; may be repeated");
}

void add_judge_flags(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group(judging_group);
  group.value(
      "--atol", flags.atol, "X",
      "What lies beyond the floor may differ by atol + rtol * |r| (default: by type and by the size of the output)");
  group.value("--rtol", flags.rtol, "X", "Relative tolerance (default: by type; 1e-3 for float32)");
  group.toggle("--strict", flags.strict, "Beyond the noise floor is a fault, also within the tolerance");
  group.value("--confirm", flags.confirm, "N", "Fresh processes in which a failure must show again (default 2)");
}

void add_running_flags(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group("Running (every attempt has a process of its own, with these limits)");
  group.value("--runtime", flags.runtime, "PATH|VERSION",
              "ONNX Runtime library, or a version that scripts/setup brought");
  group.value("--second-runtime", flags.second_runtime, "PATH|VERSION",
              "Another version: does it give the same for the model itself (else exit code 3), and whose fault is a "
              "wrong value");
  group.value("--python", flags.python, type_file,
              "A Python with onnx, for an opinion of ONNX's reference evaluator on the same");
  group.toggle("--trust-runtime", flags.trust_runtime,
               "Judge by --runtime also where another one gives other values for the model itself: only a warning");
  group.value("--deploy-level", flags.deploy_level, join(level_names(), "|"),
              "Also run what is right with the runtime's own optimizations (default all; off: do not)");
  group.values("--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated");
  group.value("--jobs", flags.jobs, "N",
              "Processes at once (default: the number of cores; fewer where each would get less than 1 GiB)");
  group.value(
      "--timeout", flags.timeout, "TIME",
      "CPU time for one step (making a model, loading it, one sample): 2m, 500ms, 5 for 5 seconds (default: 120s for "
      "the model itself and for making others; these may run 10 times as long as it did, and at least 10s)");
  group.value("--budget", flags.budget, "TIME",
              "Time for all: 2m, 90s, 90 for 90 seconds; then no new work but confirming what was found, and a list of "
              "what was skipped");
  group.value(
      "--memory", flags.memory, "SIZE",
      "Memory for one attempt: 8GB, 512MB (default: what the machine or its container has; those that run at once "
      "get a part of it, and are tried again alone with all of it if that is not enough)");
  group.value("--threads", flags.threads, "N", "Threads inside one run (default 1; more change the last bits)");
}

void add_output_flags(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json", "What is printed: a summary to read (default), or the report");
  group.value("--run-dir", flags.run_dir, type_folder, "Folder of this run (default: a new one in .culprit)");
  group.toggle("--keep-variants", flags.keep_variants, "Keep all models that were made, not only faulty ones");
  group.toggle("--no-repro", flags.no_repro, "Keep no folders that show the faults by themselves");
  group.toggle("--quiet", flags.quiet, "No progress and no log");
  group.toggle("--verbose", flags.verbose, "Also what changed nothing, every measurement and noise floor, and log");
}

void add_trust_flag(const Flags& group, CheckFlags& flags) {
  group.toggle("--trust", flags.trust,
               "Run models of TensorFlow that may run code, or touch files or the network (else they are refused)");
}

namespace {

tl::unexpected<Error> contradiction(const std::string& one, const std::string& other, const std::string& hint) {
  return fail(ErrorKind::usage, fmt::format("{} and {} contradict each other", one, other), hint);
}

Result<void> refuse_contradictions(const CheckFlags& flags) {
  const std::string plan_hint =
      "--passes is one recipe of several passes in order, --each runs passes alone: give one of them";
  if (!flags.passes.empty() && !flags.each.empty()) return contradiction("--passes", "--each", plan_hint);
  if (!flags.passes.empty() && flags.all_passes) return contradiction("--passes", "--all-passes", "give one of them");
  if (!flags.each.empty() && flags.all_passes) return contradiction("--each", "--all-passes", "give one of them");
  if (flags.quiet && flags.verbose) return contradiction("--quiet", "--verbose", "give one of them");
  if (flags.trust_runtime && flags.second_runtime.empty() && flags.python.empty())
    return fail(ErrorKind::usage, "--trust-runtime: nobody else is asked about the model, so there is nobody to doubt",
                "leave it out, or name a witness: --second-runtime 1.30.0, or --python PYTHON");
  return {};
}

/// Collects the first error of many values, so that reading flags is a plain list.
class Reader {
 public:
  /// `value` of `target`, or nothing where it was an error.
  template <class Target, class Value>
  void set(Target& target, Result<Value> value) {
    if (value)
      target = static_cast<Target>(std::move(*value));
    else if (error_.message.empty())
      error_ = std::move(value.error());
  }
  template <class Target, class Parse, class... More>
  void read(Target& target, Parse parse, const std::string& flag, const std::string& text, More... more) {
    if (!text.empty()) set(target, parse(flag, text, more...));
  }
  [[nodiscard]] const Error* error() const { return error_.message.empty() ? nullptr : &error_; }

 private:
  Error error_;
};

void read_data(const CheckFlags& flags, CheckArguments& arguments, Reader& reader) {
  constexpr std::int64_t most_samples = 10'000;
  arguments.data.data = flags.data;
  arguments.data.preprocess = flags.preprocess;
  arguments.labels = flags.labels;
  arguments.task = flags.task;
  reader.read(arguments.data.samples, whole_number, "--samples", flags.samples, 1, most_samples);
  reader.read(arguments.data.seed, seed_number, "--seed", flags.seed);
  reader.set(arguments.data.dims, sizes_by_name("--dim", flags.dims));
  arguments.data.inputs = flags.inputs;
  for (const std::string& input : flags.inputs)
    if (const auto equals = input.find('='); equals == std::string::npos || equals == 0 || equals + 1 == input.size())
      reader.set(arguments.data.inputs, Result<std::vector<std::string>>(
                                            fail(ErrorKind::usage, fmt::format("--input {}: not NAME=VALUE", input),
                                                 "such as --input x=x.npy or --input n=7")));
}

Result<GivenOptions> program_options(const CheckFlags& flags) {
  GivenOptions given;
  if (!flags.data.empty()) given.data = std::filesystem::absolute(flags.data);
  for (const std::string& option : flags.options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorKind::usage, fmt::format("--option {}: not NAME=VALUE", printable(option, 100)),
                  "such as --option weight_type=QUInt8");
    given.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return given;
}

void read_plan(const CheckFlags& flags, CheckArguments& arguments, Reader& reader) {
  reader.set(arguments.check.recipe, name_list("--passes", flags.passes));
  reader.set(arguments.check.each, name_list("--each", flags.each));
  arguments.check.all_passes = flags.all_passes;
  std::string repeat = "once";
  reader.read(repeat, choice, "--repeat", flags.repeat, std::vector<std::string>{"once", "library", "stable"});
  arguments.check.repeat = repeat_named(repeat).value_or(Repeat::once);
  if (!flags.optimizer.empty()) reader.set(arguments.check.optimizer, optimizer_named("--optimizer", flags.optimizer));
  reader.set(arguments.program_options, program_options(flags));
}

/// Only the linked one is told how often it runs; a runtime's steps run at a level.
Result<void> refuse_for_others(const CheckFlags& flags) {
  const bool is_program =
      !flags.optimizer.empty() && flags.optimizer != onnx_optimizer_name && flags.optimizer != onnxruntime_name;
  if (!flags.options.empty() && !is_program)
    return fail(ErrorKind::usage, "--option is for an --optimizer that is a program", "such as quantize_static");
  if (flags.optimizer.empty() || flags.optimizer == onnx_optimizer_name) return {};
  if (!flags.repeat.empty())
    return contradiction("--optimizer " + flags.optimizer, "--repeat", "it says itself how often its steps run");
  if (flags.optimizer != onnxruntime_name) return {};
  if (flags.deploy_level == "off")
    return contradiction("--optimizer onnxruntime", "--deploy-level off",
                         "with its optimizations off the runtime changes nothing; leave --deploy-level out");
  return {};
}

void read_judging(const CheckFlags& flags, CheckArguments& arguments, Reader& reader) {
  reader.read(arguments.check.tolerance.atol, tolerance_number, "--atol", flags.atol);
  reader.read(arguments.check.tolerance.rtol, tolerance_number, "--rtol", flags.rtol);
  arguments.check.strict = flags.strict;
  arguments.check.localize = !flags.no_localize;
  arguments.check.directed = !flags.undirected;
  reader.read(arguments.check.confirmations, whole_number, "--confirm", flags.confirm, 0, 100);
}

void read_running(const CheckFlags& flags, CheckArguments& arguments, Reader& reader) {
  constexpr std::int64_t most_at_once = 1024;
  arguments.runtime = flags.runtime;
  arguments.second_runtime = flags.second_runtime;
  arguments.python = flags.python;
  arguments.check.trusts_runtime = flags.trust_runtime;
  arguments.check.session.trusted = flags.trust;
  for (const std::string& library : flags.custom_ops) arguments.check.session.custom_ops.emplace_back(library);
  reader.read(arguments.jobs, whole_number, "--jobs", flags.jobs, 1, most_at_once);
  reader.read(arguments.check.limits.cpu_seconds, duration, "--timeout", flags.timeout);
  arguments.check.time_is_given = !flags.timeout.empty();
  reader.read(arguments.budget, duration, "--budget", flags.budget);
  reader.read(arguments.check.limits.memory_bytes, memory_size, "--memory", flags.memory);
  reader.read(arguments.check.session.threads, whole_number, "--threads", flags.threads, 1, most_at_once);
  std::string level(name_of(arguments.check.deploy_level));
  reader.read(level, choice, "--deploy-level", flags.deploy_level, level_names());
  arguments.check.deploy_level = level_named(level).value_or(Level::all);
}

void read_output(const CheckFlags& flags, CheckArguments& arguments, Reader& reader) {
  std::string format = "text";
  reader.read(format, choice, "--format", flags.format, std::vector<std::string>{"text", "json"});
  arguments.format = format == "json" ? Format::json : Format::text;
  if (flags.output != "-") arguments.output = flags.output;
  arguments.run_dir = flags.run_dir;
  arguments.keep_variants = flags.keep_variants;
  arguments.keep_repros = !flags.no_repro;
  arguments.known = flags.known;
  arguments.quiet = flags.quiet;
  arguments.verbose = flags.verbose;
}

std::vector<std::string> flags_to_repeat(const CheckFlags& flags) {
  std::vector<std::string> words;
  const auto one = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  const auto each = [&](const char* flag, const std::vector<std::string>& values) {
    for (const std::string& value : values) one(flag, value);
  };
  one("--data", flags.data);
  one("--preprocess", flags.preprocess);
  one("--labels", flags.labels);
  one("--task", flags.task);
  one("--samples", flags.samples);
  one("--seed", flags.seed);
  each("--input", flags.inputs);
  each("--dim", flags.dims);
  one("--atol", flags.atol);
  one("--rtol", flags.rtol);
  if (flags.strict) words.emplace_back("--strict");
  if (flags.undirected) words.emplace_back("--undirected");
  one("--runtime", flags.runtime);
  one("--second-runtime", flags.second_runtime);
  one("--python", flags.python);
  if (flags.trust_runtime) words.emplace_back("--trust-runtime");
  if (flags.trust) words.emplace_back("--trust");
  each("--custom-ops", flags.custom_ops);
  one("--timeout", flags.timeout);
  one("--memory", flags.memory);
  one("--threads", flags.threads);
  one("--deploy-level", flags.deploy_level);
  one("--optimizer", flags.optimizer);
  each("--option", flags.options);
  return words;
}

}  // namespace

Result<CheckArguments> resolve(const CheckFlags& flags) {
  if (const auto fine = refuse_contradictions(flags); !fine) return tl::unexpected(fine.error());
  if (const auto fine = refuse_for_others(flags); !fine) return tl::unexpected(fine.error());
  CheckArguments arguments;
  for (const std::string& model : flags.models) {
    if (model.empty()) return fail(ErrorKind::usage, "the name of a model is empty", "give the path of an ONNX file");
    arguments.models.push_back(model_file(model));
  }
  Reader reader;
  read_data(flags, arguments, reader);
  read_plan(flags, arguments, reader);
  read_judging(flags, arguments, reader);
  read_running(flags, arguments, reader);
  read_output(flags, arguments, reader);
  if (reader.error() != nullptr) return tl::unexpected(*reader.error());
  arguments.repeat_flags = flags_to_repeat(flags);
  return arguments;
}

}  // namespace culprit
