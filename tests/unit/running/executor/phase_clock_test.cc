#include "executor/phase_clock.h"

#include <gtest/gtest.h>

#include <deque>

namespace culprit {
namespace {

/// Gives these outcomes, and has counted this much.
struct Fake : Executor {
  JobId submit(OptimizeJob /*job*/) override { return 1; }
  JobId submit(RunJob /*job*/) override { return 2; }
  std::optional<Outcome> next() override {
    if (outcomes.empty()) return std::nullopt;
    Outcome outcome = outcomes.front();
    outcomes.pop_front();
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return counted; }
  [[nodiscard]] std::size_t places() const override { return 3; }
  std::deque<Outcome> outcomes;
  Counts counted;
};

RunOutcome run_of(double load, double run) {
  RunOutcome outcome;
  outcome.seconds_load = load;
  outcome.seconds_run = run;
  return outcome;
}

TEST(PhaseClock, EachPhaseHasWhatWasSpentAndCountedInIt) {
  Fake inner;
  inner.counted = {1, 1, 1, 1};
  PhaseClock clock(inner);
  EXPECT_TRUE(clock.phases().empty());
  clock.begin(Phase::reference);
  inner.outcomes = {run_of(1, 2)};
  inner.counted.runs += 5;
  clock.next();
  clock.begin(Phase::variants);
  ImportOutcome import;
  import.seconds_total = 4;
  VariantOutcome variant;
  variant.seconds_total = 8;
  inner.outcomes = {import, variant};
  inner.counted.imports += 7;
  clock.next();
  clock.next();
  const auto phases = clock.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].phase, Phase::reference);
  EXPECT_EQ(phases[0].spent.loads, 1);
  EXPECT_EQ(phases[0].spent.runs, 2);
  EXPECT_EQ(phases[0].counts.runs, 5);
  EXPECT_EQ(phases[0].counts.imports, 0);
  EXPECT_EQ(phases[1].spent.optimize, 12);
  EXPECT_EQ(phases[1].spent.runs, 0);
  EXPECT_EQ(phases[1].counts.imports, 7);
  EXPECT_GE(phases[1].seconds, 0);
}

TEST(PhaseClock, WhatComesAgainIsAddedToWhatWasThere) {
  Fake inner;
  PhaseClock clock(inner);
  for (const Phase phase : {Phase::reducing, Phase::repro, Phase::reducing}) {
    clock.begin(phase);
    ++inner.counted.runs;
  }
  const auto phases = clock.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].counts.runs, 2);
  EXPECT_EQ(phases[1].counts.runs, 1);
}

TEST(PhaseClock, PassesOnWhatIsAsked) {
  Fake inner;
  PhaseClock clock(inner);
  EXPECT_EQ(clock.submit(OptimizeJob()), 1U);
  EXPECT_EQ(clock.submit(RunJob()), 2U);
  EXPECT_EQ(clock.places(), 3U);
  EXPECT_FALSE(clock.next());
}

}  // namespace
}  // namespace culprit
