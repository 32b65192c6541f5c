// What the machine may have done is blamed only where the original, alone, does not end so, too.
#include "bench.h"

namespace culprit {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Failure killed() {
  Failure made = failure(Ending::out_of_memory, "killed by SIGKILL, but not by culprit");
  made.doubtful = true;
  return made;
}

class Pressure : public Bench {
 protected:
  Pressure() { options.each = {"a"}; }

  void the_original_ends(const Failure& how) {
    executor.refuses = [this, how](const RunJob& job, RunOutcome::Stage& stage) {
      if (!job.alone) return Failure{};
      ++asked;
      stage = RunOutcome::Stage::run;
      return how;
    };
  }

  int asked = 0;
};

TEST_F(Pressure, AKillIsAFaultWhereTheOriginalIsNotKilled) {
  executor.passes["a"] = changes("large");
  executor.passes["a"].running = killed();
  the_original_ends({});
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::out_of_memory);
  EXPECT_THAT(variant(report, "a").message, HasSubstr("killed by SIGKILL"));
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
  EXPECT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(asked, 3) << "once for each time";
}

TEST_F(Pressure, AndNoneWhereTheOriginalIsKilledToo) {
  executor.passes["a"] = changes("large");
  executor.passes["a"].running = killed();
  the_original_ends(killed());
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::inconclusive);
  EXPECT_THAT(variant(report, "a").message, HasSubstr("so does the original alone"));
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(Pressure, TheOriginalIsRunAsTheVariantWas) {
  executor.passes["a"] = changes("large");
  executor.passes["a"].running = killed();
  options.confirmations = 0;
  std::vector<RunJob> witnesses;
  executor.refuses = [&](const RunJob& job, RunOutcome::Stage&) {
    if (job.alone) witnesses.push_back(job);
    return Failure{};
  };
  check();
  ASSERT_THAT(witnesses, SizeIs(1));
  EXPECT_EQ(witnesses[0].model, model.path);
  EXPECT_THAT(witnesses[0].samples, SizeIs(3));
  EXPECT_EQ(witnesses[0].session.level, Level::off);
}

TEST_F(Pressure, SoItIsWithWhatTheOptimizerDoes) {
  executor.passes["a"].making = killed();
  the_original_ends(killed());
  EXPECT_THAT(check().faults, IsEmpty());
  the_original_ends({});
  EXPECT_THAT(check().faults, SizeIs(1));
  executor.passes.clear();
  executor.import = killed();
  EXPECT_THAT(check().faults, SizeIs(1));
  the_original_ends(killed());
  EXPECT_THAT(check().faults, IsEmpty());
}

TEST_F(Pressure, NobodyIsAskedAboutWhatIsNotDoubtful) {
  executor.passes["a"] = changes("large");
  executor.passes["a"].running = failure(Ending::out_of_memory, "bad_alloc");
  the_original_ends(killed());
  EXPECT_THAT(check().faults, SizeIs(1));
  EXPECT_EQ(asked, 0);
}

TEST_F(Pressure, WhatPressureMayCauseIsConfirmedAlone) {
  const auto confirmed_alone = [this](const Behaviour& what) {
    executor.passes["a"] = what;
    executor.ran.clear();
    check();
    std::vector<bool> alone;
    for (const RunJob& job : executor.ran)
      if (job.model.stem() == hash128("x").hex() && job.fresh_process) alone.push_back(job.alone);
    EXPECT_THAT(alone, SizeIs(2));
    return alone;
  };
  EXPECT_THAT(confirmed_alone(breaks("x")), Each(false));
  for (const Ending ending : {Ending::timed_out, Ending::out_of_memory, Ending::crashed}) {
    Behaviour fails = changes("x");
    fails.running = failure(ending, "why");
    EXPECT_THAT(confirmed_alone(fails), Each(true));
  }
  executor.passes["a"] = {};
  executor.passes["a"].making = failure(Ending::crashed, "why");
  executor.optimized.clear();
  check();
  ASSERT_THAT(executor.optimized, SizeIs(testing::Gt(2U)));
  EXPECT_TRUE(executor.optimized.back().alone);
  EXPECT_FALSE(executor.optimized.front().alone);
}

TEST_F(Pressure, AVariantMayTakeTenTimesAsLongAsTheOriginal) {
  executor.passes["a"] = changes("x");
  executor.original_took = Pace{1, {30, 2, 3}};
  const auto limits = [this](bool is_given) {
    options.time_is_given = is_given;
    executor.ran.clear();
    check();
    for (const RunJob& job : executor.ran)
      if (job.model.stem() == hash128("x").hex()) return std::pair(job.limits.cpu_seconds, job.original_took->samples);
    return std::pair(-1.0, std::vector<double>());
  };
  EXPECT_EQ(limits(false), std::pair(0.0, std::vector<double>{30, 2, 3}));
  EXPECT_EQ(limits(true), std::pair(120.0, std::vector<double>{30, 2, 3}));
}

}  // namespace
}  // namespace culprit
