#include "worker/run_job.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <utility>

#include "base/memory.h"
#include "base/stopwatch.h"
#include "model/seeded_nodes.h"
#include "process/how_it_ended.h"
#include "process/limit_itself.h"
#include "record/profile.h"
#include "runtime/open_runner.h"
#include "runtime/run_sample.h"
#include "tensor/pack_bundle.h"
#include "tensor/pack_file.h"
#include "worker/filled_memory.h"
#include "worker/perturbed_model.h"
#include "worker/session_key.h"
#include "worker/wire.h"

namespace culprit {
namespace {

using Clock = std::chrono::steady_clock;

/// How often samples are told whose outputs go into a bundle: after a crash that tells how many there were.
constexpr std::chrono::milliseconds between_messages(10);

/// Takes of one step after the other the larger of the time that went by and the CPU time of all threads.
class StepClock {
 public:
  double next() {
    const auto now = Clock::now();
    const std::clock_t cpu = std::clock();
    const double wall = std::chrono::duration<double>(now - start_).count();
    const double used = static_cast<double>(cpu - cpu_) / CLOCKS_PER_SEC;
    start_ = now;
    cpu_ = cpu;
    return std::max({wall, used, 0.0});
  }

 private:
  Clock::time_point start_ = Clock::now();
  std::clock_t cpu_ = std::clock();
};

/// One job from its start to wherever it gets; the outcome's stage tells where.
class Attempt {
 public:
  Attempt(const RunJob& job, Channel& parent)
      : job_(job), parent_(parent), format_(format_of(job.model)), level_(job.session.level) {
    outcome_.stage = RunOutcome::Stage::start;
  }

  /// What `work` throws or returns as an error is the outcome's failure.
  template <class Work>
  void run(Work&& work) {
    try {
      const Result<void> done = work();
      if (!done) failed(done.error());
    } catch (...) {
      outcome_.failure = failure_of_exception();
    }
  }

  /// Leaves its session in `kept` where the job keeps it and all went well.
  Result<void> load_and_run(Runner& runner, KeptSession& kept) {
    outcome_.stage = RunOutcome::Stage::load;
    KeptSession before = std::exchange(kept, {});
    std::string key = session_key(job_);
    if (before.key != key) before.session.reset();
    // A generator goes on with each run of a session, so where there is one each sample gets a session of its own. A
    // session that was kept has none.
    const bool is_used_again = before.session == nullptr && (job_.sample_count() > 1 || !key.empty());
    const bool starts_anew = is_used_again && job_.session.profile_to.empty() && has_seeded_nodes(job_.model);
    if (starts_anew) key.clear();
    say_loading(runner, before.session != nullptr);
    Result<std::unique_ptr<RunnerSession>> session = std::move(before.session);
    if (!*session) session = timed_load(runner);
    if (!session) return tl::unexpected(session.error());
    level_ = (*session)->level();
    if (auto opened = open_bundle(); !opened) return opened;
    outcome_.stage = RunOutcome::Stage::run;
    for (std::size_t sample = 0; sample < job_.sample_count(); ++sample) {
      if (sample > 0 && starts_anew) {
        session->reset();  // before the next one takes memory
        session = timed_load(runner);
      }
      if (!session) return tl::unexpected(session.error());
      if (auto ran = run_sample(**session, sample); !ran) return ran;
    }
    running(job_.sample_count());
    if (auto ended = end_profile(**session); !ended) return ended;
    outcome_.stage = RunOutcome::Stage::done;
    if (!key.empty()) kept = {key, std::move(*session)};
    return {};
  }

  void report() {
    tell_running();
    outcome_.peak_bytes = peak_resident_bytes();
    wire::FromWorker message;
    *message.mutable_ran() = wire::encode(outcome_, level_);
    say(message);
  }

 private:
  void say_loading(const Runner& runner, bool is_kept) {
    wire::FromWorker message;
    message.mutable_loading()->set_runtime_version(runner.version());
    message.mutable_loading()->set_is_kept(is_kept);
    say(message);
    steps_.next();
  }

  Result<std::unique_ptr<RunnerSession>> timed_load(Runner& runner) {
    const Stopwatch watch;
    auto session = load(runner);
    outcome_.seconds_load += watch.seconds();
    return session;
  }

  Result<std::unique_ptr<RunnerSession>> load(Runner& runner) {
    if (!job_.perturbation) return runner.load(job_.model, job_.session);
    auto model = nudged_model(job_.model, *job_.perturbation);
    if (!model) return not_the_model(model.error());
    if (!*model) return runner.load(job_.model, job_.session);
    return runner.load(std::move(**model), job_.session);
  }

