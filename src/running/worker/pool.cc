#include "worker/pool.h"

#include <algorithm>
#include <csignal>
#include <deque>
#include <list>
#include <map>
#include <thread>

#include "base/memory.h"
#include "process/how_it_ended.h"
#include "process/interrupt.h"
#include "process/start_child.h"
#include "worker/task.h"

namespace culprit {
namespace {

constexpr std::uint64_t least_part = std::uint64_t{1}
                                     << 30;  // bytes of address space: a runtime alone maps hundreds of MiB

struct Worker {
  Child child;
  std::unique_ptr<Task> task;              ///< null: idle
  std::size_t share = 0;                   ///< of forks, as last told
  std::optional<std::string> serves = {};  ///< Task::shares_worker_as of its tasks
  std::string keeps = {};                  ///< the session that its last task left in it (Task::kept_session)
};

class Pool : public Executor {
 public:
  explicit Pool(PoolOptions options)
      : options_(std::move(options)),
        jobs_(std::clamp<std::size_t>(options_.memory_bytes / least_part, 1, static_cast<std::size_t>(options_.jobs))) {
  }

  JobId submit(OptimizeJob job) override {
    make_folder(job.folder);
    job.runtime_library = options_.runner.library;
    return enqueue(make_optimize_task(++last_id_, std::move(job), options_.scratch, ledger_));
  }

  JobId submit(RunJob job) override {
    make_folder(job.folder);
    auto runner = runner_for(job.model, options_.runner, options_.others);
    if (!runner) return refuse(job, runner.error());
    return enqueue(make_run_task(++last_id_, std::move(job), std::move(*runner), ledger_));
  }

  std::optional<Outcome> next() override {
    while (true) {
      if (interrupt_requested()) return interrupted();
      if (!outcomes_.empty()) {
        Outcome outcome = std::move(outcomes_.front());
        outcomes_.pop_front();
        return outcome;
      }
      start_tasks();
      if (outcomes_.empty() && busy() == 0) return std::nullopt;
      if (outcomes_.empty()) wait();
    }
  }

  [[nodiscard]] Counts counts() const override { return counts_; }
  [[nodiscard]] std::size_t places() const override { return jobs_; }

 private:
  static void make_folder(const std::filesystem::path& folder) {
    std::error_code told_by_whoever_writes;
    if (!folder.empty()) std::filesystem::create_directories(folder, told_by_whoever_writes);
  }

  JobId refuse(const RunJob& job, const Error& why) {
    RunOutcome outcome;
    outcome.job = ++last_id_;
    outcome.stage = RunOutcome::Stage::start;
    outcome.level = name_of(job.session.level);
    outcome.failure = failure_of_machine(why.text());
    outcomes_.emplace_back(std::move(outcome));
    return last_id_;
  }

  JobId enqueue(std::unique_ptr<Task> task) {
    queue_.push_back(std::move(task));
    if (!interrupt_requested()) start_tasks();
    return last_id_;
  }

  [[nodiscard]] std::size_t busy() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(workers_, [](const Worker& worker) { return worker.task != nullptr; }));
  }

