#include "cli/profile_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "base/lower_case.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "cli/chosen_optimizer.h"
#include "cli/limits_probe.h"
#include "cli/machine_facts.h"
#include "cli/profile_providers.h"
#include "cli/profile_rows.h"
#include "cli/runtime_probe.h"
#include "cli/trained_model.h"
#include "data/batch_size.h"
#include "evaluate/choose_evaluated_task.h"
#include "model/model_format.h"
#include "process/interrupt.h"
#include "process/run_program.h"
#include "profile/sweep/stack_packs.h"
#include "report/console_parts.h"
#include "runtime/find_library.h"
#include "trial/plan.h"
#include "worker/lone_run.h"
#include "worker/measuring_blocks.h"
#include "worker/pool.h"

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
  text += facts.source == DataSource::synthesized ? fmt::format(", made up (seed {})", facts.seed)
                                                  : fmt::format(", {}", name_of(facts.source));
  for (const auto& [name, size] : facts.dims) text += fmt::format(", {}={}", printable(name, 60), size);
  return text;
}

Result<void> feed(Run& run, const ProfileArguments& arguments, std::size_t index, FedModels& fed) {
  const fs::path& path = arguments.check.models[index];
  auto model = load_trained_model(path);
  if (!model) return tl::unexpected(model.error());
  fed.models.push_back(std::move(*model));
  const Model& kept = fed.models.back();
  const auto work = run.folder.work_folder(index);
  if (!work) return tl::unexpected(work.error());
  if (index == 0) {
    auto described = with_data_beside(kept, {arguments.check.data, arguments.check.labels, {}});
    if (!described) return tl::unexpected(described.error());
    fed.described = std::move(*described);
  }
  DataSetOptions options = fed.described;
  options.work = *work;
  const auto data = open_described_data(kept, options);
  if (!data) return tl::unexpected(data.error());
  Dispatcher dispatcher(*run.executor);
  dispatcher.limit({}, interrupt_requested);
  ModelReport found;
  const auto reference = establish_baseline(data->proposals, dispatcher, kept, run.options, *work, found);
  if (!reference) return tl::unexpected(reference.error());
  fed.given.push_back({kept, reference->samples, found.baseline.message});
  if (!reference->samples.empty())
    fed.given.back().batch = batch_size_in(kept.interface.inputs, reference->samples.front());
  if (index == 0) fed.data = in_words(found.data);
  fed.warnings.insert(fed.warnings.end(), found.warnings.begin(), found.warnings.end());
  return {};
}

Result<FedModels> feed_all(Run& run, const ProfileArguments& arguments) {
  FedModels fed;
  for (std::size_t i = 0; i < arguments.check.models.size(); ++i) {
    run.terminal.progress(i, arguments.check.models.size(), "samples that the models run on");
    if (auto ok = feed(run, arguments, i, fed); !ok) return tl::unexpected(ok.error());
  }
  return fed;
}

/// Each library has to have them.
Result<void> choose_providers(const ProfileArguments& arguments, const ProbedRuntime& runtime, ProfiledThings& things) {
  auto providers = providers_named(arguments.providers, runtime.providers, "ONNX Runtime " + runtime.version);
  if (!providers) return tl::unexpected(providers.error());
  things.providers = std::move(*providers);
  return {};
}

/// The libraries that --runtime names, each tried.
Result<void> find_libraries(const ProfileArguments& arguments, const Run& run, ProfiledThings& things) {
  for (const std::string& named : arguments.runtimes) {
    const std::string flag = fmt::format("--runtime {}: ", printable(named, 200));
    auto library = find_onnxruntime(named);
    if (!library) return fail(ErrorKind::usage, flag + library.error().message, library.error().hint);
    if (std::ranges::find(things.libraries, *library) != things.libraries.end())
      return fail(ErrorKind::usage, flag + "this library is named twice", "name each once");
    const auto probed = probe_runtime(own_program(), {*library});
    if (!probed)
      return fail(ErrorKind::usage, flag + probed.error().message,
                  "name ONNX Runtime's library for this machine, or a version that scripts/setup brought");
    if (auto ok = choose_providers(arguments, *probed, things); !ok) return ok;
    things.libraries.push_back(*library);
    things.library_names.push_back(probed->version);
  }
  if (!things.libraries.empty()) return {};
  things.libraries.push_back(run.runtime_library);
  if (arguments.providers.empty()) return {};
  const auto probed = probe_runtime(own_program(), {run.runtime_library});
  if (!probed) return tl::unexpected(probed.error());
  return choose_providers(arguments, *probed, things);
}

