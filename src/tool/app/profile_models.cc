#include "app/profile_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "app/chosen_optimizer.h"
#include "app/machine_facts.h"
#include "app/profile_plan.h"
#include "app/profile_rows.h"
#include "app/tool_version.h"
#include "app/trained_model.h"
#include "app/workshop.h"
#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "data/batch_size.h"
#include "evaluate/choose_evaluated_task.h"
#include "model/model_format.h"
#include "profile/sweep/stack_packs.h"

namespace culprit {
namespace {

/// Models with samples that they run on, kept as long as they are measured.
struct FedModels {
  std::deque<Model> models;
  std::vector<GivenModel> given;
  DataSetOptions described;  ///< what the flags say of data, or else culprit.yaml beside the first model
  std::string data;          ///< of the first, in one line
  std::vector<Warning> warnings;
};

std::string in_words(const DataFacts& facts) {
  std::string text = counted(facts.samples, "sample");
  text += facts.source == DataSource::synthesized ? fmt::format(", random inputs (seed {})", facts.seed)
                                                  : fmt::format(", {}", reader_word(facts.source));
  for (const auto& [name, size] : facts.dims) text += fmt::format(", {}={}", printable(name, 60), size);
  return text;
}

Result<void> feed(Workshop& workshop, const ProfileRequest& request, std::size_t index, FedModels& fed) {
  const fs::path& path = request.models[index];
  const auto work = workshop.folder.work_folder(index);
  if (!work) return tl::unexpected(work.error());
  auto model = load_runnable_model(path, freeze_options_in(workshop, *work));
  if (!model) return tl::unexpected(model.error());
  fed.models.push_back(std::move(*model));
  const Model& kept = fed.models.back();
  if (index == 0) {
    auto described = with_data_beside(kept, {request.data.samples, request.data.labels, {}});
    if (!described) return tl::unexpected(described.error());
    fed.described = std::move(*described);
  }
  DataSetOptions options = fed.described;
  options.work = *work;
  const auto data = open_described_data(kept, options);
  if (!data) return tl::unexpected(data.error());
  Dispatcher dispatcher(*workshop.executor);
  dispatcher.limit({}, workshop.caller.is_interrupted);
  ModelReport found;
  const auto reference = establish_baseline(data->proposals, dispatcher, kept,
                                            options_in(workshop, request.running, request.judging), *work, found);
  if (!reference) return tl::unexpected(reference.error());
  fed.given.push_back({kept, reference->samples, found.baseline.message});
  if (!reference->samples.empty())
    fed.given.back().batch = batch_size_in(kept.interface.inputs, reference->samples.front());
  if (index == 0) fed.data = in_words(found.data);
  fed.warnings.insert(fed.warnings.end(), found.warnings.begin(), found.warnings.end());
  return {};
}

Result<FedModels> feed_all(Workshop& workshop, const ProfileRequest& request) {
  FedModels fed;
  for (std::size_t i = 0; i < request.models.size(); ++i) {
    workshop.caller.listener.progress(i, request.models.size(), "samples that the models run on");
    if (auto ok = feed(workshop, request, i, fed); !ok) return tl::unexpected(ok.error());
  }
  return fed;
}

/// Nothing where nobody named data or a task: on made-up samples numbers may agree, and what that says of decisions,
/// nobody knows.
std::optional<EvaluateOptions> quality_asked(const Workshop& workshop, const ProfileRequest& request,
                                             const DataSetOptions& data) {
  if (data.data.data.empty() && data.labels.empty() && request.data.task.empty()) return std::nullopt;
  EvaluateOptions options;
  options.data = data;
  options.task = request.data.task;
  options.settings = request.settings;
  options.samples = request.data.samples.samples;
  options.spread = true;
  options.limits = workshop.limits;
  options.places = jobs_at_once(workshop.jobs);
  return options;
}

/// Workers for each library that is asked for, made when they are.
class Executors {
 public:
  explicit Executors(Workshop& workshop) : workshop_(workshop) {}
  Result<Executor*> of(const fs::path& library) {
    if (library.empty() || library == workshop_.runtime_library) return workshop_.executor.get();
    if (const auto found = made_.find(library); found != made_.end()) return found->second.get();
    auto made = fresh(library);
    if (!made) return tl::unexpected(made.error());
    return made_.emplace(library, std::move(*made)).first->second.get();
  }
  /// One that nobody else has; "": with the default library.
  Result<std::unique_ptr<Executor>> fresh(const fs::path& library) {
    return workshop_.caller.workers.make_executor(library.empty() ? workshop_.runtime_library : library, workshop_.jobs,
                                                  workshop_.folder.logs(), /*others=*/true);
  }

