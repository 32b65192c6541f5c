#pragma once
// A job under way, as the pool sees it: turns what its worker says, or the worker's death, into outcomes.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/executor.h"
#include "process/child.h"
#include "runtime/runner_kind.h"
#include "worker/wire.h"

namespace culprit {

/// Tells where outcomes and counts go. Both outlive the task.
struct Ledger {
  std::deque<Outcome>& outcomes;
  Counts& counts;
};

class Task {
 public:
  virtual ~Task() = default;
  [[nodiscard]] virtual bool optimizes() const = 0;
  [[nodiscard]] virtual bool wants_fresh_process() const = 0;
  /// Whom else its worker may serve afterwards: tasks that say the same, in words of the tasks' own. Absent: nobody.
  [[nodiscard]] virtual std::optional<std::string> shares_worker_as() const = 0;
  /// The session that it leaves in its worker for the next task that names the same; "" for none.
  [[nodiscard]] virtual std::string kept_session() const { return ""; }
  [[nodiscard]] virtual Limits limits() const = 0;  ///< of what it is doing now
  [[nodiscard]] virtual wire::ToWorker message() const = 0;
  /// Takes what its worker said. False: it makes no sense, so the worker is not to be believed any more.
  virtual bool take(const wire::FromWorker& message, Child& worker) = 0;
  /// Its worker, or any hope for one, is gone: gives the outcomes that are still missing.
  virtual void give_up(const Failure& failure) = 0;
  /// Condemns a worker that should have said something long ago.
  virtual void check_silence(Child& /*worker*/) {}
  /// Condemns a worker that has done enough.
  virtual void check_enough(Child& /*worker*/) {}

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool failed() const { return failed_; }  ///< its worker's heap may be damaged

  [[nodiscard]] bool alone() const { return alone_; }  ///< nothing else is to be under way meanwhile
  /// It has this part of the memory only. 0: there is no such bound.
  void grant(std::uint64_t memory_bytes) { granted_ = memory_bytes; }
  /// Other work runs beside it.
  void joined() { pressed_ = true; }
  /// What has to be done again alone before anything is said of it; to be asked for once it is done.
  std::vector<std::unique_ptr<Task>> take_again() { return std::exchange(again_, {}); }
  /// It is done again because a part of the memory was not enough.
  [[nodiscard]] bool lacked_memory() const { return lacked_memory_; }

 protected:
  explicit Task(bool alone) : alone_(alone) {}
  /// The machine may have done it, or the other work on it.
  [[nodiscard]] bool in_doubt(const Failure& failure) const;
  [[nodiscard]] Limits within_grant(Limits limits) const;
  [[nodiscard]] bool has_a_part() const;  ///< what was granted is less than its own limit
  void do_again(std::unique_ptr<Task> alone, const Failure& failure);

  bool done_ = false;
  bool failed_ = false;

 private:
  bool alone_;
  bool pressed_ = false;
  bool lacked_memory_ = false;
  std::uint64_t granted_ = 0;
  std::vector<std::unique_ptr<Task>> again_;
};

std::unique_ptr<Task> make_run_task(JobId id, RunJob job, RunnerSpec runner, Ledger ledger);
std::unique_ptr<Task> make_optimize_task(JobId id, OptimizeJob job, const std::filesystem::path& scratch,
                                         Ledger ledger);

}  // namespace culprit
