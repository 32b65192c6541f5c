#pragma once
// Asks an executor for work and hands each outcome to whoever asked. Handlers may ask for more.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/executor.h"
#include "record/costs.h"

namespace culprit {

using OnRun = std::function<void(const RunOutcome&)>;
using OnImport = std::function<void(const ImportOutcome&)>;
using OnScan = std::function<void(const ScanOutcome&)>;
using OnVariant = std::function<void(const VariantOutcome&)>;

/// How much a run matters where time is short; what matters most is started first.
enum class Priority { always, round_trip, recipe, single, deploy_level, search };

struct Purpose {
  Priority rank = Priority::always;
  std::string what = {};  ///< for the list of what was skipped
};

/// What was asked for cost this much, over all outcomes so far.
struct Usage {
  Memory memory;  ///< without the parent's
  Spent spent;
};

class Dispatcher {
 public:
  explicit Dispatcher(Executor& executor) : executor_(executor) {}
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// Under a budget only as much is under way as the executor does at once, and the rest waits by its rank, in the
  /// order in which it was asked for.
  void run(RunJob job, OnRun then, Purpose purpose = {});
  /// `scanned` is told only where the job asks for places.
  void optimize(OptimizeJob job, OnImport imported, OnVariant made, OnScan scanned = {});

  /// Waits until all that was asked for is answered. ErrorKind::interrupted if the user asked to stop, internal if the
  /// executor has nothing under way and yet owes an answer.
  Result<void> drain();

  /// From when `is_spent` says so on, runs are started only if they are to be done always; the others are answered as
  /// skipped. Empty: there is no end of time. `is_interrupted` is for work that asks the executor for nothing.
  void limit(Stop is_spent, Stop is_interrupted = {}) {
    is_spent_ = std::move(is_spent);
    is_interrupted_ = std::move(is_interrupted);
  }
  /// What is doubtful (Failure::doubtful) is blamed on nobody where the original, run alone right after it, ends in
  /// doubt, too: then it is the machine. For a run that did, with its session and samples. Until this is called,
  /// nothing is asked.
  void hold_against(RunJob original) { original_ = std::move(original); }
  [[nodiscard]] const Stop& time_is_spent() const { return is_spent_; }
  [[nodiscard]] const Stop& interrupted() const { return is_interrupted_; }
  [[nodiscard]] bool is_limited() const { return static_cast<bool>(is_spent_); }
  [[nodiscard]] bool spent() const { return is_spent_ && is_spent_(); }
  /// Is there no time for this any more? Then it is noted.
  bool must_skip(const std::string& what);
  [[nodiscard]] const std::vector<std::string>& skipped() const { return skipped_; }
  [[nodiscard]] const Usage& usage() const { return usage_; }

 private:
  struct Optimizing {
    OnImport imported;
    OnVariant made;
    OnScan scanned;
    std::size_t owed = 0;  // recipes without an outcome
  };

  struct Running {
    OnRun then;
    SessionOptions session;
    std::vector<std::filesystem::path> samples;
    std::optional<BundledRuns> bundled;
    bool is_witness = false;
  };

  struct Waiting {
    RunJob job;
    OnRun then;
    std::string what;
  };

  void start_waiting();
  void submit(RunJob job, OnRun then, bool is_witness = false);
  template <class Any>
  void take(Any outcome);
  [[nodiscard]] RunJob witness(JobId job) const;
  [[nodiscard]] bool is_witness(JobId job) const;
  void skip(const Waiting& waiting);
  void deliver(const RunOutcome& outcome);
  void deliver(const ImportOutcome& outcome);
  void deliver(const ScanOutcome& outcome);
  void deliver(const VariantOutcome& outcome);

  Executor& executor_;
  std::map<JobId, Running> running_;
  std::map<JobId, Optimizing> optimizing_;
  std::map<Priority, std::deque<Waiting>> waiting_;
  std::optional<RunJob> original_;
  Stop is_spent_;
  Stop is_interrupted_;
  std::vector<std::string> skipped_;
  Usage usage_;
};

}  // namespace culprit