/// A whole level of the runtime, which stands among the rows of levels anyway: those of the command, else "all".
bool is_row_of_levels(const Recipe& recipe, const std::vector<Level>& levels) {
  const auto level = level_named(recipe.level);
  if (!is_whole_level(recipe) || !level) return false;
  return levels.empty() ? *level == Level::all : std::ranges::find(levels, *level) != levels.end();
}

/// Steps of an optimizer that they depend on are asked for the first model's.
Result<void> plan_recipes(Run& run, const ProfileArguments& arguments, ProfiledThings& things) {
  if (!arguments.has_optimizer) return {};
  if (auto ok = list_steps_for(run, arguments.check.models.front()); !ok) return ok;
  CheckOptions options = run.options;
  options.only_bundle = options.recipe.empty() && options.each.empty();
  const auto plan = make_plan(options, run.optimizer);
  if (!plan) return tl::unexpected(plan.error());
  for (const PlannedVariant& planned : *plan) {
    if (is_row_of_levels(planned.recipe, arguments.levels)) continue;
    things.recipes.push_back(planned.recipe);
    things.recipe_names.push_back(planned.is_bundle && !runs_in_session(planned.recipe) ? run.optimizer.name
                                                                                        : name_of(planned));
  }
  return {};
}

/// --kernels is refused where it can tell nothing, before anything is measured.
Result<void> refuse_kernels(const std::vector<ProfiledRow>& rows) {
  constexpr const char* ncu = "ncu";
  if (std::ranges::none_of(rows, [](const ProfiledRow& row) { return runs_on_nvidia(row.session.provider); }))
    return fail(ErrorKind::usage, "--kernels: no row runs on NVIDIA's GPU, so none launches kernels",
                "add one: --provider cuda");
  if (can_start(ncu)) return {};
  return fail(ErrorKind::usage, "--kernels: there is no program 'ncu' on PATH",
              "install NVIDIA Nsight Compute, or add the folder of its ncu to PATH");
}

/// What only ONNX Runtime does, or is done to ONNX models, is refused where there are others.
Result<void> refuse_for_other_formats(const ProfileArguments& arguments) {
  const auto& models = arguments.check.models;
  const auto other =
      std::ranges::find_if(models, [](const fs::path& model) { return format_of(model) != ModelFormat::onnx; });
  if (other == models.end()) return {};
  const bool has_providers = std::ranges::any_of(
      arguments.providers, [](const std::string& provider) { return lower_case(provider) != "cpu"; });
  const char* flag = arguments.has_optimizer         ? "--optimizer, --passes or --each"
                     : arguments.blame               ? "--blame"
                     : arguments.runtimes.size() > 1 ? "more than one --runtime"
                     : has_providers                 ? "--provider"
                                                     : nullptr;
  if (flag == nullptr) return {};
  return fail(ErrorKind::usage,
              fmt::format("{} is for ONNX models, and {} is a model of the format {}", flag, printable(other->string()),
                          name_of(format_of(*other))),
              "leave it out, or profile that model by itself");
}

Result<std::vector<ProfiledRow>> plan_rows(Run& run, const ProfileArguments& arguments) {
  if (auto ok = refuse_for_other_formats(arguments); !ok) return tl::unexpected(ok.error());
  ProfiledThings things;
  things.models = arguments.check.models;
  if (auto ok = find_libraries(arguments, run, things); !ok) return tl::unexpected(ok.error());
  if (auto ok = plan_recipes(run, arguments, things); !ok) return tl::unexpected(ok.error());
  const bool is_one = things.models.size() == 1 && things.libraries.size() == 1 && things.providers.size() == 1 &&
                      things.recipes.empty();
  things.levels = arguments.levels;
  if (things.levels.empty() && is_one && format_of(things.models.front()) != ModelFormat::onnx)
    things.levels = {Level::off, Level::all};  // these have no levels between
  if (things.levels.empty())
    things.levels =
        is_one ? std::vector{Level::off, Level::basic, Level::extended, Level::all} : std::vector{Level::all};
  auto rows = rows_of(things, run.options.session);
  if (arguments.kernels)
    if (auto ok = refuse_kernels(rows); !ok) return tl::unexpected(ok.error());
  return rows;
}

