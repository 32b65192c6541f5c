#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "executor/step_limits.h"
#include "process/how_it_ended.h"
#include "runtime/runner_kind.h"
#include "tensor/pack_bundle.h"
#include "worker/session_key.h"
#include "worker/task.h"

namespace culprit {
namespace {

class RunTask : public Task {
 public:
  RunTask(JobId id, RunJob job, RunnerSpec runner, Ledger ledger)
      : Task(job.alone), job_(std::move(job)), runner_(std::move(runner)), ledger_(ledger) {
    so_far_.job = id;
    so_far_.stage = RunOutcome::Stage::start;
    so_far_.level = name_of(job_.session.level);
  }

  [[nodiscard]] bool optimizes() const override { return false; }
  [[nodiscard]] bool wants_fresh_process() const override { return job_.fresh_process || alone(); }
  [[nodiscard]] std::optional<std::string> shares_worker_as() const override {
    return fmt::format("run {} {}", runner_.kind, runner_.library.string());
  }
  [[nodiscard]] std::string kept_session() const override { return session_key(job_); }
  [[nodiscard]] Limits limits() const override { return within_grant(limits_of_step(job_, begun_)); }

  [[nodiscard]] wire::ToWorker message() const override {
    wire::ToWorker message;
    RunJob job = job_;
    job.limits = within_grant(job_.limits);
    *message.mutable_run() = wire::encode(job, runner_);
    return message;
  }

  bool take(const wire::FromWorker& message, Child& worker) override {
    switch (message.body_case()) {
      case wire::FromWorker::kLoading:
        return take_loading(message.loading(), worker);
      case wire::FromWorker::kRunning:
        return take_running(message.running(), worker);
      case wire::FromWorker::kRan:
        return take_ran(message.ran(), worker);
      default:
        return false;
    }
  }

  /// One sample runs whatever the time.
  void check_enough(Child& worker) override {
    if (begun_ < 2 || !is_stopped(job_.is_enough)) return;
    worker.condemn({Ending::threw, "the time of --budget was spent", "", false, /*skipped=*/true});
  }

  void give_up(const Failure& failure) override {
    so_far_.failure = failure;
    if (failure.ending == Ending::timed_out && is_cut_short(job_, begun_)) {
      so_far_.failure.machine = true;
      so_far_.failure.message += "; the original takes more than a tenth of that, so this tells nothing";
    }
    finish();
  }

 private:
  bool take_loading(const wire::Loading& loading, Child& worker) {
    if (so_far_.stage != RunOutcome::Stage::start) return false;
    so_far_.stage = RunOutcome::Stage::load;
    so_far_.runtime_version = printable(loading.runtime_version(), 100);
    if (!loading.is_kept()) ++ledger_.counts.sessions;
    worker.watch(limits());
    return true;
  }

  bool take_running(const wire::Running& running, Child& worker) {
    const std::uint64_t sample = running.sample();
    const auto steps = static_cast<std::uint64_t>(running.seconds_size());
    const bool is_next = steps > 0 && sample + 1 == begun_ + steps && (steps == 1 || job_.bundled);
    if (so_far_.stage < RunOutcome::Stage::load || !is_next || sample > job_.sample_count()) return false;
    for (const double seconds : running.seconds())
      if (!std::isfinite(seconds) || seconds < 0) return false;
    so_far_.stage = RunOutcome::Stage::run;
    for (const double seconds : running.seconds()) begin(seconds);
    worker.watch(limits());  // a step of its own
    return true;
  }

  /// The next sample; the step before it took so long.
  void begin(double seconds) {
    const std::uint64_t sample = begun_++;
    if (sample == 0)
      so_far_.took.load = seconds;
    else
      so_far_.took.samples.push_back(seconds);
    if (sample > 0 && !job_.folder.empty() && !job_.bundled)
      so_far_.outputs.push_back(job_.folder / (std::to_string(sample - 1) + ".pack"));
    if (sample < job_.sample_count()) ++ledger_.counts.runs;
  }

  bool take_ran(const wire::Ran& ran, Child& worker) {
    auto outcome = wire::decode(ran, job_.session.profile_to);
    const bool all_ran = begun_ == job_.sample_count() + 1;
    if (!outcome || (outcome->stage == RunOutcome::Stage::done && !all_ran)) return false;
    so_far_.stage = outcome->stage;
    so_far_.failure = outcome->failure;
    so_far_.level = outcome->level;
    so_far_.seconds_load = outcome->seconds_load;
    so_far_.seconds_run = outcome->seconds_run;
    so_far_.peak_bytes = outcome->peak_bytes;
    so_far_.profile = outcome->profile;
    if (so_far_.failure.failed()) so_far_.failure.last_words = worker.log().last_words();
    finish();
    return true;
  }

  /// What is in the bundle ran, also where the worker died before it said so.
  void take_bundle() {
    if (begun_ == 0) return;  // it has not come so far as to make one
    auto packs = packs_in_bundle(job_.bundled->outputs);
    if (!packs) return lose_bundle(packs.error().text());
    if (packs->size() > job_.sample_count()) packs->resize(job_.sample_count());
    while (begun_ > 0 && begun_ <= packs->size() && begun_ < job_.sample_count()) begin(0);
    for (std::optional<PackPlace>& pack : *packs) {
      if (!pack) return lose_bundle("an output is missing in " + printable(job_.bundled->outputs.string()));
      so_far_.bundled.push_back(std::move(*pack));
    }
    const bool is_done = so_far_.stage == RunOutcome::Stage::done;
    if (is_done && so_far_.bundled.size() < job_.sample_count()) lose_bundle("outputs were lost");
  }

  void lose_bundle(const std::string& why) {
    so_far_.failure = failure_of_machine(why);
    so_far_.stage = RunOutcome::Stage::run;
  }

  void finish() {
    done_ = true;
    if (job_.bundled) take_bundle();
    failed_ = so_far_.failure.failed();
    if (!in_doubt(so_far_.failure)) {
      ledger_.outcomes.emplace_back(so_far_);
      return;
    }
    RunJob job = job_;
    job.alone = true;
    do_again(make_run_task(so_far_.job, std::move(job), runner_, ledger_), so_far_.failure);
  }

  RunJob job_;
  RunnerSpec runner_;
  Ledger ledger_;
  RunOutcome so_far_;
  std::uint64_t begun_ = 0;  ///< samples; one more than there are once the last is done
};

}  // namespace

std::unique_ptr<Task> make_run_task(JobId id, RunJob job, RunnerSpec runner, Ledger ledger) {
  return std::make_unique<RunTask>(id, std::move(job), std::move(runner), ledger);
}

}  // namespace culprit
