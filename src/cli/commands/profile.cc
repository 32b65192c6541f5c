#include "cli/commands/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>

#include "base/memory.h"
#include "base/text.h"
#include "check/baseline/baseline.h"
#include "check/variants/plan.h"
#include "cli/commands/version.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "cli/machine_facts.h"
#include "cli/profile_candidates.h"
#include "cli/run.h"
#include "cli/runtime_probe.h"
#include "process/interrupt.h"
#include "report/console_parts.h"
#include "report/profile_console.h"
#include "report/profile_json.h"
#include "worker/measuring_blocks.h"
#include "worker/pool.h"

namespace culprit {
namespace {

void add_rows(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Rows (without these: one model at levels off, basic, extended, all)");
  group.value(
      "--levels", flags.levels, "LEVEL,...",
      "Levels of the runtime's optimizations: off, basic, extended, layout, all (of several models, versions or "
      "recipes: all)");
  group.value("--optimizer", flags.check.optimizer, "NAME|FILE.yaml",
              "Also what this optimizer makes of each model: its whole bundle, or --passes, or --each");
  group.values("--passes", flags.check.passes, type_passes, "Also this one recipe: these steps, in this order");
  group.values("--each", flags.check.each, type_passes, "Also these steps, each alone");
  group.values("--runtime", flags.runtimes, "PATH|VERSION",
               "ONNX Runtime library, or a version that scripts/setup brought; may be repeated, to compare versions");
  group.value("--against", flags.against, "ROW", "The row that the others are held against (default: the first)");
}

void add_time(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Time (same: the whole 95 % interval of the ratio lies within 3 % of 1)");
  group.value("--blocks", flags.blocks, "N",
              "Blocks of runs for each row: each is one process with all rows (default 20)");
  group.toggle("--until-sure", flags.until_sure,
               "Go on until every row is slower, faster or the same, or --budget (default 60s) is spent; the intervals "
               "are made for being looked at again and again");
  group.value("--budget", flags.check.budget, "TIME",
              "Time for measuring speed: 2m, 90s; then what there is is judged");
  group.value("--protocol", flags.protocol, "blocks|otx",
              "otx: as the OTX paper measures, each row by itself, ten times, means without what is 3 sigma off; to "
              "compare with its figures");
}

void add_running(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group("Running (in processes of their own)");
  group.value("--threads", flags.threads, "N", "Threads inside one run (default 1)");
  group.values("--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated");
  group.value("--timeout", flags.timeout, "TIME", "CPU time for loading a model, and for one run (default 120s)");
  group.value("--memory", flags.memory, "SIZE", "Memory for one process: 8GB, 512MB (default: what there is)");
}

void add_output(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group("Output (report.json is always written to the run folder)");
  group.value("--format", flags.format, "text|json", "What is printed: a table to read (default), or the report");
  group.value("--run-dir", flags.run_dir, type_folder, "Folder of this run (default: a new one in .culprit)");
  group.toggle("--quiet", flags.quiet, "No progress and no log");
  group.toggle("--verbose", flags.verbose, "All nodes and operators, and log");
  group.value("-o,--output", flags.output, type_file, "Print into a file instead");
}

}  // namespace

void add_profile(CommandParser& parser, ProfileFlags& flags) {
  const Flags command =
      parser.add_command("profile", "Is an optimized model faster, why, and what does it cost in memory?",
                         "culprit profile model.onnx --until-sure");
  command.words("MODEL", flags.check.models, type_file, "ONNX files; the first row is what the others are held against")
      .required();
  add_rows(command, flags);
  add_time(command, flags);
  add_data_flags(command, flags.check);
  add_running(command, flags.check);
  add_output(command, flags.check);
}

namespace {

Result<std::vector<Level>> levels_of(const std::string& text) {
  std::vector<Level> levels;
  if (text.empty()) return levels;
  auto names = name_list("--levels", {text});
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    const auto chosen = choice("--levels", name, {"off", "basic", "extended", "layout", "all"});
    if (!chosen) return tl::unexpected(chosen.error());
    const Level level = *level_named(*chosen);
    if (std::ranges::find(levels, level) == levels.end()) levels.push_back(level);
  }
  return levels;
}

}  // namespace

