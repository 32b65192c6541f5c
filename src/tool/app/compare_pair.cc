#include "app/compare_pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/check_models.h"
#include "app/decide_on_all.h"
#include "app/parted_steps.h"
#include "app/tool_version.h"
#include "app/trained_model.h"
#include "app/variant_repros.h"
#include "app/workshop.h"
#include "app/written_texts.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "check/decisions/added_samples.h"
#include "check/decisions/decision_scan.h"
#include "compare/compare_models.h"
#include "data/sets/told_states.h"
#include "data/synthesize.h"
#include "evaluate/choose_evaluated_task.h"
#include "executor/feed_as_bound.h"
#include "model/bind_models.h"

namespace culprit {
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
  if (decided.apart.empty() || !not_yet_apart(report)) return;
  report.status = CompareStatus::part;
  report.verdict = Verdict::diverged;
  report.message = decided.apart;
}

tl::unexpected<Error> lone_cache(const StatePair& cache, const char* here, const char* there) {
  return fail(ErrorKind::unsupported,
              fmt::format("--generate: '{}' of {} is a cache that {} has not, so no step feeds both alike",
                          printable(cache.input, 100), here, there),
              "give two models with a cache or two without; culprit eval compares the texts that both write");
}

/// Where only one model has a cache, the two are fed with other numbers of tokens at each step.
Result<void> expect_same_caches(const Model& a, const Model& b, const std::vector<std::string>& map) {
  const auto of_a = states_of(a), of_b = states_of(b);
  if (!of_a || !of_b) return tl::unexpected(of_a ? of_b.error() : of_a.error());
  const auto binding = bind_models(a.interface, b.interface, map);
  if (!binding && of_a->empty() && !of_b->empty()) return lone_cache(of_b->front(), "B", "A");
  for (const StatePair& cache : *of_a)
    if (binding && std::ranges::find(binding->inputs, cache.input, &BoundInput::original) == binding->inputs.end())
      return lone_cache(cache, "A", "B");
  return {};
}

/// Texts that both write are compared at single steps, at which everything inside has a value.
Result<std::optional<Warning>> compare_at_steps(Dispatcher& dispatcher, const CompareRequest& request, const Model& a,
                                                const Model& b, const Reference& reference, const CheckData& data,
                                                const fs::path& work, CompareSamples& samples) {
  if (!do_write(samples.samples)) return std::nullopt;
  const auto binding = bind_models(a.interface, b.interface, request.map);
  if (!binding) return tl::unexpected(binding.error());
  BothWrite both{{}, {}, samples.samples, samples.reference, nullptr, work / "texts"};
  if (const auto text = data.whole == nullptr ? std::nullopt : data.whole->text(0)) both.decoder = text->decoder;
  both.all = data.whole.get();
  both.numbers = data.numbers;
  both.first.model = a.path;
  both.second.model = b.path;
  feed_as_bound(both.second, *binding);
  for (RunJob* job : {&both.first, &both.second}) {
    job->session = reference.session;
    job->limits = reference.options.limits;
  }
  if (auto ok = make_folder(both.folder); !ok) return tl::unexpected(ok.error());
  auto steps = steps_to_compare(dispatcher, both);
  if (!steps) return tl::unexpected(steps.error());
  samples.samples = std::move(steps->samples);
  samples.reference.clear();
  return std::move(steps->told);
}

