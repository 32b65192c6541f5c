#pragma once
// An executor that also tells what each phase of the work took. All that works for one model asks for its work here.

#include <chrono>
#include <vector>

#include "executor/executor.h"
#include "record/phases.h"

namespace culprit {

class PhaseClock final : public Executor {
 public:
  /// `inner` outlives this.
  explicit PhaseClock(Executor& inner) : inner_(inner) {}

  /// From now on all is this phase's, also of one that was there before.
  void begin(Phase phase);
  /// What each took that was begun, up to now, in the order in which they were begun first.
  [[nodiscard]] std::vector<PhaseRecord> phases() const;

  JobId submit(OptimizeJob job) override { return inner_.submit(std::move(job)); }
  JobId submit(RunJob job) override { return inner_.submit(std::move(job)); }
  std::optional<Outcome> next() override;
  [[nodiscard]] Counts counts() const override { return inner_.counts(); }
  [[nodiscard]] std::size_t places() const override { return inner_.places(); }

 private:
  /// What stands on all clocks.
  struct Reading {
    std::chrono::steady_clock::time_point time;
    double cpu_seconds = 0;
    Spent spent;
    Counts counts;
  };
  [[nodiscard]] Reading read() const;

  Executor& inner_;
  Spent spent_;
  std::vector<PhaseRecord> phases_;  ///< up to `began_`
  std::size_t current_ = 0;          ///< of these, where there are any
  Reading began_;
};

/// What is asked of a clock that may not be there.
inline void begin_phase(PhaseClock* clock, Phase phase) {
  if (clock != nullptr) clock->begin(phase);
}

}  // namespace culprit
