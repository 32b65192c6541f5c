#include "app/workshop.h"

#include <fmt/format.h>

#include "app/chosen_optimizer.h"
#include "app/free_places.h"
#include "app/machine_facts.h"
#include "app/named_files.h"
#include "app/tool_version.h"
#include "base/memory.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/optimizer.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// A library that was named is tried before any model is: else each of them would be blamed.
Result<fs::path> find_runtime(Workers& workers, const char* flag, const std::string& named) {
  constexpr double patience = 30;  // seconds
  auto library = workers.find_runtime(named);
  if (!library || named.empty()) return library;
  if (const auto version = workers.probe(*library, patience); !version)
    return fail(ErrorKind::usage, fmt::format("{} {}: {}", flag, named, version.error().message),
                "name ONNX Runtime's library for this machine, or a version that scripts/setup brought");
  return library;
}

/// "" where none was named.
Result<fs::path> find_second(Workers& workers, const WorkshopOrder& order) {
  if (order.witnesses == nullptr || order.witnesses->second_runtime.empty()) return fs::path();
  return find_runtime(workers, "--second-runtime", order.witnesses->second_runtime);
}

/// Null where no Python was named; one that cannot do it is told before anything is checked.
Result<std::unique_ptr<Evaluator>> find_evaluator(const Caller& caller, const WorkshopOrder& order,
                                                  const RunFolder& folder) {
  if (order.witnesses == nullptr || order.witnesses->python.empty()) return nullptr;
  const std::string& python = order.witnesses->python;
  const auto place = folder.hosts();
  if (!place) return tl::unexpected(place.error());
  auto evaluator = make_onnx_evaluator({python, *place, jobs_at_once(order.running.jobs), caller.is_interrupted});
  if (evaluator || evaluator.error().kind != ErrorKind::bad_input) return evaluator;
  return fail(ErrorKind::usage, fmt::format("--python {}: {}", python, evaluator.error().message),
              "name a Python that has numpy and onnx, 1.13 or later; `scripts/setup peers` brings one");
}

Result<OptimizerTraits> find_optimizer(const Caller& caller, const WorkshopOrder& order, const fs::path& library,
                                       const RunFolder& folder) {
  const auto hosts = folder.hosts();
  if (!hosts) return tl::unexpected(hosts.error());
  const OptimizerRequest wanted = order.optimizer == nullptr ? OptimizerRequest{} : *order.optimizer;
  return chosen_optimizer(wanted.name, {caller.workers, library, order.running.deploy_level}, *hosts, wanted.options);
}

SessionOptions session_of(const RunningRequest& running) {
  SessionOptions session = running.session;
  for (fs::path& custom : session.custom_ops) custom = fs::absolute(custom);
  return session;
}

Limits limits_of(const RunningRequest& running) {
  Limits limits = running.limits;
  if (limits.memory_bytes == 0) limits.memory_bytes = usable_memory();
  return limits;
}

/// What the file of the library is called by: "libonnxruntime.so.1.31.1" has version 1.31.1.
std::string version_in_name(const fs::path& library) {
  const std::string name = fs::weakly_canonical(library).filename();
  const auto mark = name.find(".so.");
  return mark == std::string::npos ? "" : name.substr(mark + 4);
}

}  // namespace

