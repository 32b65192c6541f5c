#pragma once
// Runs the cases of a store until none waits: the longest first, several at once, each written down before it begins
// and when it ends.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/stop.h"
#include "campaign/case_runner.h"
#include "store/case_store.h"

namespace culprit {

struct RunSettings {
  std::size_t jobs = 1;                ///< cases at once
  std::optional<Shard> shard = {};     ///< only the cases in it
  std::int64_t stop_after_faults = 0;  ///< 0: never
  bool again = false;                  ///< also those that failed, or were set aside
  Stop is_interrupted = {};
};

/// How far it is.
struct RunProgress {
  std::int64_t done = 0, total = 0;         ///< cases of the shard
  std::int64_t faults = 0;                  ///< cases with a new fault
  std::optional<double> seconds_left = {};  ///< absent until a case has ended
  std::string what;                         ///< the title of the case that began last
  std::string faulty = {};                  ///< the title of the case that has just ended with a new fault; else ""
};

struct RunTools {
  CaseStore& store;
  CaseRunner& runner;
  /// What came of a case. ErrorKind::io where the machine failed, such as a full disk: the case is not judged by it.
  std::function<Result<CaseOutcome>(const CaseOrder& order, const CaseEnd& end)> outcome_of;
  std::function<void(const RunProgress&)> tell = {};
};

enum class RunEnd { all_done, enough_faults, interrupted };

/// A case whose process somebody killed begins again, alone, for it may have been its own doing (no memory left); so
/// does one that was under way when an earlier run was killed. One that died twice is set aside. What runs when it ends
/// early is withdrawn. Errors: those of the store, the runner and `outcome_of`; what was finished before is kept.
Result<RunEnd> run_cases(const RunSettings& settings, const RunTools& tools);

}  // namespace culprit