  Result<void> run_sample(RunnerSession& session, std::size_t sample) {
    running(sample);
    auto pack = packs_.read(job_.bundled ? job_.bundled->samples[sample] : PackPlace(job_.samples[sample]));
    if (!pack) return not_the_model(pack.error());
    auto inputs = bind_inputs(std::move(*pack), job_.inputs, job_.outputs);
    if (!inputs) return tl::unexpected(inputs.error());
    if (job_.perturbation) nudge_inputs(*inputs, format_, sample, *job_.perturbation);
    const Stopwatch watch;
    auto outputs = culprit::run_sample(session, *inputs);
    outcome_.seconds_run += watch.seconds();
    if (!outputs) return tl::unexpected(outputs.error());
    auto written = keep(sample, *outputs);
    if (!written) return not_the_model(written.error());
    return {};
  }

  Result<void> open_bundle() {
    if (!job_.bundled) return {};
    auto opened = BundleWriter::create(job_.bundled->outputs);
    if (!opened) return not_the_model(opened.error());
    bundle_ = std::make_unique<BundleWriter>(std::move(*opened));
    return {};
  }

  Result<void> keep(std::size_t sample, const std::vector<NamedTensor>& outputs) {
    if (bundle_) return bundle_->add(outputs);
    if (job_.folder.empty()) return {};
    return write_pack(job_.folder / (std::to_string(sample) + ".pack"), outputs);
  }

  Result<void> end_profile(RunnerSession& session) {
    if (job_.session.profile_to.empty()) return {};
    auto file = session.end_profile();
    if (!file) return tl::unexpected(file.error());
    outcome_.profile = std::move(*file);
    return {};
  }

  /// Our own files, not what the model or the runtime did.
  static tl::unexpected<Error> not_the_model(Error error) {
    error.kind = ErrorKind::io;
    return tl::unexpected(std::move(error));
  }

  /// All samples before this one are done.
  void running(std::size_t sample) {
    running_ = sample;
    untold_.push_back(steps_.next());
    const bool is_end = sample == 0 || sample == job_.sample_count();
    if (bundle_ && !is_end && Clock::now() - told_ < between_messages) return;
    tell_running();
  }

  void tell_running() {
    if (untold_.empty()) return;
    wire::FromWorker message;
    message.mutable_running()->set_sample(running_);
    for (const double seconds : untold_) message.mutable_running()->add_seconds(seconds);
    say(message);
    untold_.clear();
    told_ = Clock::now();
  }

  void failed(const Error& error) {
    outcome_.failure = error.kind == ErrorKind::io ? failure_of_machine(error.text()) : failure_of_text(error.text());
    if (error.kind == ErrorKind::no_kernel) outcome_.failure.cause = FailureCause::no_kernel;
  }

  void say(const wire::FromWorker& message) { parent_.send_now(message.SerializeAsString()); }

  const RunJob& job_;
  Channel& parent_;
  ModelFormat format_;
  Level level_;
  RunOutcome outcome_;
  StepClock steps_;
  PackReader packs_;
  std::unique_ptr<BundleWriter> bundle_;  // null: outputs have files of their own, or are not kept
  std::size_t running_ = 0;               // the sample that is
  std::vector<double> untold_;            // of the steps before it, since the last message
  Clock::time_point told_;
};

}  // namespace

void RunServer::serve(const wire::RunJob& wire_job) {
  const auto understood = wire::decode(wire_job);
  const RunJob job = understood.value_or(RunJob{});
  Attempt attempt(job, parent_);
  Limits limits = job.limits;
  if (!runs_on_cpu(job.session.provider)) limits.memory_bytes = 0;  // its driver reserves more address space than that
  limit_process(limits);
  const FilledMemory filled(job.fills_memory);
  attempt.run([&]() -> Result<void> {
    if (!understood) return fail(ErrorKind::io, "the worker did not understand the job");
    auto opened = runner(wire::runner_of(wire_job));
    if (!opened) return tl::unexpected(opened.error());
    return attempt.load_and_run(**opened, kept_);
  });
  unlimit_process();
  attempt.report();
}

Result<Runner*> RunServer::runner(const RunnerSpec& spec) {
  if (runner_ && spec_ == spec) return runner_.get();
  if (runner_) return fail(ErrorKind::internal, "a worker was asked for a second runtime, " + spec.library.string());
  auto opened = skills_.open_runner(spec);
  if (!opened) return tl::unexpected(opened.error());
  runner_ = std::move(*opened);
  spec_ = spec;
  return runner_.get();
}

}  // namespace culprit
