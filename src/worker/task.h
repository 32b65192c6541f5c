#pragma once
// A job under way, as the pool sees it: turns what its worker says, or the worker's death, into outcomes.

#include <deque>
#include <memory>

#include "executor/executor.h"
#include "worker/child.h"
#include "worker/wire.h"

namespace culprit {

/// Where outcomes and counts go. Both outlive the task.
struct Ledger {
  std::deque<Outcome>& outcomes;
  Counts& counts;
};

class Task {
 public:
  virtual ~Task() = default;
  [[nodiscard]] virtual bool optimizes() const = 0;
  [[nodiscard]] virtual bool wants_fresh_process() const = 0;
  [[nodiscard]] virtual const Limits& limits() const = 0;
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

 protected:
  bool done_ = false;
  bool failed_ = false;
};

std::unique_ptr<Task> make_run_task(JobId id, RunJob job, const std::filesystem::path& runtime_library, Ledger ledger);
std::unique_ptr<Task> make_optimize_task(JobId id, OptimizeJob job, const std::filesystem::path& scratch,
                                         Ledger ledger);

}  // namespace culprit