/// Nothing where nobody named data or a task: on made-up samples numbers may agree, and what that says of decisions,
/// nobody knows.
std::optional<EvaluateOptions> quality_asked(const Run& run, const ProfileArguments& arguments,
                                             const DataSetOptions& data) {
  if (data.data.data.empty() && data.labels.empty() && arguments.check.task.empty()) return std::nullopt;
  EvaluateOptions options;
  options.data = data;
  options.task = arguments.check.task;
  options.settings = arguments.settings;
  options.samples = arguments.check.data.samples;
  options.spread = true;
  options.limits = run.options.limits;
  options.places = jobs_at_once(arguments.check.jobs);
  return options;
}

/// Workers for each library that is asked for, made when they are.
class Executors {
 public:
  explicit Executors(Run& run) : run_(run) {}
  Result<Executor*> of(const fs::path& library) {
    if (library.empty() || library == run_.runtime_library) return run_.executor.get();
    if (const auto found = made_.find(library); found != made_.end()) return found->second.get();
    auto pool = make_pool(
        {own_program(), {library}, run_.arguments.jobs, run_.folder.logs(), /*memory_bytes=*/0, find_other_runners()});
    if (!pool) return tl::unexpected(pool.error());
    return made_.emplace(library, std::move(*pool)).first->second.get();
  }

 private:
  Run& run_;
  std::map<fs::path, std::unique_ptr<Executor>> made_;
};

ProfileOptions options_of(const Run& run, const ProfileArguments& arguments) {
  ProfileOptions options;
  options.protocol = arguments.protocol;
  options.limits = run.options.limits;
  options.speed.blocks = arguments.blocks;
  options.speed.until_sure = arguments.until_sure;
  options.speed.seed = arguments.check.data.seed;
  options.kernels = arguments.kernels;
  options.blame = arguments.blame;
  if (arguments.has_budget) options.blame_seconds = 0;
  options.budget = arguments.check.budget;
  return options;
}

Result<std::vector<std::string>> command_of_run(const MeasuredModel& model, const fs::path& file) {
  if (auto ok = write_lone_run(model.job, {model.library}, file); !ok) return tl::unexpected(ok.error());
  return std::vector<std::string>{own_program(), "worker", "--run", fs::absolute(file)};
}

}  // namespace

Result<ProfileReport> measure_rows(Run& run, const ProfileArguments& arguments) {
  auto rows = plan_rows(run, arguments);
  if (!rows) return tl::unexpected(rows.error());
  ProfileOptions options = options_of(run, arguments);
  if (!arguments.against.empty()) {
    const auto baseline = row_named(*rows, arguments.against);
    if (!baseline) return tl::unexpected(baseline.error());
    options.baseline = *baseline;
  }
  const auto fed = feed_all(run, arguments);
  if (!fed) return tl::unexpected(fed.error());
  options.quality = quality_asked(run, arguments, fed->described);
  const auto stacks = run.folder.work_folder(arguments.check.models.size() + 1);
  if (!stacks) return tl::unexpected(stacks.error());
  auto packs = stack_packs(fed->given, arguments.sweep.batches, *stacks);
  if (!packs) return tl::unexpected(packs.error());
  options.sweep = {arguments.sweep, std::move(*packs)};
  options.spent = run.watch.seconds();
  const auto blocks =
      make_measuring_blocks({own_program(), run.runtime_library, run.folder.logs(), find_other_runners()});
  const auto work = run.folder.work_folder(arguments.check.models.size());
  if (!work) return tl::unexpected(work.error());
  const auto say = [&](const std::string& what) { run.terminal.progress(0, 0, what); };
  Executors executors(run);
  const auto executor = [&](const fs::path& library) { return executors.of(library); };
  const auto optimizer = [&](const ProfiledRow& row) -> Result<OptimizerTraits> {
    if (row.recipe) return run.optimizer;
    const auto hosts = run.folder.hosts();
    if (!hosts) return tl::unexpected(hosts.error());
    return chosen_optimizer(onnxruntime_name, row.library, row.session.level, *hosts);
  };
  const auto deciding = [&](const fs::path& library) {
    return make_pool({own_program(),
                      {library.empty() ? run.runtime_library : library},
                      arguments.check.jobs,
                      run.folder.logs(),
                      /*memory_bytes=*/0,
                      find_other_runners()});
  };
  auto report = profile(fed->given, *rows, options,
                        {executor, *blocks, *work, say, interrupt_requested, *work / "trace.json", optimizer, deciding,
                         command_of_run, [](std::int64_t threads) { return probe_limits(own_program(), threads); }});
  if (!report) return report;
  report->data = fed->data;
  report->warnings.insert(report->warnings.begin(), fed->warnings.begin(), fed->warnings.end());
  return report;
}

}  // namespace culprit