Result<Workshop> Workshop::open(const Caller& caller, const WorkshopOrder& order) {
  Workers& workers = caller.workers;
  if (const auto there = named_files_must_be_there(order); !there) return tl::unexpected(there.error());
  if (const auto fine = run_folder_must_hold_nothing_to_read(order); !fine) return tl::unexpected(fine.error());
  auto library = find_runtime(workers, "--runtime", order.running.runtime);
  if (!library) return tl::unexpected(library.error());
  auto other = find_second(workers, order);
  if (!other) return tl::unexpected(other.error());
  auto folder = RunFolder::create(order.folder.run_dir);
  if (!folder) return tl::unexpected(folder.error());
  auto evaluator = find_evaluator(caller, order, *folder);
  if (!evaluator) return tl::unexpected(evaluator.error());
  auto optimizer = find_optimizer(caller, order, *library, *folder);
  if (!optimizer) return tl::unexpected(optimizer.error());
  const int jobs = order.running.jobs;
  auto executor = workers.make_executor(*library, jobs, folder->logs(), /*others=*/true);
  if (!executor) return tl::unexpected(executor.error());
  auto second = other->empty() ? Result<std::unique_ptr<Executor>>()
                               : workers.make_executor(*other, jobs, folder->logs(), /*others=*/false);
  if (!second) return tl::unexpected(second.error());
  CommandSpecPtr program = optimizer->command;
  return Workshop{.caller = caller,
                  .jobs = jobs,
                  .session = session_of(order.running),
                  .limits = limits_of(order.running),
                  .deploy_level = order.running.deploy_level,
                  .optimizer = std::move(*optimizer),
                  .program = std::move(program),
                  .runtime_library = std::move(*library),
                  .folder = std::move(*folder),
                  .executor = std::move(*executor),
                  .second = std::move(*second),
                  .evaluator = std::move(*evaluator)};
}

Progress Workshop::progress(const std::string& prefix) const {
  return [&listener = caller.listener, prefix](std::size_t done, std::size_t total, const std::string& what) {
    listener.progress(done, total, prefix + what);
  };
}

Stop Workshop::time_up_after(double seconds) const {
  if (seconds <= 0) return {};
  return [watch = caller.watch, seconds] { return watch.seconds() >= seconds; };
}

Result<void> list_steps_for(Workshop& workshop, const fs::path& model) {
  if (workshop.program == nullptr || !workshop.program->lists_by_model()) return {};
  const auto hosts = workshop.folder.hosts();
  if (!hosts) return tl::unexpected(hosts.error());
  const auto spec = with_listed_steps(*workshop.program, fs::absolute(model), *hosts);
  if (!spec) return tl::unexpected(spec.error());
  workshop.optimizer = traits_of(*spec);
  return {};
}

CheckOptions options_in(const Workshop& workshop, const RunningRequest& running, const JudgingRequest& judging) {
  CheckOptions options;
  options.optimizer = workshop.optimizer.name;
  options.program = workshop.optimizer.command;
  options.works_in_forks = workshop.optimizer.is_runtime() || workshop.optimizer.is_program();
  options.session = workshop.session;
  options.limits = workshop.limits;
  options.deploy_level = workshop.deploy_level;
  options.time_is_given = running.time_is_given;
  options.tolerance = judging.tolerance;
  options.strict = judging.strict;
  options.confirmations = judging.confirmations;
  options.places = {fs::absolute(workshop.folder.path()).string()};
  return options;
}

CheckOptions options_in(const Workshop& workshop, const RunningRequest& running, const JudgingRequest& judging,
                        const OptimizerRequest& plan) {
  CheckOptions options = options_in(workshop, running, judging);
  options.recipe = plan.recipe;
  options.each = plan.each;
  options.all_passes = plan.all_passes;
  options.only_bundle = plan.only_bundle;
  options.repeat = plan.repeat;
  return options;
}

Environment environment_of(const Workshop& workshop, const std::string& runtime) {
  const Machine machine = this_machine();
  Environment environment{make_onnx_optimizer()->version(),
                          onnx_version(),
                          runtime.empty() ? version_in_name(workshop.runtime_library) : runtime,
                          "CPU",
                          machine.cpu,
                          machine.os,
                          workshop.session.threads,
                          machine.cores};
  OptimizerRecord& tested = environment.optimizer = {workshop.optimizer.name, workshop.optimizer.version, {}};
  if (!workshop.optimizer.tries_steps_alone())
    for (const PassInfo& step : workshop.optimizer.steps) tested.steps.push_back(step.name);
  return environment;
}

}  // namespace culprit