Result<ProfileArguments> resolve(const ProfileFlags& flags) {
  if (flags.until_sure && !flags.blocks.empty())
    return fail(ErrorKind::usage, "--until-sure and --blocks contradict each other", "give one of them");
  auto check = resolve(flags.check);
  if (!check) return tl::unexpected(check.error());
  ProfileArguments arguments;
  arguments.check = std::move(*check);
  const CheckFlags& given = flags.check;
  arguments.has_optimizer = !given.optimizer.empty() || !given.passes.empty() || !given.each.empty();
  auto levels = levels_of(flags.levels);
  if (!levels) return tl::unexpected(levels.error());
  arguments.levels = std::move(*levels);
  arguments.runtimes = flags.runtimes;
  arguments.against = flags.against;
  arguments.until_sure = flags.until_sure;
  if (arguments.until_sure && arguments.check.budget == 0) arguments.check.budget = 60;
  if (!flags.blocks.empty()) {
    const auto blocks = whole_number("--blocks", flags.blocks, 1, 10'000);
    if (!blocks) return tl::unexpected(blocks.error());
    arguments.blocks = *blocks;
  }
  if (flags.protocol.empty()) return arguments;
  const auto protocol = choice("--protocol", flags.protocol, {"blocks", "otx"});
  if (!protocol) return tl::unexpected(protocol.error());
  arguments.protocol = *protocol == "otx" ? Protocol::otx : Protocol::blocks;
  return arguments;
}

namespace {

/// Models with samples that they run on, kept as long as they are measured.
struct FedModels {
  std::deque<Model> models;
  std::vector<GivenModel> given;
  std::string data;  ///< of the first, in one line
  std::vector<Warning> warnings;
};

std::string in_words(const DataFacts& facts) {
  std::string text = counted(facts.samples, "sample");
  text += facts.source == "synthesized" ? fmt::format(", made up (seed {})", facts.seed) : ", " + facts.source;
  for (const auto& [name, size] : facts.dims) text += fmt::format(", {}={}", printable(name, 60), size);
  return text;
}

Result<void> feed(Run& run, const ProfileArguments& arguments, std::size_t index, FedModels& fed) {
  const fs::path& path = arguments.check.models[index];
  auto model = load_model(path);
  if (!model) return tl::unexpected(model.error());
  fed.models.push_back(std::move(*model));
  const Model& kept = fed.models.back();
  const auto work = run.folder.work_folder(index);
  if (!work) return tl::unexpected(work.error());
  const auto data = open_check_data(kept, {arguments.check.data, arguments.check.labels, *work});
  if (!data) return tl::unexpected(data.error());
  Dispatcher dispatcher(*run.executor);
  dispatcher.limit({}, interrupt_requested);
  ModelReport found;
  const auto reference = establish_baseline(data->proposals, dispatcher, kept, run.options, *work, found);
  if (!reference) return tl::unexpected(reference.error());
  if (reference->samples.empty()) return fail(ErrorKind::bad_input, found.baseline.message);
  fed.given.push_back({kept, reference->samples});
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

/// The libraries that --runtime names, each tried.
Result<void> find_libraries(const ProfileArguments& arguments, const Run& run, ProfiledThings& things) {
  for (const std::string& named : arguments.runtimes) {
    auto library = find_onnxruntime(named);
    if (!library) return tl::unexpected(library.error());
    const auto version = probe_runtime(own_program(), *library);
    if (!version)
      return fail(ErrorKind::usage, fmt::format("--runtime {}: {}", printable(named, 200), version.error().message),
                  "name ONNX Runtime's library for this machine, or a version that scripts/setup brought");
    things.libraries.push_back(*library);
    things.library_names.push_back(*version);
  }
  if (things.libraries.empty()) things.libraries.push_back(run.runtime_library);
  return {};
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
    things.recipes.push_back(planned.recipe);
    things.recipe_names.push_back(planned.is_bundle && !runs_in_session(planned.recipe) ? run.optimizer.name
                                                                                        : name_of(planned));
  }
  return {};
}

Result<std::vector<Candidate>> plan_rows(Run& run, const ProfileArguments& arguments) {
  ProfiledThings things;
  things.models = arguments.check.models;
  if (auto ok = find_libraries(arguments, run, things); !ok) return tl::unexpected(ok.error());
  if (auto ok = plan_recipes(run, arguments, things); !ok) return tl::unexpected(ok.error());
  const bool is_one = things.models.size() == 1 && things.libraries.size() == 1 && things.recipes.empty();
  things.levels = arguments.levels;
  if (things.levels.empty())
    things.levels =
        is_one ? std::vector{Level::off, Level::basic, Level::extended, Level::all} : std::vector{Level::all};
  return candidates_of(things, run.options.session);
}

/// Workers for each library that is asked for, made when they are.
class Executors {
 public:
  explicit Executors(Run& run) : run_(run) {}
  Result<Executor*> of(const fs::path& library) {
    if (library.empty() || library == run_.runtime_library) return run_.executor.get();
    if (const auto found = made_.find(library); found != made_.end()) return found->second.get();
    auto pool = make_pool({own_program(), library, run_.arguments.jobs, run_.folder.logs()});
    if (!pool) return tl::unexpected(pool.error());
    return made_.emplace(library, std::move(*pool)).first->second.get();
  }

 private:
  Run& run_;
  std::map<fs::path, std::unique_ptr<Executor>> made_;
};

Result<ProfileReport> measure(Run& run, const ProfileArguments& arguments) {
  auto rows = plan_rows(run, arguments);
  if (!rows) return tl::unexpected(rows.error());
  ProfileOptions options;
  if (!arguments.against.empty()) {
    const auto baseline = candidate_named(*rows, arguments.against);
    if (!baseline) return tl::unexpected(baseline.error());
    options.baseline = *baseline;
  }
  const auto fed = feed_all(run, arguments);
  if (!fed) return tl::unexpected(fed.error());
  const auto start = std::chrono::steady_clock::now();
  const double budget = arguments.check.budget;
  options.protocol = arguments.protocol;
  options.limits = run.options.limits;
  options.speed.blocks = arguments.blocks;
  options.speed.until_sure = arguments.until_sure;
  options.speed.seed = arguments.check.data.seed;
  if (budget > 0)
    options.speed.is_time_up = [=] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= budget;
    };
  const auto blocks = make_measuring_blocks({own_program(), run.runtime_library, run.folder.logs()});
  const auto work = run.folder.work_folder(arguments.check.models.size());
  if (!work) return tl::unexpected(work.error());
  const auto say = [&](const std::string& what) { run.terminal.progress(0, 0, what); };
  Executors executors(run);
  const auto executor = [&](const fs::path& library) { return executors.of(library); };
  auto report =
      profile(fed->given, *rows, options, {executor, *blocks, *work, say, interrupt_requested, *work / "trace.json"});
  if (!report) return report;
  report->data = fed->data;
  report->warnings.insert(report->warnings.begin(), fed->warnings.begin(), fed->warnings.end());
  return report;
}

Result<int> profile_all(Run& run, const ProfileArguments& arguments) {
  auto report = measure(run, arguments);
  run.terminal.clear_progress();
  if (!report) return tl::unexpected(report.error());
  report->environment = report_of(run, {}).environment;
  if (!report->entries.front().runtime.empty()) report->environment.onnxruntime = report->entries.front().runtime;
  report->tool_version = tool_version();
  report->command = arguments.check.command;
  report->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - run.start).count();
  report->peak_bytes = peak_resident_bytes();
  const auto printed = finish_and_print(run, to_json(*report), to_console(*report, style_of(run), run.folder.path()));
  if (!printed) return tl::unexpected(printed.error());
  if (report->interrupted) return exit_code::interrupted;
  const bool one_failed = std::ranges::any_of(
      report->entries, [](const ProfileEntry& entry) { return entry.verdict == SpeedVerdict::failed; });
  return one_failed ? exit_code::fault : exit_code::nothing_wrong;
}

/// A file that is named and cannot be read is no usage error, as in `check`.
int exit_code_for(const Error& error) {
  return error.kind == ErrorKind::not_found ? exit_code::cannot_judge : exit_code_of(error.kind);
}

}  // namespace

int run_profile(const ProfileArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.check, terminal);
  const auto code = set_up(arguments.check, terminal, std::chrono::steady_clock::now()).and_then([&](Run&& run) {
    return profile_all(run, arguments);
  });
  if (code) return *code;
  const bool is_interrupted = code.error().kind == ErrorKind::interrupted;
  terminal.complain(is_interrupted ? "interrupted before anything was measured, so no report was written"
                                   : code.error().text());
  return exit_code_for(code.error());
}

}  // namespace culprit
