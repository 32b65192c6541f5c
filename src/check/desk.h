#pragma once
// Asks an executor for work and hands each outcome to whoever asked. Handlers may ask for more.

#include <functional>
#include <map>

#include "base/error.h"
#include "executor/executor.h"

namespace culprit {

using OnRun = std::function<void(const RunOutcome&)>;
using OnImport = std::function<void(const ImportOutcome&)>;
using OnScan = std::function<void(const ScanOutcome&)>;
using OnVariant = std::function<void(const VariantOutcome&)>;

class Desk {
 public:
  explicit Desk(Executor& executor) : executor_(executor) {}
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void run(RunJob job, OnRun then);
  /// `scanned` is told only where the job asks for places.
  void optimize(OptimizeJob job, OnImport imported, OnVariant made, OnScan scanned = {});

  /// Waits until all that was asked for is answered. ErrorKind::interrupted if the user asked to stop, internal if the
  /// executor has nothing under way and yet owes an answer.
  Result<void> drain();

 private:
  struct Optimizing {
    OnImport imported;
    OnVariant made;
    OnScan scanned;
    std::size_t owed = 0;  // recipes without an outcome
  };

  void deliver(const RunOutcome& outcome);
  void deliver(const ImportOutcome& outcome);
  void deliver(const ScanOutcome& outcome);
  void deliver(const VariantOutcome& outcome);

  Executor& executor_;
  std::map<JobId, OnRun> running_;
  std::map<JobId, Optimizing> optimizing_;
};

}  // namespace culprit
