#include "worker/measure_job.h"

#include <utility>

#include "base/cpu_wait.h"
#include "base/memory.h"
#include "base/stopwatch.h"
#include "process/how_it_ended.h"
#include "process/limit_itself.h"
#include "record/profile.h"
#include "runtime/open_runner.h"
#include "runtime/run_sample.h"
#include "tensor/pack_file.h"
#include "worker/run_job.h"
#include "worker/wire.h"

namespace culprit {
namespace {

/// The time for which it waited for a CPU does not count where this thread works alone. Where others work with it, one
/// of them may be what the time goes into, so there all of it counts.
class MemoryWatch {
 public:
  MemoryWatch(const CpuWait& wait, bool is_alone)
      : wait_(wait), is_alone_(is_alone), waited_(is_alone ? wait.seconds() : 0) {}
  struct Times {
    double seconds = 0;
    double waited = 0;  ///< beside them; 0 where others work with this thread
  };
  [[nodiscard]] Times times() const {
    const double seconds = watch_.seconds();
    const double own = is_alone_ ? seconds_less_wait(seconds, wait_.seconds() - waited_) : seconds;
    return {own, seconds - own};
  }

 private:
  const CpuWait& wait_;
  bool is_alone_;
  double waited_;
  Stopwatch watch_;  // behind what is read before it
};

}  // namespace

/// What `work` throws or returns as an error is the failure of the answer.
template <class Work>
void MeasureServer::answer(Work&& work) {
  wire::FromWorker message;
  wire::Measured& measured = *message.mutable_measured();
  Failure failure;
  try {
    if (const Result<void> done = work(measured); !done)
      failure = done.error().kind == ErrorKind::io ? failure_of_machine(done.error().text())
                                                   : failure_of_text(done.error().text());
  } catch (...) {
    failure = failure_of_exception();
  }
  *measured.mutable_failure() = wire::encode(failure);
  parent_.send_now(message.SerializeAsString());
}

void MeasureServer::serve(const wire::MeasuredModel& model) {
  answer([&](wire::Measured& measured) { return load(model, measured); });
}

void MeasureServer::serve(const wire::Turn& turn) {
  answer([&](wire::Measured& measured) { return run(turn, measured); });
}

void MeasureServer::serve(const wire::Resident& question) {
  answer([&](wire::Measured& measured) -> Result<void> {
    measured.set_now(resident_bytes());
    measured.set_largest(peak_resident_bytes());
    const auto model = models_.find(question.number());
    if (model != models_.end()) measured.set_arena(model->second.session->arena_bytes());
    forget_peak_resident_bytes();
    return {};
  });
}

void MeasureServer::serve(const wire::EndProfile& question) {
  answer([&](wire::Measured& measured) -> Result<void> {
    const auto model = models_.find(question.number());
    if (model == models_.end()) return fail(ErrorKind::internal, "a worker was asked for the profile of no session");
    const auto file = model->second.session->end_profile();
    if (!file) return tl::unexpected(file.error());
    measured.set_profile(file->filename().string());
    return {};
  });
}

Result<void> MeasureServer::load(const wire::MeasuredModel& model, wire::Measured& measured) {
  const auto job = wire::decode(model.job());
  if (!job) return fail(ErrorKind::io, "the worker did not understand the job");
  auto opened = runner(wire::runner_of(model.job()));
  if (!opened) return tl::unexpected(opened.error());
  measured.set_runtime_version((*opened)->version());
  // Time is watched by the parent. A GPU's driver reserves more address space than there is memory.
  limit_process({0, runs_on_cpu(job->session.provider) ? job->limits.memory_bytes : 0});
  const bool is_alone = job->session.threads == 1;
  if (!wait_) wait_.emplace();
  warm_up_.before(**opened, job->session);
  const MemoryWatch watch(*wait_, is_alone);
  auto session = (*opened)->load(job->model, job->session);
  measured.set_seconds_load(watch.times().seconds);
  if (!session) return tl::unexpected(session.error());
  Measured made{std::move(*session), {}, 0, is_alone};
  for (const auto& sample : job->samples) {
    auto pack = read_pack(sample);
    if (!pack) return fail(ErrorKind::io, pack.error().text());
    auto inputs = bind_inputs(std::move(*pack), job->inputs);
    if (!inputs) return tl::unexpected(inputs.error());
    auto bound = bind_sample(*made.session, *inputs);
    if (!bound) return tl::unexpected(bound.error());
    made.samples.push_back(std::move(*bound));
  }
  models_.insert_or_assign(model.number(), std::move(made));
  return {};
}

Result<void> MeasureServer::run(const wire::Turn& turn, wire::Measured& measured) {
  const auto model = models_.find(turn.number());
  if (model == models_.end() || model->second.samples.empty())
    return fail(ErrorKind::internal, "a worker was asked to run what it has not loaded, or without a sample");
  Measured& measuring = model->second;
  for (std::uint64_t i = 0; i < turn.runs(); ++i) {
    const std::size_t next = turn.has_sample() ? turn.sample() : measuring.next++;
    BoundRun& sample = *measuring.samples[next % measuring.samples.size()];
    const MemoryWatch watch(*wait_, measuring.is_alone);
    auto ran = sample.run();
    const auto times = watch.times();
    if (!ran) return ran;
    measured.add_seconds(times.seconds);
    if (measuring.is_alone) measured.add_waited(times.waited);
  }
  return {};
}

Result<Runner*> MeasureServer::runner(const RunnerSpec& spec) {
  if (runner_) return runner_.get();
  auto opened = skills_.open_runner(spec);
  if (!opened) return tl::unexpected(opened.error());
  runner_ = std::move(*opened);
  return runner_.get();
}

}  // namespace culprit