  [[nodiscard]] std::size_t optimizing() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(workers_, [](const Worker& worker) { return worker.task && worker.task->optimizes(); }));
  }

  /// Every job holds one of `jobs` places while it is under way; optimize jobs leave one place to run jobs, where there
  /// are two.
  [[nodiscard]] bool fits(const Task& task) const {
    if (busy() >= jobs_ || task.alone()) return false;
    return !task.optimizes() || optimizing() < std::max<std::size_t>(1, jobs_ - 1);
  }

  [[nodiscard]] bool somebody_is_alone() const {
    return std::ranges::any_of(workers_, [](const Worker& worker) { return worker.task && worker.task->alone(); });
  }

  void start_tasks() {
    if (somebody_is_alone()) return;
    for (auto task = queue_.begin(); task != queue_.end() && busy() < jobs_;) {
      if (fits(**task)) {
        std::unique_ptr<Task> taken = std::move(*task);
        task = queue_.erase(task);
        start(std::move(taken));
      } else {
        ++task;
      }
    }
    if (busy() == 0) start_alone();
    share_places();
  }

  /// When nothing else is under way. Idle workers hold memory: they go.
  void start_alone() {
    if (queue_.empty()) return;
    workers_.clear();
    std::unique_ptr<Task> taken = std::move(queue_.front());
    queue_.pop_front();
    start(std::move(taken));
  }

  void start(std::unique_ptr<Task> task) {
    Worker* worker = task->wants_fresh_process() ? nullptr : idle_worker(*task);
    if (worker == nullptr) {
      auto child = start_program(options_.program, {"worker", "--fd", std::to_string(channel_fd)}, options_.scratch);
      if (!child) {
        task->give_up(failure_of_machine(child.error().text()));
        return;
      }
      ++counts_.processes;
      worker = &workers_.emplace_back(Worker{std::move(*child), nullptr});
    }
    if (!task->alone() && jobs_ > 1) task->grant(options_.memory_bytes / jobs_);
    worker->child.log().clear();
    worker->child.watch(task->limits());
    worker->child.channel().send(task->message().SerializeAsString());
    worker->keeps = task->kept_session();
    worker->serves = task->shares_worker_as();
    worker->share = 0;
    worker->task = std::move(task);
    if (busy() < 2) return;
    for (Worker& other : workers_)
      if (other.task) other.task->joined();
  }

  /// The worker for a task, of those that serve its like: one that keeps its session; else one that keeps none; else
  /// any.
  Worker* idle_worker(const Task& task) {
    const std::string session = task.kept_session();
    workers_.remove_if([](Worker& worker) { return !worker.task && worker.child.over(); });
    Worker* best = nullptr;
    const auto rank = [&](const Worker& worker) { return worker.keeps == session ? 2 : worker.keeps.empty() ? 1 : 0; };
    for (Worker& worker : workers_) {
      const bool is_fit = worker.task == nullptr && worker.serves == task.shares_worker_as();
      if (is_fit && (best == nullptr || rank(worker) > rank(*best))) best = &worker;
    }
    return best;
  }

  /// Places that no job holds go to the forks of optimize workers, and are taken back as jobs come: a fork that runs is
  /// let finish.
  void share_places() {
    const std::size_t sharers = optimizing();
    if (sharers == 0) return;
    const std::size_t free = jobs_ - std::min(jobs_, busy());
    std::size_t extra = free % sharers;
    for (Worker& worker : workers_) {
      if (!worker.task || !worker.task->optimizes() || worker.task->alone()) continue;
      const std::size_t share = 1 + free / sharers + (extra > 0 ? 1 : 0);
      if (extra > 0) --extra;
      if (worker.share != share) tell_share(worker, share);
    }
  }

  static void tell_share(Worker& worker, std::size_t share) {
    worker.share = share;
    if (share > 1) worker.task->joined();  // its forks run beside each other
    wire::ToWorker message;
    message.mutable_share()->set_forks(static_cast<std::uint32_t>(share));
    worker.child.channel().send(message.SerializeAsString());
  }

  void wait() {
    std::vector<Child*> children;
    int milliseconds = -1;
    for (Worker& worker : workers_) {
      children.push_back(&worker.child);
      const int soon = worker.child.milliseconds();
      milliseconds = milliseconds < 0 ? soon : std::min(milliseconds, soon);
    }
    wait_for(children, {interrupt_fd()}, milliseconds);
    workers_.remove_if([this](Worker& worker) { return !still_good(worker); });
    retire_spare();
  }

  /// Hears a worker out, looks at its limits, and buries it if it is over. False: it is not to be used any more.
  bool still_good(Worker& worker) {
    const bool over = worker.child.over();
    hear_out(worker);
    if (!worker.task) return !over && !worker.child.condemned();
    if (worker.task->done()) return finish(worker) && !over;
    worker.child.check_limits();
    worker.task->check_silence(worker.child);
    worker.task->check_enough(worker.child);
    if (!over && !worker.child.condemned()) return true;
    worker.task->give_up(worker.child.bury());
    do_again(*worker.task);
    return false;
  }

  /// What went well alone and had lacked memory before shows that the parts are too small.
  void do_again(Task& task) {
    if (task.lacked_memory() && !task.failed()) jobs_ = std::max<std::size_t>(1, jobs_ / 2);
    for (auto& alone : task.take_again()) queue_.push_back(std::move(alone));
  }

  static void hear_out(Worker& worker) {
    while (const auto bytes = worker.child.channel().next()) {
      const auto message = wire::parse<wire::FromWorker>(*bytes);
      if (message && worker.task && !worker.task->done() && worker.task->take(*message, worker.child)) continue;
      worker.child.condemn({Ending::crashed, "sent something that makes no sense", ""});
      return;
    }
  }

  /// False: nobody else may have this process, or something went wrong in it.
  bool finish(Worker& worker) {
    const std::unique_ptr<Task> task = std::move(worker.task);
    worker.child.unwatch();
    do_again(*task);
    return worker.serves && !task->failed();
  }

  /// Fresh processes leave more idle workers of a kind than there are places.
  void retire_spare() {
    std::map<std::string, std::size_t> idle;
    workers_.remove_if(
        [&](const Worker& worker) { return !worker.task && ++idle[worker.serves.value_or("")] > jobs_; });
  }

  std::optional<Outcome> interrupted() {
    queue_.clear();
    workers_.clear();
    outcomes_.clear();
    if (std::exchange(told_of_interrupt_, true)) return std::nullopt;
    return InterruptedOutcome{};
  }

  PoolOptions options_;
  std::size_t jobs_;  ///< at once; fewer where memory turns out to be short
  JobId last_id_ = 0;
  bool told_of_interrupt_ = false;
  std::deque<Outcome> outcomes_;
  Counts counts_;
  Ledger ledger_{outcomes_, counts_};
  std::deque<std::unique_ptr<Task>> queue_;
  std::list<Worker> workers_;
};

/// Whoever started us may have told the system to forget our children before we can wait for them; it is inherited.
void wait_for_children_again() {
  struct sigaction now {};
  if (::sigaction(SIGCHLD, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) std::signal(SIGCHLD, SIG_DFL);
}

}  // namespace

Result<std::unique_ptr<Executor>> make_pool(PoolOptions options) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(options.scratch, ignored))
    return fail(ErrorKind::not_found, "no folder for the logs of workers: " + options.scratch.string());
  if (options.jobs < 0)
    return fail(ErrorKind::usage, "a pool of " + std::to_string(options.jobs) + " jobs", "use 1 or more");
  if (options.jobs == 0) options.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (options.memory_bytes == 0) options.memory_bytes = usable_memory();
  wait_for_children_again();
  return std::make_unique<Pool>(std::move(options));
}

}  // namespace culprit