/// Models with a state are compared at single steps: over all of them one wrong value makes every later one wrong.
/// Nothing where the samples do not run in steps, or where B does not run on them.
Result<std::optional<PartedSteps>> parted_steps(Dispatcher& dispatcher, const CompareRequest& request, const Model& a,
                                                const Model& b, const Reference& reference, const fs::path& work) {
  if (!run_in_steps(reference.samples)) return std::nullopt;
  auto binding = bind_models(a.interface, b.interface, request.map);
  if (!binding || binding->outputs.size() < a.interface.outputs.size()) return std::nullopt;  // compare_models says why
  const auto places = places_of_outputs(*binding, b.interface);
  BothStep both{{}, {}, reference.samples, reference.outputs, places, reference.options.tolerance, work / "steps"};
  both.first.model = a.path;
  both.second.model = b.path;
  feed_as_bound(both.second, *binding);
  for (RunJob* job : {&both.first, &both.second}) {
    job->session = reference.session;
    job->limits = reference.options.limits;
  }
  if (auto ok = make_folder(both.folder); !ok) return tl::unexpected(ok.error());
  return steps_that_part(dispatcher, both);
}

/// Where steps part and no step shows it alone, the last word is that of all steps, one after the other. Of texts that
/// are all alike the samples are the steps to look at already.
Result<CompareReport> compare_all_or_steps(const Model& a, const Model& b, const CompareSamples& samples,
                                           std::optional<PartedSteps> steps, bool write, const CompareOptions& options,
                                           const CompareTools& tools) {
  if (!steps || (write && !steps->do_part)) return compare_models(a, b, samples, options, tools);
  auto report = compare_models(a, b, {std::move(steps->samples), {}, samples.weak}, options, tools);
  if (report && steps->do_part && not_yet_apart(*report)) report = compare_models(a, b, samples, options, tools);
  if (report) report->warnings.push_back(std::move(steps->told));
  return report;
}

/// What is compared, and with what.
struct PairToCompare {
  Workshop& workshop;
  const CompareRequest& request;
  const Model &a, &b;
  const CheckData& data;
  const fs::path& work;
  CheckOptions check;
  std::string weak = {};  ///< as of CompareSamples
};

/// The samples of the reference, or steps of them.
Result<CompareReport> compare_on_samples(Dispatcher& dispatcher, const PairToCompare& pair,
                                         const Reference& reference) {
  CompareOptions options = compare_options(pair.check, reference.session);
  options.map = pair.request.map;
  CompareSamples samples{reference.samples, reference.outputs, pair.weak};
  auto told = compare_at_steps(dispatcher, pair.request, pair.a, pair.b, reference, pair.data, pair.work, samples);
  if (!told) return tl::unexpected(told.error());
  auto steps = parted_steps(dispatcher, pair.request, pair.a, pair.b, reference, pair.work);
  if (!steps) return tl::unexpected(steps.error());
  auto report = compare_all_or_steps(pair.a, pair.b, samples, std::move(*steps), do_write(reference.samples), options,
                                     {*pair.workshop.executor, pair.work, pair.workshop.progress()});
  if (!report) return tl::unexpected(report.error());
  if (*told) report->warnings.insert(report->warnings.begin(), std::move(**told));
  return report;
}

/// Where the samples do not tell them apart, those do that show another decision, so these are looked into as well.
Result<void> look_into_telling(Dispatcher& dispatcher, const PairToCompare& pair, const Reference& reference,
                               const std::vector<std::int64_t>& telling, DataFacts& facts, CompareReport& report) {
  if (telling.empty() || !not_yet_apart(report)) return {};
  const auto placed = with_samples(dispatcher, reference, *pair.data.whole, telling, "telling");
  if (!placed) return tl::unexpected(placed.error());
  if (placed->reference.samples.size() == placed->before) return {};
  tell_added(*placed, facts);
  auto again = compare_on_samples(dispatcher, pair, placed->reference);
  if (!again) return tl::unexpected(again.error());
  report = std::move(*again);
  return {};
}

