#include "profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/folder.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "device/steadiness.h"
#include "profile/baselines.h"
#include "profile/blame/blame_rows.h"
#include "profile/cautions.h"
#include "profile/graph_numbers.h"
#include "profile/made_rows.h"
#include "profile/measured_devices.h"
#include "profile/measured_kernels.h"
#include "profile/measured_memory.h"
#include "profile/measured_nodes.h"
#include "profile/measured_quality.h"
#include "profile/nodes/earlier_times.h"
#include "profile/profile_budget.h"
#include "profile/profile_entry.h"
#include "profile/speed/measure_as_otx.h"
#include "profile/speed/speed_verdict.h"
#include "profile/sweep/sweep_rows.h"
#include "profile/time_plan.h"

namespace culprit {
namespace {

class Profiling {
 public:
  Profiling(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows, const ProfileOptions& options,
            const ProfileTools& tools)
      : models_(models),
        rows_(rows),
        options_(options),
        tools_(tools),
        budget_(TimePlan(options.budget,
                         [before = options.spent, watch = Stopwatch()] { return before + watch.seconds(); }),
                options.blame && options.blame_seconds <= 0, options.blame_seconds) {}

  Result<ProfileReport> run() {
    say("making the rows");
    auto made = make_rows(models_, rows_, options_, tools_);
    if (!made) return tl::unexpected(made.error());
    made_ = std::move(*made);
    baselines_ = baselines_of(rows_, made_, options_.baseline);
    groups_ = with_one_baseline(baselines_);
    begin_entries();
    const std::size_t first = groups_.front().front();
    const Failure& failure = made_[first].failure;
    if (failure.failed() && groups_.size() == 1) return baseline_fails(first, failure);
    for (std::size_t i = 0; i < rows_.size() && !is_over(); ++i) count_nodes_of(i);
    if (options_.quality && !is_over())
      if (auto ok = decide(); !ok) return tl::unexpected(ok.error());
    budget_.begin_measuring();
    if (auto ok = measure_all_speeds(); !ok) return tl::unexpected(ok.error());
    if (auto ok = measure_beside(); !ok) return tl::unexpected(ok.error());
    if (!options_.sweep.settings.empty() && !is_over())
      if (auto ok = sweep(); !ok) return tl::unexpected(ok.error());
    if (options_.blame && !is_over())
      if (auto ok = blame(); !ok) return tl::unexpected(ok.error());
    if (auto open = budget_.what_is_open(report_.blames); open && !is_over()) report_.warnings.push_back(*open);
    if (!tools_.trace.empty() && !threads_.empty())
      if (auto ok = write_trace(tools_.trace, threads_); !ok) return tl::unexpected(ok.error());
    report_.interrupted = is_over();
    return std::move(report_);
  }

 private:
  void say(const std::string& what) const {
    if (tools_.say) tools_.say(what);
  }

  [[nodiscard]] bool is_over() const { return report_.interrupted || is_stopped(tools_.is_interrupted); }