 private:
  Workshop& workshop_;
  std::map<fs::path, std::unique_ptr<Executor>> made_;
};

ProfileOptions options_of(const Workshop& workshop, const ProfileRequest& request) {
  ProfileOptions options;
  options.protocol = request.protocol;
  options.limits = workshop.limits;
  options.speed.blocks = request.blocks;
  options.speed.until_sure = request.until_sure;
  options.speed.seed = request.data.samples.seed;
  options.kernels = request.kernels;
  options.blame = request.blame;
  if (request.has_budget) options.blame_seconds = 0;
  options.budget = request.running.budget;
  return options;
}

/// All that is found out before anything is measured.
Result<ProfileOptions> prepare(Workshop& workshop, const ProfileRequest& request, const std::vector<ProfiledRow>& rows,
                               FedModels& fed) {
  ProfileOptions options = options_of(workshop, request);
  if (!request.against.empty()) {
    const auto baseline = row_named(rows, request.against);
    if (!baseline) return tl::unexpected(baseline.error());
    options.baseline = *baseline;
  }
  auto all = feed_all(workshop, request);
  if (!all) return tl::unexpected(all.error());
  fed = std::move(*all);
  options.quality = quality_asked(workshop, request, fed.described);
  const auto stacks = workshop.folder.work_folder(request.models.size() + 1);
  if (!stacks) return tl::unexpected(stacks.error());
  auto packs = stack_packs(fed.given, request.sweep.batches, *stacks);
  if (!packs) return tl::unexpected(packs.error());
  options.sweep = {request.sweep, std::move(*packs)};
  options.spent = workshop.caller.watch.seconds();
  return options;
}

Result<ProfileReport> measure(Workshop& workshop, const std::vector<ProfiledRow>& rows, const ProfileOptions& options,
                              const FedModels& fed, const fs::path& work) {
  Workers& workers = workshop.caller.workers;
  const auto blocks = workers.make_blocks(workshop.runtime_library, workshop.folder.logs());
  Executors executors(workshop);
  ProfileTools tools{[&](const fs::path& library) { return executors.of(library); }, *blocks, work};
  tools.say = [&](const std::string& what) { workshop.caller.listener.progress(0, 0, what); };
  tools.is_interrupted = workshop.caller.is_interrupted;
  tools.trace = work / "trace.json";
  tools.optimizer = [&](const ProfiledRow& row) -> Result<OptimizerTraits> {
    if (row.recipe) return workshop.optimizer;
    const auto hosts = workshop.folder.hosts();
    if (!hosts) return tl::unexpected(hosts.error());
    return chosen_optimizer(onnxruntime_name, {workers, row.library, row.session.level}, *hosts);
  };
  tools.deciding = [&](const fs::path& library) { return executors.fresh(library); };
  tools.command_of_run = [&](const MeasuredModel& model, const fs::path& file) {
    return workers.command_of_run(model, file);
  };
  tools.limits = [&](std::int64_t threads) { return workers.limits(threads); };
  return profile(fed.given, rows, options, tools);
}

Result<ProfileReport> measure_rows(Workshop& workshop, const ProfileRequest& request, const fs::path& work) {
  const auto rows = plan_rows(workshop, request);
  if (!rows) return tl::unexpected(rows.error());
  FedModels fed;
  const auto options = prepare(workshop, request, *rows, fed);
  if (!options) return tl::unexpected(options.error());
  auto report = measure(workshop, *rows, *options, fed, work);
  if (!report) return report;
  report->data = fed.data;
  report->warnings.insert(report->warnings.begin(), fed.warnings.begin(), fed.warnings.end());
  return report;
}

/// "CPU, CUDA"
std::string providers_of(const ProfileReport& report) {
  std::vector<std::string> providers;
  for (const ProfileEntry& entry : report.entries)
    if (std::ranges::find(providers, entry.provider) == providers.end()) providers.push_back(entry.provider);
  return join(providers, ", ");
}

std::string runtime_that_ran(const ProfileReport& report) {
  const auto is_of_onnxruntime = [](const ProfileEntry& entry) {
    return !entry.runtime.empty() && format_of(entry.model) == ModelFormat::onnx;
  };
  const auto first = std::ranges::find_if(report.entries, is_of_onnxruntime);
  return first == report.entries.end() ? "" : first->runtime;
}

}  // namespace

Result<ProfileAnswer> profile_models(const ProfileRequest& request, const Caller& caller) {
  auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  const auto work = workshop->folder.work_folder(request.models.size());
  if (!work) return tl::unexpected(work.error());
  auto report = measure_rows(*workshop, request, *work);
  caller.listener.progress_ends();
  if (!report) return tl::unexpected(report.error());
  report->environment = environment_of(*workshop, runtime_that_ran(*report));
  report->environment.provider = providers_of(*report);
  report->tool_version = tool_version();
  report->command = request.quoted.command;
  report->seconds = caller.watch.seconds();
  report->peak_bytes = peak_resident_bytes();
  return ProfileAnswer{std::move(*report), std::move(workshop->folder), *work / "trace.json"};
}

}  // namespace culprit
