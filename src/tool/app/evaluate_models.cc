#include "app/evaluate_models.h"

#include "app/machine_facts.h"
#include "app/tool_version.h"
#include "app/trained_model.h"
#include "app/workshop.h"
#include "base/memory.h"
#include "data/data_beside.h"
#include "evaluate/evaluate.h"

namespace culprit {
namespace {

EvaluateOptions options_of(const EvaluateRequest& request, const Workshop& workshop) {
  EvaluateOptions options;
  options.data = {request.data.samples, request.data.labels, {}};
  options.task = request.data.task;
  options.settings = request.settings;
  options.comparator = request.comparator;
  options.samples = request.samples;
  options.shuffle = request.shuffle;
  options.draw = request.draw;
  options.pairs = request.pairs;
  options.sure_of = request.sure_of;
  options.with_scores = true;
  options.session = workshop.session;
  options.session.level = workshop.deploy_level;
  options.limits = workshop.limits;
  options.places = jobs_at_once(workshop.jobs);
  return options;
}

Result<std::vector<Model>> load_all(const std::vector<fs::path>& files, const FreezeOptions& options) {
  std::vector<Model> models;
  for (const fs::path& file : files) {
    auto model = load_runnable_model(file, options);
    if (!model) return tl::unexpected(model.error());
    models.push_back(std::move(*model));
  }
  return models;
}

Result<EvaluationReport> evaluate_told(const std::vector<Model>& models, const EvaluateOptions& options,
                                       EvaluateTools tools, const DecisionListener& decisions) {
  if (decisions.begin)
    if (auto ok = decisions.begin(); !ok) return tl::unexpected(ok.error());
  tools.told = decisions.told;
  auto report = evaluate(models, options, tools);
  if (!decisions.end) return report;
  if (auto ok = decisions.end(); !ok && report) return tl::unexpected(ok.error());
  return report;
}

Result<EvaluationReport> make_report(Workshop& workshop, const EvaluateRequest& request,
                                     const DecisionListener& decisions) {
  const auto work = workshop.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  const auto models = load_all(request.models, freeze_options_in(workshop, *work));
  if (!models) return tl::unexpected(models.error());
  Dispatcher dispatcher(*workshop.executor);
  dispatcher.limit({}, workshop.caller.is_interrupted);
  const auto progress = [&](std::int64_t done, std::int64_t total) {
    workshop.caller.listener.progress(static_cast<std::size_t>(done), static_cast<std::size_t>(total), "samples");
  };
  EvaluateOptions options = options_of(request, workshop);
  auto described = with_data_beside(models->front(), std::move(options.data));
  if (!described) return tl::unexpected(described.error());
  options.data = std::move(*described);
  auto report = evaluate_told(*models, options, {dispatcher, *work, progress}, decisions);
  workshop.caller.listener.progress_ends();
  if (!report) return report;
  report->tool_version = tool_version();
  report->command = request.quoted.command;
  report->seconds = workshop.caller.watch.seconds();
  report->peak_bytes = peak_resident_bytes();
  return report;
}

}  // namespace

Result<EvaluateAnswer> evaluate_models(const EvaluateRequest& request, const Caller& caller,
                                       const DecisionListener& decisions) {
  auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  auto report = make_report(*workshop, request, decisions);
  if (!report) return tl::unexpected(report.error());
  return EvaluateAnswer{std::move(*report), std::move(workshop->folder)};
}

}  // namespace culprit