  void begin_entries() {
    report_.protocol = options_.protocol == Protocol::otx ? "otx" : "blocks";
    report_.baseline = groups_.front().front();
    for (const GivenModel& given : models_)
      report_.samples = std::max(report_.samples, static_cast<std::int64_t>(given.samples.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      report_.entries.push_back(begun_entry(rows_[i], models_[rows_[i].model], made_[i], baselines_[i]));
  }

  [[nodiscard]] tl::unexpected<Error> baseline_fails(std::size_t baseline, const Failure& failure) const {
    return fail(ErrorKind::bad_input,
                fmt::format("'{}', which the others are to be held against, fails: {}",
                            printable(rows_[baseline].name, 100), in_one_line(failure)),
                what_else(baseline));
  }

  /// Advice where the baseline fails.
  [[nodiscard]] std::string what_else(std::size_t baseline) const {
    if (rows_.size() < 2) return "";
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i != baseline && !made_[i].failure.failed() && report_.entries[i].verdict != SpeedVerdict::failed)
        return "name another one with --against";
    return "none of the other rows runs either, so there is nothing to measure";
  }

  /// One of several models may fail altogether; the others are measured all the same.
  Result<void> one_baseline_fails(const std::vector<std::size_t>& group, const Failure& failure) {
    if (groups_.size() == 1) return baseline_fails(group.front(), failure);
    for (const std::size_t i : group)
      if (report_.entries[i].verdict != SpeedVerdict::failed)
        report_.entries[i].warnings.push_back(
            {"baseline_failed", fmt::format("'{}', which it is held against, fails: {}",
                                            printable(rows_[group.front()].name, 100), in_one_line(failure))});
    return {};
  }

  /// Counts the nodes of the graph that runs; where the runtime could not save it, those of the file that it was given.
  void count_nodes_of(std::size_t i) {
    if (made_[i].failed_at == FailedAt::make || made_[i].measured.job.samples.empty()) return;
    say("graph of " + rows_[i].name);
    const bool is_saved = !made_[i].as_run.empty();
    const auto& file = is_saved ? made_[i].as_run : made_[i].measured.job.model;
    auto numbers = graph_numbers(file, is_saved ? made_[i].data_folder : "", made_[i].measured.job.samples.front(),
                                 tools_.folder, options_.limits);
    ProfileEntry& entry = report_.entries[i];
    if (!numbers && numbers.error().kind != ErrorKind::interrupted)
      entry.warnings.push_back({"graph_not_counted", numbers.error().message});
    if (!numbers) return;
    entry.graph = numbers->graph;
    planned_[i] = numbers->planned;
    costs_[i] = std::move(numbers->nodes);
    if (!is_saved && rows_[i].session.level != Level::off && !made_[i].failure.failed())
      entry.warnings.push_back({"graph_as_given",
                                "the runtime cannot save the graph that it runs, so the nodes are "
                                "those of the file that it was given"});
  }

  /// Before anything is timed: data or a task that do not fit are told at once, and the processes of it are gone then.
  Result<void> decide() {
    for (const auto& group : groups_) {
      const auto which = rows_that_load(group, made_);
      if (is_over() || which.empty() || which.front() != group.front()) continue;
      say("decisions");
      const std::size_t told = report_.quality_about.size();
      if (auto done = measure_quality(models_, rows_, made_, which, options_, tools_, report_); !done) {
        if (done.error().kind == ErrorKind::interrupted) return {};
        if (groups_.size() == 1) return done;
        report_.entries[which.front()].warnings.push_back({"quality_not_measured", done.error().text()});
      }
      if (groups_.size() == 1) continue;
      for (std::size_t line = told; line < report_.quality_about.size(); ++line)
        report_.quality_about[line].insert(0, rows_[which.front()].name + ": ");
    }
    return {};
  }

  Result<void> measure_all_speeds() {
    const MachineState before = read_machine_state();
    for (std::size_t group = 0; group < groups_.size(); ++group)
      if (auto ok = measure_speeds(groups_[group], groups_.size() - group); !ok) return ok;
    const std::vector<Warning> unsteady = unsteadiness(before, read_machine_state());
    report_.warnings.insert(report_.warnings.end(), unsteady.begin(), unsteady.end());
    return {};
  }

  Result<void> measure_beside() {
    for (std::size_t i = 0; i < rows_.size() && options_.memory && !is_over(); ++i)
      if (auto ok = measure_memory_of(i); !ok) return ok;
    for (std::size_t i = 0; i < rows_.size() && !is_over(); ++i) measure_optimizing_of(i);
    for (std::size_t i = 0; i < rows_.size() && options_.nodes && !is_over(); ++i)
      if (auto ok = measure_nodes_of(i); !ok) return ok;
    if (options_.nodes && !is_over()) measure_limits_of_machine();
    tell_earlier_times(report_);
    if (options_.devices && !is_over()) measure_devices_of_all();
    if (options_.kernels)
      if (auto ok = measure_kernels_of_all(); !ok) return ok;
    return {};
  }

  [[nodiscard]] RowPace pace_of(std::size_t i) const {
    const ProfileEntry& entry = report_.entries[i];
    return {entry.load.median, entry.seconds.median, made_[i].measured.job.samples.size()};
  }

  /// Seconds of what is measured beside the speed of rows of which so much is known.
  [[nodiscard]] double seconds_beside(const std::vector<Speed>& speeds) const {
    double seconds = 0;
    for (const Speed& speed : speeds) {
      if (speed.loads.empty()) continue;
      const RowPace pace{speed.loads.back(), time_record(speed.samples.back().seconds).median,
                         report_.samples > 0 ? static_cast<std::size_t>(report_.samples) : 1};
      if (options_.memory) seconds += seconds_of(Beside::memory, pace);
      if (options_.nodes) seconds += seconds_of(Beside::nodes, pace);
      seconds += seconds_of(Beside::optimizing, pace);
    }
    return seconds;
  }

  bool fits(Beside what, std::size_t i) { return budget_.fits(what, rows_[i].name, pace_of(i)); }

  /// `groups`: with this one, how many are still to come.
  [[nodiscard]] SpeedOptions speed_options(const std::vector<std::size_t>& which, std::size_t groups) const {
    struct Time {
      double start, share, a_block;
    };
    SpeedOptions speed = options_.speed;
    const std::string of = groups_.size() > 1 ? " of " + rows_[which.front()].name : "";
    const auto time = std::make_shared<Time>(Time{budget_.spent(), budget_.share_of_speed(0, 0, groups), 0});
    speed.progress = [this, of, time, groups, others = which.size() - 1](const SpeedSoFar& so_far) {
      time->a_block = so_far.seconds / static_cast<double>(std::max<std::int64_t>(so_far.blocks, 1));
      const auto sweep = blocks_of_sweep(rows_.size(), options_.sweep.settings, options_.speed);
      const double beside = seconds_beside(so_far.models) * static_cast<double>(groups_.size()) +
                            time->a_block * static_cast<double>(sweep);
      time->share = budget_.share_of_speed(so_far.seconds, beside, groups);
      say(fmt::format("speed{}: {}, {} of {} still open; after it about {}", of,
                      so_far.blocks == 1 ? "1 block" : fmt::format("{} blocks", so_far.blocks), so_far.unsure, others,
                      human_seconds(beside)));
    };
    if (budget_.has_end())
      speed.is_time_up = [this, time] { return budget_.spent() - time->start + time->a_block >= time->share; };
    return speed;
  }

  Result<void> measure_speeds(const std::vector<std::size_t>& group, std::size_t groups) {
    if (is_over()) return {};
    if (const Failure& failure = made_[group.front()].failure; failure.failed())
      return one_baseline_fails(group, failure);
    const std::vector<std::size_t> which = rows_that_load(group, made_);
    std::vector<MeasuredModel> models;
    models.reserve(which.size());
    for (const std::size_t i : which) models.push_back(made_[i].measured);
    const SpeedOptions speed = speed_options(which, groups);
    const auto report = options_.protocol == Protocol::otx ? measure_as_otx(tools_.blocks, models, speed)
                                                           : measure_speed(tools_.blocks, models, speed);
    if (!report) return tl::unexpected(report.error());
    report_.blocks += report->blocks;
    report_.looks = std::max(report_.looks, report->looks);
    report_.interrupted = report->is_interrupted;
    for (std::size_t at = 0; at < which.size(); ++at) take(report_.entries[which[at]], report->models[at]);
    std::vector<std::string> names;
    names.reserve(which.size());
    for (const std::size_t i : which) names.push_back(rows_[i].name);
    budget_.take_speed(*report, names, options_.speed.at_once);
    const Failure& first = report->models.front().failure;
    if (first.failed() && !first.skipped) return one_baseline_fails(group, first);
    return {};
  }

  static void take(ProfileEntry& entry, const Speed& speed) {
    entry.samples = speed.samples;
    const std::vector<double> seconds = all_seconds(speed.samples);
    entry.seconds = time_record(seconds);
    entry.latency = latency_record(seconds);
    entry.load = time_record(speed.loads);
    entry.first_run = time_record(speed.first_runs);
    entry.ratio = speed.ratio;
    entry.verdict = speed.verdict;
    entry.block_ratios = speed.block_ratios;
    if (entry.seconds.median > 0) entry.throughput = 1 / entry.seconds.median;
    if (speed.failure.failed() && !speed.failure.skipped) fail_entry(entry, speed.failure, speed.failed_at);
  }

  Result<void> measure_memory_of(std::size_t i) {
    if (report_.entries[i].verdict == SpeedVerdict::failed || !fits(Beside::memory, i)) return {};
    say("memory of " + rows_[i].name);
    const MemoryResult result = measure_memory(tools_.blocks, made_[i].measured);
    if (result.failure.machine) return fail(ErrorKind::io, result.failure.message);
    report_.entries[i].memory = result.memory;
    if (result.memory) report_.entries[i].memory->planned = planned_[i];
    if (result.failure.failed() && !result.failure.skipped)
      report_.entries[i].warnings.push_back({"memory_not_measured", in_one_line(result.failure)});
    return {};
  }

  /// Measures what the runtime makes of it; an optimizer that wrote a file was timed when it did.
  void measure_optimizing_of(std::size_t i) {
    ProfileEntry& entry = report_.entries[i];
    const bool optimizes = rows_[i].session.level != Level::off && !made_[i].as_run.empty();
    if (!optimizes || entry.optimizing || entry.verdict == SpeedVerdict::failed || entry.load.runs == 0) return;
    if (!fits(Beside::optimizing, i)) return;
    say("optimizing time of " + rows_[i].name);
    const auto part = measure_optimizing(tools_.blocks, made_[i].measured, made_[i].as_run, made_[i].data_folder);
    if (part) entry.optimizing = *part * entry.load.median;
  }

  Result<void> sweep() {
    const auto settings = swept_settings(models_, rows_, made_, options_.sweep, report_);
    return sweep_rows(
        settings, options_, tools_, [this] { return budget_.is_spent(); }, report_);
  }

  Result<void> blame() {
    auto done = blame_rows(
        models_, rows_, made_, options_, tools_,
        {[this](std::size_t rows) { return budget_.seconds_of_blame(rows); }, budget_.seconds_a_block()}, report_);
    if (done || done.error().kind != ErrorKind::interrupted) return done;
    report_.interrupted = true;
    return {};
  }

  /// That a profile cannot be made is a warning.
  Result<void> measure_nodes_of(std::size_t i) {
    ProfileEntry& entry = report_.entries[i];
    if (entry.verdict == SpeedVerdict::failed || !fits(Beside::nodes, i)) return {};
    say("nodes of " + rows_[i].name);
    const auto folder = tools_.folder / fmt::format("nodes-{}", i);
    if (auto ok = make_folder(folder); !ok) return ok;
    auto nodes = measure_nodes(tools_.blocks, {models_[rows_[i].model].model, made_[i].measured, made_[i].as_run,
                                               made_[i].data_folder, folder, entry.seconds.median, costs_[i]});
    if (!nodes) return nodes_are_missing(entry, nodes.error());
    for (const NodeTimeRecord& node : nodes->times.nodes) ++entry.graph.providers[node.provider][node.op];
    entry.nodes = std::move(nodes->times);
    if (const auto warning = profiler_slows_run(*entry.nodes, entry.seconds.median)) entry.warnings.push_back(*warning);
    if (const auto warning = nodes_waited(*entry.nodes)) entry.warnings.push_back(*warning);
    nodes->thread.name = entry.name;
    threads_.push_back(std::move(nodes->thread));
    return {};
  }

  /// They say something of nodes on the CPU, and of no others. What keeps them from being measured is a warning.
  void measure_limits_of_machine() {
    const bool has_nodes = std::ranges::any_of(report_.entries, [](const ProfileEntry& entry) {
      return entry.nodes && entry.graph.providers.contains("CPUExecutionProvider");
    });
    if (!tools_.limits || !has_nodes || !budget_.fits(Beside::limits, "", {})) return;
    say("the machine's limits");
    auto limits = tools_.limits(std::max(1, rows_.front().session.threads));
    if (limits)
      report_.limits = std::move(*limits);
    else
      report_.warnings.push_back({"limits_not_measured", limits.error().message});
  }

  static Result<void> nodes_are_missing(ProfileEntry& entry, const Error& error) {
    if (error.kind == ErrorKind::interrupted) return {};
    if (error.kind == ErrorKind::io) return tl::unexpected(error);
    entry.warnings.push_back({"nodes_not_timed", error.message});
    return {};
  }

  void measure_devices_of_all() {
    FoundDevices found = devices_of_this_machine();
    report_.warnings.insert(report_.warnings.end(), found.warnings.begin(), found.warnings.end());
    if (found.devices.empty()) return;
    Sampler sampler(std::move(found.devices));
    for (std::size_t i = 0; i < rows_.size() && !is_over(); ++i) {
      ProfileEntry& entry = report_.entries[i];
      if (entry.verdict == SpeedVerdict::failed || !fits(Beside::devices, i)) continue;
      say("devices under " + rows_[i].name);
      SampledDevices sampled = measure_devices(tools_.blocks, made_[i].measured, entry.seconds.median, sampler);
      entry.devices = std::move(sampled.devices);
      entry.warnings.insert(entry.warnings.end(), sampled.warnings.begin(), sampled.warnings.end());
    }
  }

  /// What forbids it to one row forbids it to all.
  Result<void> measure_kernels_of_all() {
    for (std::size_t i = 0; i < rows_.size() && !is_over(); ++i) {
      ProfileEntry& entry = report_.entries[i];
      if (entry.verdict == SpeedVerdict::failed || !runs_on_nvidia(rows_[i].session.provider)) continue;
      say("kernels of " + rows_[i].name + " (ncu)");
      auto kernels = measure_kernels(made_[i].measured, tools_);
      if (kernels) {
        entry.kernels = std::move(*kernels);
        continue;
      }
      const Error& error = kernels.error();
      if (error.kind == ErrorKind::interrupted) return {};
      if (error.kind == ErrorKind::io) return tl::unexpected(error);
      const bool is_for_all = error.kind == ErrorKind::unsupported;
      (is_for_all ? report_.warnings : entry.warnings).push_back({"kernels_not_counted", error.text()});
      if (is_for_all) return {};
    }
    return {};
  }

  const std::vector<GivenModel>& models_;
  const std::vector<ProfiledRow>& rows_;
  const ProfileOptions& options_;
  const ProfileTools& tools_;
  std::vector<TraceThread> threads_;
  std::vector<MadeRow> made_;
  std::vector<std::size_t> baselines_;                           ///< by row
  std::vector<std::vector<std::size_t>> groups_;                 ///< rows with one baseline, which comes first
  std::map<std::size_t, std::optional<std::uint64_t>> planned_;  ///< bytes, by row
  std::map<std::size_t, std::vector<NodeCost>> costs_;           ///< of the nodes of what runs, by row
  ProfileBudget budget_;
  ProfileReport report_;
};

}  // namespace

Result<ProfileReport> profile(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                              const ProfileOptions& options, const ProfileTools& tools) {
  return Profiling(models, rows, options, tools).run();
}

}  // namespace culprit
