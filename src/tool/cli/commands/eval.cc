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
#include "evaluate/choose_evaluated_task.h"
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
  group.value("--data", flags.sample.data, "PATH");
  group.value("--labels", flags.sample.labels, "PATH");
  group.value("--pairs", flags.pairs, "FILE.csv");
  group.value("--preprocess", flags.sample.preprocess, "PATH|PRESET");
  group.value("--generate", flags.sample.generate, "N");
  group.value("--samples", flags.samples, "N").with_default("all; without data 3 random ones");
  group.toggle("--shuffle", flags.shuffle);
  group.value("--seed", flags.sample.seed, "S");
  group.values("--input", flags.sample.inputs, "NAME=VALUE|FILE");
  group.values("--dim", flags.sample.dims, "NAME=N");
}

void add_eval_running(const Flags& command, RunFlags& flags) {
  const Flags group = command.group("Running (in processes of their own, the runtime's optimizations on)");
  group.value("--runtime", flags.runtime, "PATH|VERSION");
  group.value("--deploy-level", flags.deploy_level, "off|basic|extended|layout|all");
  group.values("--custom-ops", flags.custom_ops, type_file);
  group.value("--jobs", flags.jobs, "N");
  group.value("--timeout", flags.timeout, "TIME");
  group.value("--memory", flags.memory, "SIZE");
  group.value("--threads", flags.threads, "N");
  add_trust_flag(group, flags);
}

void add_output(const Flags& command, EvalFlags& all) {
  OutputFlags& flags = all.output;
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json");
  group.value("--run-dir", flags.run_dir, type_folder);
  group.value("--draw", all.draw, type_folder);
  group.value("--decisions", all.decisions, type_file);
  group.toggle("--quiet", flags.quiet);
  group.toggle("--verbose", flags.verbose);
  group.value("-o,--output", flags.output, type_file);
}

}  // namespace

void add_eval(CommandParser& parser, EvalFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "eval",
       .heading = heading_measure,
       .about = "What do these models predict on a data set, how good is it, and do they agree?",
       .examples = {"culprit eval model.onnx quantized.onnx --data images",
                    "culprit eval model.onnx --data images --labels labels.csv --task classification"},
       .most_used = {"--data", "--labels", "--task", "--preprocess", "--samples", "--detector", "--stop-when-sure",
                     "--decisions", "--draw", "--format", "--output", "--verbose"},
       .exit_codes = "Exit codes: 0 all models were judged, 2 wrong usage, 3 a model could not be judged, 4 "
                     "internal error, 130 interrupted."});
  command
      .words("MODEL", flags.models, type_file,
             "Models (ONNX, TFLite, Keras, a frozen graph or SavedModel of TensorFlow, or a folder with a model.onnx); "
             "the "
             "others are "
             "held against the first")
      .required();
  add_data(command, flags);
  command.group("Deciding").value("--task", flags.sample.task, task_choices());
  command.group("Deciding").value("--threshold", flags.threshold, "X");
  command.group("Deciding").value("--score", flags.score, "X");
  add_deciding(command.group("Deciding"), flags.deciding);
  command.group("Deciding").value("--comparator", flags.comparator, type_file);
  command.group("Deciding").value("--stop-when-sure", flags.sure, "P,DELTA");
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
  const auto threshold = finite_number("--threshold", text);
  if (!threshold) return tl::unexpected(threshold.error());
  const std::string& task = arguments.request.data.task;
  const bool is_said = !task.empty() && task != "auto";
  if (is_said)
    if (auto ok = expect_threshold_for(task, "--task"); !ok) return ok;
  arguments.request.settings.threshold = *threshold;
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

bool is_judged(const EvaluatedModel& model) {
  return model.unfit.empty() && (model.decisions.samples > 0 || model.failures == 0);
}

int exit_code_of(const EvaluationReport& report) {
  if (report.is_interrupted) return exit_code::interrupted;
  if (!report.is_drawn) return interrupt_requested() ? exit_code::interrupted : exit_code::cannot_judge;
  return std::ranges::all_of(report.models, is_judged) ? exit_code::nothing_wrong : exit_code::cannot_judge;
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
