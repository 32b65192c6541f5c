#include "cli/commands/eval.h"

#include <algorithm>
#include <optional>

#include "app/evaluate_models.h"
#include "app/free_places.h"
#include "app/machine_facts.h"
#include "base/text.h"
#include "cli/decisions_file.h"
#include "cli/exit_code.h"
#include "cli/figure_files.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "cli/output_file.h"
#include "cli/present.h"
#include "process/interrupt.h"
#include "process/run_program.h"
#include "report/evaluation_console.h"
#include "report/evaluation_figures.h"
#include "report/evaluation_json.h"
#include "statistics/sequential_ratio.h"
#include "task/choose_task.h"

namespace culprit {
namespace {

constexpr std::int64_t most_samples = 100'000'000;

void add_data(const Flags& command, EvalFlags& flags) {
  const Flags group = command.group("Data (without these: what culprit.yaml names, else random values)");
  group.value("--data", flags.sample.data, "PATH",
              "Folder of pictures, an .npz or .npy with a row for each sample, or a folder of test_data_set_N");
  group.value("--labels", flags.sample.labels, "PATH",
              "What is right: a .csv or .jsonl with file and label, COCO's .json with boxes, or a folder of masks or "
              "pictures (default: labels.csv in the folder, or the names of the folders that the pictures lie in)");
  group.value("--pairs", flags.pairs, "FILE.csv",
              "embedding: a,b,same a line, two samples by name or number, and 1 where they show the same, else 0");
  group.value("--preprocess", flags.sample.preprocess, "PATH|PRESET",
              "How pictures are prepared: a .yaml, or torchvision, tf, caffe, mobilenet, yolo, ssd, ultraface, mnist, "
              "rapidocr, raw (default: culprit.yaml beside the model, else guessed and said)");
  group.value("--samples", flags.samples, "N", "So many samples at most (default: all, or 3 made-up ones)");
  group.toggle("--shuffle", flags.shuffle, "In an order that --seed decides");
  group.value("--seed", flags.sample.seed, "S", "Seed of random values and of the order (default 0)");
  group.values("--input", flags.sample.inputs, "NAME=VALUE|FILE", "Value of one input in all samples; may be repeated");
  group.values("--dim", flags.sample.dims, "NAME=N", "Size of a symbolic dimension; may be repeated");
}

void add_eval_running(const Flags& command, RunFlags& flags) {
  const Flags group = command.group("Running (in processes of their own, the runtime's optimizations on)");
  group.value("--runtime", flags.runtime, "PATH|VERSION",
              "ONNX Runtime library, or a version that scripts/setup brought");
  group.value("--deploy-level", flags.deploy_level, "off|basic|extended|layout|all",
              "The runtime's optimizations (default all)");
  group.values("--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated");
  group.value("--jobs", flags.jobs, "N", "Processes at once (default: the number of cores)");
  group.value("--timeout", flags.timeout, "TIME", "CPU time for loading a model, and for one sample (default 120s)");
  group.value("--memory", flags.memory, "SIZE", "Memory for one process: 8GB, 512MB (default: what there is)");
  group.value("--threads", flags.threads, "N", "Threads inside one run (default 1)");
  add_trust_flag(group, flags);
}

void add_output(const Flags& command, EvalFlags& all) {
  OutputFlags& flags = all.output;
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json", "What is printed: a table to read (default), or the report");
  group.value("--run-dir", flags.run_dir, type_folder,
              "Folder of this run, for report.json and figures (default: a new one in .culprit)");
  group.value("--draw", all.draw, type_folder,
              "Write pictures with the boxes of all models into this folder: those that differ most, and the first");
  group.value(
      "--decisions", all.decisions, type_file,
      "Write what every model decided on every sample: a .csv, a line a sample, or a .jsonl with all scores and "
      "boxes");
  group.toggle("--quiet", flags.quiet, "No progress and no log");
  group.toggle("--verbose", flags.verbose, "All samples that the report lists, and log");
  group.value("-o,--output", flags.output, type_file, "Print into a file instead");
}

}  // namespace

void add_eval(CommandParser& parser, EvalFlags& flags) {
  const Flags command =
      parser.add_command("eval", "What do these models decide on a data set, how good is it, and do they agree?",
                         "culprit eval model.onnx quantized.onnx --data pictures");
  command
      .words("MODEL", flags.models, type_file,
             "Models (ONNX, TFLite, a frozen graph or SavedModel of TensorFlow, or a folder with a model.onnx); the "
             "others are "
             "held against the first")
      .required();
  add_data(command, flags);
  command.group("Deciding")
      .value(
          "--task", flags.sample.task, task_choices(),
          "What is read off the outputs (default: what culprit.yaml beside the first model says, else what fits them)");
  command.group("Deciding")
      .value("--threshold", flags.threshold, "X",
             "segmentation by one channel: what is above X counts (default 0.5; text detectors: 0.3); with --task "
             "multi_label a class does");
  command.group("Deciding")
      .value("--score", flags.score, "X",
             "detection: precision, recall and F1 count boxes with a score above X (default: as the detector says); "
             "average precision looks at all");
  add_deciding(command.group("Deciding"), flags.deciding);
  command.group("Deciding")
      .value("--comparator", flags.comparator, type_file,
             "A program of yours that says of each sample whether two decisions are the same; such as "
             "examples/comparators/word_error_rate.py (docs/comparators.md)");
  command.group("Deciding")
      .value(
          "--stop-when-sure", flags.sure, "P,DELTA",
          "Stop as soon as it is sure, at 5 %, that P percent of the decisions agree with those of the first model, or "
          "only P - DELTA: 99.9,0.1. Samples come in an order by chance (--shuffle)");
  add_eval_running(command, flags.run);
  add_output(command, flags);
}

namespace {

/// "99.9,0.1" in percent -> shares.
Result<std::pair<double, double>> sure_of(const std::string& text) {
  const auto parts = split(text, ',');
  const auto wrong = [&] {
    return fail(ErrorKind::usage, "--stop-when-sure " + printable(text, 60) + ": not P,DELTA in percent",
                "such as 99.9,0.1: are 99.9 % of the decisions the same, or only 99.8 %?");
  };
  if (parts.size() != 2) return wrong();
  const auto share = tolerance_number("--stop-when-sure", std::string(trim(parts[0])));
  const auto delta = tolerance_number("--stop-when-sure", std::string(trim(parts[1])));
  if (!share || !delta) return wrong();
  const auto test = SequentialTest::of(*share / 100, *delta / 100);
  if (!test) return wrong();
  return std::pair(*share / 100, *delta / 100);
}

Result<void> resolve_score(const std::string& text, EvalArguments& arguments) {
  if (text.empty()) return {};
  const auto score = tolerance_number("--score", text);
  if (!score) return tl::unexpected(score.error());
  std::string& task = arguments.request.data.task;
  if (!task.empty() && task != "auto" && task != "detection")
    return fail(ErrorKind::usage, "--score is for detection, and the task is " + printable(task, 60));
  arguments.request.settings.score = *score;
  task = "detection";
  return {};
}

Result<void> resolve_pairs(const std::string& file, EvalArguments& arguments) {
  if (file.empty()) return {};
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    return fail(ErrorKind::usage, "--pairs " + printable(file, 200) + ": there is no such file");
  std::string& task = arguments.request.data.task;
  if (!task.empty() && task != "auto" && task != "embedding")
    return fail(ErrorKind::usage, "--pairs is for embedding, and the task is " + printable(task, 60));
  arguments.request.pairs = file;
  task = "embedding";
  return {};
}

/// A file, or a name on PATH.
Result<fs::path> comparator_of(const EvalFlags& flags) {
  const std::string& program = flags.comparator;
  const std::string what = "--comparator " + printable(program, 200);
  if (!flags.sample.task.empty())
    return fail(ErrorKind::usage,
                what + " and --task " + printable(flags.sample.task, 60) + ": only one of them can decide");
  std::error_code ignored;
  if (!fs::exists(program, ignored)) {
    if (can_start(program)) return fs::path(program);
    return fail(ErrorKind::usage, what + ": there is no such program", "give the path of a program, or a name on PATH");
  }
  const fs::path path = fs::absolute(program, ignored);
  if (can_start(path.string())) return path;
  return fail(ErrorKind::usage, what + ": this is no program that may be started",
              "a script has a first line such as #!/usr/bin/env python3, and the right to be started: chmod +x " +
                  printable(program, 200));
}

/// The groups that other commands have as well.
Result<void> read_groups(const EvalFlags& flags, EvalArguments& arguments) {
  EvaluateRequest& request = arguments.request;
  FlagReader reader;
  reader.set(arguments.printing, read_printing(flags.output));
  reader.set(request.models, read_models(flags.models));
  reader.set(request.data, read_samples(flags.sample));
  reader.set(request.running, read_running(flags.run));
  request.folder = read_folder(flags.output);
  request.quoted.repeat_flags = words_to_repeat(flags.sample, {}, flags.run);
  request.shuffle = flags.shuffle;
  request.draw = flags.draw;
  return reader.ended();
}

Result<void> resolve_decisions(const EvalFlags& flags, EvalArguments& arguments) {
  arguments.decisions = flags.decisions;
  if (flags.decisions.empty()) return {};
  if (!flags.comparator.empty())
    return fail(ErrorKind::usage, "--decisions and --comparator: what a program decides, only the program can tell");
  return place_must_be_free(arguments.decisions, order_of(arguments.request));
}

Result<void> resolve_sure(const std::string& text, EvalArguments& arguments) {
  if (text.empty()) return {};
  const auto sure = sure_of(text);
  if (!sure) return tl::unexpected(sure.error());
  arguments.request.sure_of = *sure;
  arguments.request.shuffle = true;
  return {};
}

Result<void> resolve_threshold(const std::string& text, EvalArguments& arguments) {
  if (text.empty()) return {};
  const auto threshold = tolerance_number("--threshold", text);
  if (!threshold) return tl::unexpected(threshold.error());
  std::string& task = arguments.request.data.task;
  const bool is_said = !task.empty() && task != "auto";
  if (is_said && task != "segmentation" && task != "multi_label")
    return fail(ErrorKind::usage,
                "--threshold is for segmentation and multi_label, and --task says " + printable(task, 60));
  arguments.request.settings.threshold = *threshold;
  if (!is_said) task = "segmentation";
  return {};
}

}  // namespace

Result<EvalArguments> resolve(const EvalFlags& flags) {
  EvalArguments arguments;
  EvaluateRequest& request = arguments.request;
  if (auto ok = read_groups(flags, arguments); !ok) return tl::unexpected(ok.error());
  if (auto ok = resolve(flags.deciding, request.data.task, request.settings); !ok) return tl::unexpected(ok.error());
  if (auto ok = resolve_decisions(flags, arguments); !ok) return tl::unexpected(ok.error());
  if (!flags.comparator.empty()) {
    auto comparator = comparator_of(flags);
    if (!comparator) return tl::unexpected(comparator.error());
    request.comparator = std::move(*comparator);
  }
  if (auto ok = resolve_sure(flags.sure, arguments); !ok) return tl::unexpected(ok.error());
  if (auto ok = resolve_threshold(flags.threshold, arguments); !ok) return tl::unexpected(ok.error());
  if (auto ok = resolve_score(flags.score, arguments); !ok) return tl::unexpected(ok.error());
  if (auto ok = resolve_pairs(flags.pairs, arguments); !ok) return tl::unexpected(ok.error());
  if (flags.samples.empty()) return arguments;
  const auto samples = whole_number("--samples", flags.samples, 1, most_samples);
  if (!samples) return tl::unexpected(samples.error());
  request.samples = *samples;
  request.data.samples.samples = *samples;
  return arguments;
}

namespace {

/// Every decision goes into the file of --decisions, if one is named.
DecisionListener into_file(const EvalArguments& arguments, std::optional<DecisionsFile>& file) {
  if (arguments.decisions.empty()) return {};
  DecisionListener listener;
  listener.begin = [&]() -> Result<void> {
    auto opened = DecisionsFile::open(arguments.decisions, arguments.request.models.size());
    if (!opened) return tl::unexpected(opened.error());
    file.emplace(std::move(*opened));
    return {};
  };
  listener.told = [&](const ToldSample& sample) { return file->add(sample); };
  listener.end = [&] { return file->finish(); };
  return listener;
}

int exit_code_of(const EvaluationReport& report) {
  if (report.is_interrupted) return exit_code::interrupted;
  if (!report.is_drawn) return interrupt_requested() ? exit_code::interrupted : exit_code::cannot_judge;
  const bool are_all_judged = std::ranges::all_of(report.models, &std::string::empty, &EvaluatedModel::unfit);
  return are_all_judged ? exit_code::nothing_wrong : exit_code::cannot_judge;
}

Result<int> eval(const EvalArguments& arguments, const Caller& caller, Terminal& terminal) {
  const Printing& printing = arguments.printing;
  std::optional<DecisionsFile> file;
  const DecisionListener decisions = into_file(arguments, file);
  auto answer = output_must_be_fine(printing.output, printing.format, order_of(arguments.request)).and_then([&] {
    return evaluate_models(arguments.request, caller, decisions);
  });
  if (!answer) return tl::unexpected(answer.error());
  const EvaluationReport& report = answer->report;
  const fs::path& folder = answer->folder.path();
  const ConsoleStyle style = style_of(printing, terminal.look(), arguments.request.quoted);
  const auto printed =
      finish_and_print(answer->folder, to_json(report), to_console(report, style, folder), printing, terminal);
  if (!printed) return tl::unexpected(printed.error());
  if (auto written = write_figures_of_run(figures_of(report), folder); !written) return tl::unexpected(written.error());
  return exit_code_of(report);
}

}  // namespace

int run_eval(const EvalArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = eval(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  return end_without_answer(code.error(), "interrupted before any samples were evaluated, so no report was written",
                            terminal);
}

}  // namespace culprit
