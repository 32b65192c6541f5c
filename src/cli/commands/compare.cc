#include "cli/commands/compare.h"

#include <algorithm>

#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "cli/commands/version.h"
#include "cli/decide_on_all.h"
#include "cli/exit_code.h"
#include "cli/run.h"
#include "cli/trained_model.h"
#include "cli/two_models.h"
#include "compare/compare_models.h"
#include "data/synthesize.h"
#include "evaluate/choose_evaluated_task.h"
#include "model/bind_models.h"
#include "report/compare_console.h"
#include "report/compare_json.h"
#include "worker/pool.h"

namespace culprit {

void add_compare(CommandParser& parser, CompareFlags& flags) {
  const Flags command =
      parser.add_command("compare", "Do these two models mean the same, and where do they part first?",
                         "culprit compare model.onnx optimized.onnx");
  command.word("A", flags.a, type_file, any_model + std::string(" that the other is held against")).required();
  command.word("B", flags.b, type_file, any_model + std::string(" that should mean the same")).required();
  add_map_flag(command, flags.map, "Input or output of A that stands for one of B with another name; may be repeated");
  add_data_flags(command, flags.check);
  add_decision_flags(command, flags.check);
  add_two_models_judging(command, flags.check);
  add_two_models_running(command, flags.check, true);
  add_two_models_output(command, flags.check);
}

Result<CompareArguments> resolve(const CompareFlags& flags) {
  if (auto ok = expect_pairs(flags.map); !ok) return tl::unexpected(ok.error());
  CheckFlags check = flags.check;
  check.models = {flags.a, flags.b};
  return resolve(check).map([&](CheckArguments&& arguments) {
    return CompareArguments{std::move(arguments), flags.map};
  });
}

namespace {

CompareReport cannot_judge(const Model& a, const Model& b, const ModelReport& baseline) {
  CompareReport report;
  report.a = a.facts;
  report.b = b.facts;
  report.message = "A cannot be judged: " + baseline.baseline.message;
  return report;
}

bool not_yet_apart(const CompareReport& report) {
  return report.status == CompareStatus::same || report.status == CompareStatus::not_reached ||
         report.status == CompareStatus::weak_data;
}

void take_decisions(const DecidedOnAll& decided, CompareReport& report) {
  report.decisions = decided.decisions;
  report.warnings.insert(report.warnings.end(), decided.warnings.begin(), decided.warnings.end());
  if (decided.apart.empty()) return;
  report.status = CompareStatus::part;
  report.verdict = Verdict::diverged;
  report.message = decided.apart;
}

/// What A is fed and makes of it, found as `check` finds it.
Result<CompareReport> compare_on(Run& run, const CompareArguments& arguments, const Model& a, const Model& b,
                                 const CheckData& data, const fs::path& work) {
  const Progress progress = [&](std::size_t done, std::size_t total, const std::string& what) {
    run.terminal.progress(done, total, what);
  };
  Dispatcher dispatcher(*run.executor);
  ModelReport baseline;
  const auto reference = establish_baseline(data.proposals, dispatcher, a, run.options, work, baseline, progress);
  if (!reference) return tl::unexpected(reference.error());
  const BaselineStatus status = baseline.baseline.status;
  const bool is_fed = status == BaselineStatus::ok || status == BaselineStatus::weak_data;
  auto report = Result<CompareReport>(cannot_judge(a, b, baseline));
  if (is_fed) {
    CompareOptions options = compare_options(run.options, reference->session);
    options.map = arguments.map;
    CompareSamples samples{reference->samples, reference->outputs, {}};
    if (status == BaselineStatus::weak_data) samples.weak = baseline.baseline.message;
    report = compare_models(a, b, samples, options, {*run.executor, work, progress});
  }
  if (!report) return report;
  const auto whole = whole_data_of(data, a, run);
  if (!whole) return tl::unexpected(whole.error());
  if (*whole && is_fed) {
    const auto decided = decide_on_all({dispatcher, *reference, bound_to(a, b, arguments.map), "A", "B", **whole,
                                        run.options.deploy_level, not_yet_apart(*report), work, progress});
    if (!decided) return tl::unexpected(decided.error());
    take_decisions(*decided, *report);
  }
  report->data = baseline.data;
  report->warnings.insert(report->warnings.begin(), baseline.warnings.begin(), baseline.warnings.end());
  return report;
}

/// What both should show. Where A's inputs have open sizes and B's are fixed, only those sizes fit both; what --dim
/// says comes first.
DataOptions for_both(const Model& a, const Model& b, DataOptions data, const std::vector<std::string>& map) {
  data.held_against = &b;
  if (!data.data.empty() && data.inputs.empty()) return data;  // the data have their sizes
  const auto binding = bind_models(a.interface, b.interface, map);
  if (!binding) return data;
  for (const FixedSize& fixed : sizes_fixed_by(a.interface, b.interface, *binding))
    data.dims.try_emplace(dim_key(fixed.input, fixed.axis), fixed.size);
  return data;
}

Result<CompareReport> make_report(Run& run, const CompareArguments& arguments) {
  const auto a = load_trained_model(arguments.check.models[0]);
  if (!a) return tl::unexpected(a.error());
  const auto b = load_trained_model(arguments.check.models[1]);
  if (!b) return tl::unexpected(b.error());
  const auto work = run.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  const auto options = with_data_beside(*a, {arguments.check.data, arguments.check.labels, *work});
  if (!options) return tl::unexpected(options.error());
  const auto data = open_described_data(*a, {for_both(*a, *b, options->data, arguments.map), options->labels, *work});
  if (!data) return tl::unexpected(data.error());
  auto report = compare_on(run, arguments, *a, *b, *data, *work);
  run.terminal.clear_progress();
  if (!report) return report;
  const std::string runtime = report->environment.onnxruntime;
  report->environment = report_of(run, {}).environment;
  if (!runtime.empty()) report->environment.onnxruntime = runtime;
  report->tool_version = tool_version();
  report->command = arguments.check.command;
  report->seconds = run.watch.seconds();
  report->peak_bytes = peak_resident_bytes();
  return report;
}

Result<int> compare(Run& run, const CompareArguments& arguments) {
  const auto report = make_report(run, arguments);
  if (!report) return tl::unexpected(report.error());
  const auto printed = finish_and_print(run, to_json(*report), to_console(*report, style_of(run), run.folder.path()));
  if (!printed) return tl::unexpected(printed.error());
  return exit_code_of(*report);
}

}  // namespace

int run_compare(const CompareArguments& arguments, Terminal& terminal) {
  const CheckArguments& check = arguments.check;
  prepare_process(check, terminal);
  const auto code = set_up(check, terminal).and_then([&](Run&& run) { return compare(run, arguments); });
  if (code) return *code;
  if (code.error().kind == ErrorKind::interrupted)
    terminal.complain("interrupted: the models were not compared to the end, so no report was written");
  else
    terminal.complain(code.error().text());
  return judging_exit_code_of(code.error().kind);
}

}  // namespace culprit
