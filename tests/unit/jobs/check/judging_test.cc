// Verdicts on numbers and names through the whole check, on a fake executor.
#include <gmock/gmock.h>

#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Numbers on both sides of both limits, through the whole check. The reference is y = 2x with x = (1..3, -1); its
/// floor is about 6e-6.
class Judging : public Bench {
 protected:
  Judging() {
    options.draws = 27;
    options.each = {"a"};
  }
  Verdict verdict_with(float shift) {
    executor.passes["a"] = breaks("shifted by " + std::to_string(shift), shift);
    return variant(check(), "a").verdict;
  }
};

TEST_F(Judging, WhatTheFloorExplainsIsEquivalentAndWhatItDoesNotDeviates) {
  EXPECT_EQ(verdict_with(2e-6F), Verdict::equivalent);
  EXPECT_EQ(verdict_with(1e-4F), Verdict::deviates) << "within rtol 1e-3, and far beyond rounding";
  EXPECT_EQ(verdict_with(1e-1F), Verdict::diverged);
}

TEST_F(Judging, StrictMeansBeyondTheFloor) {
  options.strict = true;
  executor.passes["a"] = breaks("shifted", 2e-6F);
  EXPECT_THAT(check().faults, IsEmpty());
  executor.passes["a"] = breaks("shifted", 1e-4F);
  EXPECT_THAT(check().faults, SizeIs(1));
}

TEST_F(Judging, GivenTolerancesDoNotTouchTheFloor) {
  options.tolerance = {0.0, 0.0};
  EXPECT_EQ(verdict_with(2e-6F), Verdict::equivalent);
  EXPECT_EQ(verdict_with(1e-4F), Verdict::diverged);
}

TEST_F(Judging, ConfirmationsUseTheFloorToo) {
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].shift_z = 1e-6F;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
  EXPECT_EQ(variant(report, "a").measurements.at("z").beyond_floor, 0);
}

TEST_F(Judging, TheControlRepeatDoesNot) {
  executor.noise = 1e-6F;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
}

TEST_F(Judging, TheFloorsAreInTheReportAndTheDrawsAreCounted) {
  executor.passes["a"] = breaks("within", 2e-6F);
  const ModelReport report = check();
  EXPECT_EQ(report.noise_floor.at("y").draws, 1);
  EXPECT_GT(report.noise_floor.at("y").deviation, 0);
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 1 + 1)) << "reference, repeat, variant, a draw";
  options.draws = 0;
  executor.ran.clear();
  EXPECT_THAT(check().noise_floor, IsEmpty());
  EXPECT_THAT(executor.ran, SizeIs(3));
}

TEST_F(Judging, WhereAllBitsAgreeNoFloorIsMeasured) {
  executor.passes["a"] = changes("new");
  const ModelReport report = check();
  EXPECT_THAT(report.noise_floor, IsEmpty());
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 1)) << "reference, repeat, variant";
}

TEST_F(Judging, AnotherShapeSaysEnoughWithoutAFloor) {
  executor.passes["a"] = changes("new");
  executor.passes["a"].reshapes = true;
  EXPECT_EQ(variant(check(), "a").verdict, Verdict::diverged);
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 1 + 2)) << "reference, repeat, variant, confirmations";
}

TEST_F(Judging, TheFloorIsMeasuredOnceForAllThatDiffer) {
  options.each = {"a", "b", "c"};
  for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = breaks(std::string("by ") + pass, 2e-6F);
  check();
  const auto draws = std::ranges::count_if(executor.ran, [](const RunJob& job) {
    return job.folder.parent_path().filename().string().starts_with("draws-");
  });
  EXPECT_EQ(draws, 1);
}

TEST_F(Judging, WhatWasJudgedBeforeTheFloorWasKnownIsToldAsWhatWasJudgedAfter) {
  options.each = {"a", "b", "c"};
  executor.passes["a"] = changes("same");
  executor.passes["b"] = breaks("other", 2e-6F);
  executor.passes["c"] = changes("same again");
  const ModelReport first = check();
  for (std::uint64_t shuffle = 1; shuffle < 60; shuffle += 2) {
    executor.shuffle = shuffle;
    const ModelReport report = check();
    for (const char* pass : {"a", "b", "c"}) {
      const Measurement& m = variant(report, pass).measurements.at("y");
      EXPECT_EQ(m.floor, variant(first, pass).measurements.at("y").floor) << pass << " " << shuffle;
      EXPECT_EQ(m.floor == 0, m.mismatched == 0) << pass;
    }
  }
}

TEST_F(Judging, TheRuntimesOwnOptimizationsAskForAFloorOnlyWhereTheyGoBeyondTheTolerance) {
  options.deploy_level = Level::all;
  executor.passes["a"] = changes("new");
  Behaviour optimized;
  optimized.shift_y = 1e-4F;
  executor.original.deployed = std::make_shared<Behaviour>(optimized);
  executor.passes["a"].deployed = std::make_shared<Behaviour>(optimized);
  ModelReport report = check();
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::deviates);
  EXPECT_THAT(report.noise_floor, IsEmpty());
  optimized.shift_y = 0.5F;
  executor.original.deployed = std::make_shared<Behaviour>(optimized);
  executor.passes["a"].deployed = std::make_shared<Behaviour>(optimized);
  report = check();
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::diverged);
  EXPECT_GT(control(report, "runtime_optimized").measurements.at("y").floor, 0);
  EXPECT_EQ(report.noise_floor.at("y").draws, 3);
  EXPECT_THAT(codes(report.warnings), ElementsAre("runtime_changes_values"));
}

/// The same through the whole check: confirmations, and the counts in the report.
class TiesInCheck : public Bench {
 protected:
  TiesInCheck() {
    options.draws = 27;
    options.each = {"a"};
    executor.labels = true;
    executor.passes["a"] = changes("flips");
    executor.passes["a"].shift_label = 1;
  }
};

TEST_F(TiesInCheck, AFlippedNearTieIsEquivalent) {
  proposals = {proposal("synthesized", {-1 - 0x1p-23F})};  // the other element is -1
  executor.passes["a"].shift_label = -1;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_EQ(variant(report, "a").measurements.at("label").ties, 1);
  EXPECT_EQ(report.noise_floor.at("label").ties, 1);
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(TiesInCheck, AWrongLabelHasDivergedAndIsConfirmed) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    executor.shuffle = order;
    const ModelReport report = check();
    EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
    EXPECT_EQ(variant(report, "a").confirmed, "2/2");
    EXPECT_EQ(variant(report, "a").measurements.at("label").beyond_floor, 3);
  }
}

TEST_F(TiesInCheck, TheOutputsOfAVariantGoOnceItIsJudged) {
  check();
  EXPECT_FALSE(fs::exists(folder() / "outputs"));
}

}  // namespace
}  // namespace culprit
