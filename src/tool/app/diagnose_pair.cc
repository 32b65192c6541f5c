#include "app/diagnose_pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/check_models.h"
#include "app/decide_on_all.h"
#include "app/diagnose_chain.h"
#include "app/diagnosed_files.h"
#include "app/diagnosed_side.h"
#include "app/target_data.h"
#include "app/tool_version.h"
#include "app/trained_model.h"
#include "app/workshop.h"
#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "conversion/diagnose.h"
#include "data/data_beside.h"
#include "data/synthesize.h"
#include "evaluate/choose_evaluated_task.h"

namespace culprit {
namespace {

Diagnosis cannot_be_judged(const ModelReport& baseline) {
  Diagnosis diagnosis;
  diagnosis.message = "the source cannot be judged: " + baseline.baseline.message;
  return diagnosis;
}

DiagnoseOptions diagnose_options(const DiagnoseRequest& request, const CheckOptions& check) {
  DiagnoseOptions options;
  options.map = request.map;
  options.tolerance = check.tolerance;
  options.strict = check.strict;
  options.draws = std::min(options.draws, check.draws);
  return options;
}

/// The target as `diagnose` bound it, for runs on all of the data.
Result<RunnablePtr> bound_as(const Diagnosis& diagnosis, const Model& source, const Model& target) {
  const auto refused = [](const BoundOutput& value, const char* what) {
    return fail(ErrorKind::unsupported, fmt::format("{} '{}' lies otherwise in the target ({})", what,
                                                    printable(value.source, 60), value.order));
  };
  RunnableVariant made{target.path, Contract::interface, {{}, {}, false}, {}};
  for (const BoundOutput& input : diagnosis.inputs) {
    if (!input.order.empty() && input.axes.empty()) return refused(input, "the input");
    const auto declared = std::ranges::find(target.interface.inputs, input.target, &ValueInfo::name);
    const DType type = declared == target.interface.inputs.end() ? DType::undefined : declared->dtype;
    made.inputs.push_back({input.source, input.target, type, input.axes, input.shape});
  }
  for (const ValueInfo& output : source.interface.outputs) {
    const auto bound = std::ranges::find(diagnosis.outputs, output.name, &BoundOutput::source);
    if (bound == diagnosis.outputs.end())
      return fail(ErrorKind::unsupported,
                  fmt::format("the output '{}' stands for none of the target", printable(output.name, 60)));
    if (!bound->order.empty()) return refused(*bound, "the output");
    const auto place = std::ranges::find(target.interface.outputs, bound->target, &ValueInfo::name);
    made.binding.outputs.push_back(static_cast<std::size_t>(place - target.interface.outputs.begin()));
  }
  made.binding.inputs = made.inputs;
  return std::make_shared<const RunnableVariant>(std::move(made));
}

void take_decisions(const DecidedOnAll& decided, Diagnosis& diagnosis) {
  diagnosis.decisions = decided.decisions;
  diagnosis.warnings.insert(diagnosis.warnings.end(), decided.warnings.begin(), decided.warnings.end());
  if (decided.apart.empty()) return;
  diagnosis.status = DiagnosisStatus::faulty;
  diagnosis.message = decided.apart + "; these samples are others than those that were diagnosed";
}

/// Each file behind the source against those before it, where there are some between source and target.
Result<Diagnosis> diagnose_files(const std::vector<DiagnosedSide>& files, const CompareSamples& samples,
                                 const DiagnoseOptions& options, const CompareTools& tools) {
  if (files.size() == 2) return diagnose(*files[0].side, *files[1].side, samples, options, tools);
  auto pairs = DiagnosedFiles::open(files, samples, options, tools);
  if (!pairs) return tl::unexpected(pairs.error());
  auto diagnosis = diagnose_chain(pairs->names(), [&](std::size_t before, std::size_t file, DiagnosisDepth depth) {
    return pairs->diagnose(before, file, depth);
  });
  if (!diagnosis) return diagnosis;
  for (std::size_t i = 0; i < diagnosis->stages.size(); ++i) diagnosis->stages[i].file = files[i + 1].facts;
  return diagnosis;
}

Result<std::vector<DiagnosedSide>> open_sides(const std::vector<Model>& models, const fs::path& work,
                                              const SideOptions& options) {
  std::vector<DiagnosedSide> files;
  for (const Model& model : models) {
    const std::string name = files.empty()                       ? "source"
                             : files.size() + 1 == models.size() ? "target"
                                                                 : fmt::format("stage-{}", files.size());
    const SideRole role = files.empty() ? SideRole::source : SideRole::target;
    auto file = open_diagnosed_side(model, role, work / name, options);
    if (!file) return tl::unexpected(file.error());
    files.push_back(std::move(*file));
  }
  return files;
}

/// Runs on all of the data feed both models the same: none where the target has data of its own.
Result<std::optional<DecisionData>> data_of_decisions(const DiagnoseRequest& request, const Model& source,
                                                      const CheckData& data, Diagnosis& diagnosis) {
  if (request.target_data.empty()) return whole_data_of(data, source, request.data.task, request.running.jobs);
  diagnosis.warnings.push_back({"no_decisions", "predictions are not compared: the target has data of its own"});
  return std::nullopt;
}

/// `models`: the source first, the target last.
Result<Diagnosis> diagnose_on(Workshop& workshop, const DiagnoseRequest& request, const std::vector<Model>& models,
                              const CheckData& data, const fs::path& work) {
  const Progress progress = workshop.progress();
  const CheckOptions check = options_in(workshop, request.running, request.judging);
  Dispatcher dispatcher(*workshop.executor);
  ModelReport baseline;
  const Model &source = models.front(), &target = models.back();
  const auto reference = establish_baseline(data.proposals, dispatcher, source, check, work, baseline, progress);
  if (!reference) return tl::unexpected(reference.error());
  const BaselineStatus status = baseline.baseline.status;
  const auto files = open_sides(models, work, {reference->session, workshop.limits});
  if (!files) return tl::unexpected(files.error());
  auto diagnosis = Result<Diagnosis>(cannot_be_judged(baseline));
  if (status == BaselineStatus::ok || status == BaselineStatus::weak_data) {
    CompareSamples samples{reference->samples, reference->outputs, {}};
    if (status == BaselineStatus::weak_data) samples.weak = baseline.baseline.message;
    DiagnoseOptions options = diagnose_options(request, check);
    auto fed = write_target_data(
        {target, request.target_data, data, request.data.samples, reference->samples.size(), work / "target-data"});
    if (!fed) return tl::unexpected(fed.error());
    options.target_samples = std::move(*fed);
    diagnosis = diagnose_files(*files, samples, options, {*workshop.executor, work, progress});
  }
  if (!diagnosis) return diagnosis;
  const auto whole = data_of_decisions(request, source, data, *diagnosis);
  if (!whole) return tl::unexpected(whole.error());
  if (*whole && !diagnosis->outputs.empty()) {
    // What few bits cost is no fault, and they change decisions.
    const bool is_judged = diagnosis->status == DiagnosisStatus::same && !diagnosis->is_in_few_bits;
    const auto decided = decide_on_all({dispatcher, *reference, bound_as(*diagnosis, source, target), "the source",
                                        "the target", **whole, workshop.deploy_level, is_judged, work, progress});
    if (!decided) return tl::unexpected(decided.error());
    take_decisions(*decided, *diagnosis);
  }
  diagnosis->source = files->front().facts;
  diagnosis->target = files->back().facts;
  diagnosis->data = baseline.data;
  diagnosis->warnings.insert(diagnosis->warnings.begin(), baseline.warnings.begin(), baseline.warnings.end());
  return diagnosis;
}

/// A model may take a batch of one size only: samples that are made up for a source with an open one have it then.
DataOptions with_batch_of(const Model& target, const Model& source, DataOptions data) {
  if (!data.data.empty() && data.inputs.empty()) return data;  // the data have their sizes
  auto only = only_batch_of(source);
  if (!only) only = only_batch_of(target);
  const auto& theirs = target.interface.inputs;
  for (std::size_t i = 0; i < source.interface.inputs.size(); ++i) {
    const ValueInfo& input = source.interface.inputs[i];
    if (only && !input.dims.empty() && !input.dims[0].value) data.dims.try_emplace(dim_key(input, 0), *only);
    auto other = std::ranges::find(theirs, input.name, &ValueInfo::name);
    if (other == theirs.end() && i < theirs.size()) other = theirs.begin() + static_cast<std::ptrdiff_t>(i);
    if (other == theirs.end() || other->dims.size() != input.dims.size() || input.dims.empty()) continue;
    if (!input.dims[0].value && other->dims[0].value) data.dims.try_emplace(dim_key(input, 0), *other->dims[0].value);
  }
  return data;
}

/// In a form whose inside can be seen.
Result<Model> open_model(const Workshop& workshop, const std::filesystem::path& path, const fs::path& work) {
  return load_trained_model(path).and_then(
      [&](Model&& model) { return as_one_graph(std::move(model), freeze_options_in(workshop, work)); });
}

Result<Diagnosis> make_diagnosis(Workshop& workshop, const DiagnoseRequest& request) {
  const auto work = workshop.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  std::vector<fs::path> paths = request.intermediates;
  paths.insert(paths.begin(), request.a);
  paths.push_back(request.b);
  std::vector<Model> models;
  DataOptions samples = request.data.samples;
  for (const fs::path& path : paths) {
    auto model = open_model(workshop, path, *work);
    if (!model) return tl::unexpected(model.error());
    if (!models.empty()) samples = with_batch_of(*model, models.front(), std::move(samples));
    models.push_back(std::move(*model));
  }
  const Model& source = models.front();
  const auto options = with_data_beside(source, {samples, request.data.labels, *work});
  if (!options) return tl::unexpected(options.error());
  const auto data = open_described_data(source, {options->data, options->labels, *work});
  if (!data) return tl::unexpected(data.error());
  auto diagnosis = diagnose_on(workshop, request, models, *data, *work);
  workshop.caller.listener.progress_ends();
  if (!diagnosis) return diagnosis;
  diagnosis->environment = environment_of(workshop);
  diagnosis->tool_version = tool_version();
  diagnosis->command = request.quoted.command;
  diagnosis->seconds = workshop.caller.watch.seconds();
  diagnosis->peak_bytes = peak_resident_bytes();
  return diagnosis;
}

}  // namespace

Result<DiagnoseAnswer> diagnose_pair(const DiagnoseRequest& request, const Caller& caller) {
  auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  auto diagnosis = make_diagnosis(*workshop, request);
  if (!diagnosis) return tl::unexpected(diagnosis.error());
  return DiagnoseAnswer{std::move(*diagnosis), std::move(workshop->folder)};
}

}  // namespace culprit
