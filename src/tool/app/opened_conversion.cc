#include "app/opened_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/check_models.h"
#include "app/decide_on_all.h"
#include "app/parted_steps.h"
#include "app/target_data.h"
#include "app/tool_version.h"
#include "app/trained_model.h"
#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "data/data_beside.h"
#include "data/synthesize.h"
#include "evaluate/choose_evaluated_task.h"

namespace culprit {
namespace {

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

/// Reads the models, and the data that fit them.
Result<void> read_files(Workshop& workshop, const DiagnoseRequest& request, const fs::path& work,
                        OpenedConversion& made) {
  std::vector<fs::path> paths = request.intermediates;
  paths.insert(paths.begin(), request.a);
  paths.push_back(request.b);
  DataOptions samples = request.data.samples;
  for (const fs::path& path : paths) {
    auto model = open_model(workshop, path, work);
    if (!model) return tl::unexpected(model.error());
    if (!made.models.empty()) samples = with_batch_of(*model, made.models.front(), std::move(samples));
    made.models.push_back(std::move(*model));
  }
  const auto options = with_data_beside(made.source(), {samples, request.data.labels, work});
  if (!options) return tl::unexpected(options.error());
  auto data = open_described_data(made.source(), {options->data, options->labels, work});
  if (!data) return tl::unexpected(data.error());
  made.data = std::move(*data);
  return {};
}

}  // namespace

bool OpenedConversion::can_be_judged() const {
  const BaselineStatus status = baseline.baseline.status;
  return status == BaselineStatus::ok || status == BaselineStatus::weak_data;
}

std::string OpenedConversion::why_not_judged() const {
  return "the source cannot be judged: " + baseline.baseline.message;
}

Result<std::unique_ptr<OpenedConversion>> open_conversion(Workshop& workshop, const DiagnoseRequest& request,
                                                          const fs::path& work) {
  auto made = std::make_unique<OpenedConversion>();
  if (auto ok = read_files(workshop, request, work, *made); !ok) return tl::unexpected(ok.error());
  made->check = options_in(workshop, request.running, request.judging);
  Dispatcher dispatcher(*workshop.executor);
  auto reference = establish_baseline(made->data.proposals, dispatcher, made->source(), made->check, work,
                                      made->baseline, workshop.progress());
  if (!reference) return tl::unexpected(reference.error());
  made->reference.emplace(std::move(*reference));
  auto files = open_sides(made->models, work, {made->reference->session, workshop.limits});
  if (!files) return tl::unexpected(files.error());
  made->files = std::move(*files);
  if (!made->can_be_judged()) return made;
  if (run_in_steps(made->reference->samples))
    return fail(ErrorKind::unsupported, "the samples run in steps, with a state, and a conversion is not diagnosed so",
                "culprit compare looks inside of two ONNX models at single steps");
  made->samples = {made->reference->samples, made->reference->outputs, {}};
  if (made->baseline.baseline.status == BaselineStatus::weak_data) made->samples.weak = made->baseline.baseline.message;
  made->options = diagnose_options(request, made->check);
  auto fed = write_target_data({made->target(), request.target_data, made->data, request.data.samples,
                                made->reference->samples.size(), work / "target-data"});
  if (!fed) return tl::unexpected(fed.error());
  made->options.target_samples = std::move(*fed);
  return made;
}

Result<void> decide_on_target(Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                              const Model& target, const fs::path& work, Diagnosis& diagnosis) {
  const auto whole = data_of_decisions(request, conversion.source(), conversion.data, diagnosis);
  if (!whole) return tl::unexpected(whole.error());
  if (!*whole || diagnosis.outputs.empty()) return {};
  Dispatcher dispatcher(*workshop.executor);
  const Progress progress = workshop.progress();
  // What few bits cost is no fault, and they change decisions.
  const bool is_judged = diagnosis.status == DiagnosisStatus::same && !diagnosis.is_in_few_bits;
  const auto decided =
      decide_on_all({dispatcher, *conversion.reference, bound_as(diagnosis, conversion.source(), target), "the source",
                     "the target", **whole, workshop.deploy_level, is_judged, work, progress});
  if (!decided) return tl::unexpected(decided.error());
  take_decisions(*decided, diagnosis);
  return {};
}

void tell_facts(const Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                const NetworkFacts& target, Diagnosis& diagnosis) {
  const ModelReport& baseline = conversion.baseline;
  diagnosis.source = conversion.files.front().facts;
  diagnosis.target = target;
  diagnosis.data = baseline.data;
  diagnosis.warnings.insert(diagnosis.warnings.begin(), baseline.warnings.begin(), baseline.warnings.end());
  diagnosis.environment = environment_of(workshop);
  diagnosis.tool_version = tool_version();
  diagnosis.command = request.quoted.command;
  diagnosis.seconds = workshop.caller.watch.seconds();
  diagnosis.peak_bytes = peak_resident_bytes();
}

}  // namespace culprit