/// By all of the data, where there are some.
Result<void> decide(Dispatcher& dispatcher, const PairToCompare& pair, const Reference& reference, DataFacts& facts,
                    CompareReport& report) {
  const auto whole = whole_data_of(pair.data, pair.a, pair.request.data.task, pair.request.running.jobs);
  if (!whole) return tl::unexpected(whole.error());
  if (!*whole) return {};
  const Progress progress = pair.workshop.progress();
  const auto decided = decide_on_all({dispatcher, reference, bound_to(pair.a, pair.b, pair.request.map), "A", "B",
                                      **whole, pair.check.deploy_level, not_yet_apart(report), pair.work, progress});
  if (!decided) return tl::unexpected(decided.error());
  if (auto ok = look_into_telling(dispatcher, pair, reference, decided->telling, facts, report); !ok) return ok;
  take_decisions(*decided, report);
  return {};
}

/// What A is fed and makes of it, found as `check` finds it.
Result<CompareReport> compare_on(Workshop& workshop, const CompareRequest& request, const Model& a, const Model& b,
                                 const CheckData& data, const fs::path& work) {
  PairToCompare pair{workshop, request, a, b, data, work, options_in(workshop, request.running, request.judging)};
  Dispatcher dispatcher(*workshop.executor);
  ModelReport baseline;
  const auto reference =
      establish_baseline(data.proposals, dispatcher, a, pair.check, work, baseline, workshop.progress());
  if (!reference) return tl::unexpected(reference.error());
  const BaselineStatus status = baseline.baseline.status;
  auto report = Result<CompareReport>(cannot_judge(a, b, baseline));
  if (status == BaselineStatus::weak_data) pair.weak = baseline.baseline.message;
  if (status == BaselineStatus::ok || status == BaselineStatus::weak_data) {
    report = compare_on_samples(dispatcher, pair, *reference);
    if (!report) return report;
    if (auto ok = decide(dispatcher, pair, *reference, baseline.data, *report); !ok) return tl::unexpected(ok.error());
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

/// Keeps what shows a mismatch by itself, and names it in the report.
Result<CompareReport> with_repros(Workshop& workshop, const DiagnoseRequest& request, const fs::path& work,
                                  CompareReport report) {
  const bool is_one_run = request.data.samples.generate == 0;  // a repro runs its models once
  if (report.status != CompareStatus::part || !request.folder.keep_repros || !is_one_run) return report;
  auto repros = keep_variant_repros(workshop, request, work);
  if (!repros) return tl::unexpected(repros.error());
  report.repros = std::move(*repros);
  return report;
}

Result<CompareReport> make_report(Workshop& workshop, const CompareRequest& request) {
  const auto work = workshop.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  const auto a = load_runnable_model(request.a, freeze_options_in(workshop, *work));
  if (!a) return tl::unexpected(a.error());
  const auto b = load_runnable_model(request.b, freeze_options_in(workshop, *work));
  if (!b) return tl::unexpected(b.error());
  if (request.data.samples.generate > 0)
    if (auto ok = expect_same_caches(*a, *b, request.map); !ok) return tl::unexpected(ok.error());
  const auto options = with_data_beside(*a, {request.data.samples, request.data.labels, *work});
  if (!options) return tl::unexpected(options.error());
  const DataOptions samples = for_both(*a, *b, options->data, request.map);
  const auto data = open_described_data(*a, {samples, options->labels, *work});
  if (!data) return tl::unexpected(data.error());
  auto report = compare_on(workshop, request, *a, *b, *data, *work).and_then([&](CompareReport&& made) {
    return with_repros(workshop, as_diagnose_request(request, samples), *work, std::move(made));
  });
  workshop.caller.listener.progress_ends();
  if (!report) return report;
  report->environment = environment_of(workshop, report->environment.onnxruntime);
  report->tool_version = tool_version();
  report->command = request.quoted.command;
  report->seconds = workshop.caller.watch.seconds();
  report->peak_bytes = peak_resident_bytes();
  return report;
}

}  // namespace

Result<CompareAnswer> compare_pair(const CompareRequest& request, const Caller& caller) {
  auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  auto report = make_report(*workshop, request);
  if (!report) return tl::unexpected(report.error());
  return CompareAnswer{std::move(*report), std::move(workshop->folder)};
}

}  // namespace culprit
