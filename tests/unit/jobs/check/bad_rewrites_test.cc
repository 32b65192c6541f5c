// The single rewrites behind a fault: which questions are asked of an optimizer and a runtime that do what a script
// says, and what is told. The search itself is tested in localize/rewrite_search_test.cc.
#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RewriteStudyTest : public Bench {
 protected:
  RewriteStudyTest() { options.localize = true; }

  /// Pass `a` visits `count` places; these are wrong.
  void visits(int count, const std::map<int, Behaviour>& bad) {
    for (int i = 0; i < count; ++i) {
      const auto at = bad.find(i);
      executor.visits["a"].push_back(at == bad.end() ? changes("a" + std::to_string(i)) : at->second);
    }
  }

  const FaultRecord& fault_of(const ModelReport& report) {
    EXPECT_EQ(report.faults.size(), 1u);
    return report.faults.at(0);
  }
};

std::vector<std::string> outputs(const FaultRecord& fault) {
  std::vector<std::string> names;
  for (const RewriteRecord& rewrite : fault.rewrites) names.push_back(rewrite.output);
  return names;
}

TEST_F(RewriteStudyTest, NamesTheVisitThatBreaksTheModel) {
  visits(9, {{6, breaks("bad")}});
  const ModelReport report = check();
  const FaultRecord& fault = fault_of(report);
  ASSERT_THAT(outputs(fault), ElementsAre("a:6"));
  EXPECT_EQ(fault.rewrites[0].pass, "a");
  EXPECT_EQ(fault.rewrites[0].op_type, "Conv");
  EXPECT_EQ(fault.rewrites[0].number, 7);
  EXPECT_EQ(fault.rewrites[0].of, 9);
  EXPECT_EQ(fault.rewrites[0].confirmed, "2/2");
  EXPECT_EQ(fault.rewrites_message, "");
  EXPECT_GT(fault.rewrites_asked, 3);
  EXPECT_GT(fault.rewrites_seconds, 0);
  EXPECT_EQ(report.variants.size(), 5u)
      << "three passes, the default pass list, the safe list: no trial is in the report";
}

TEST_F(RewriteStudyTest, AllThatAreIndependentAreNamed) {
  visits(16, {{3, breaks("bad")}, {11, breaks("worse")}});
  EXPECT_THAT(outputs(fault_of(check())), testing::UnorderedElementsAre("a:3", "a:11"));
}

TEST_F(RewriteStudyTest, ABrokenOptimizerNamesTheVisitThatKillsIt) {
  Behaviour dies = changes("dies");
  dies.making = failure(Ending::crashed, "killed by SIGSEGV");
  visits(5, {{2, dies}});
  const ModelReport report = check();
  EXPECT_EQ(fault_of(report).verdict, Verdict::optimizer_crashed);
  EXPECT_THAT(outputs(fault_of(report)), ElementsAre("a:2"));
  EXPECT_THAT(fault_of(report).rewrites[0].diff, IsEmpty());
}

TEST_F(RewriteStudyTest, OnlyTheSameFailureCounts) {
  // In between the model is refused.
  visits(8, {{6, breaks("bad")}});
  executor.visited = [](Behaviour& sum, const RewriteTrace& trace, const RewriteLimits&) {
    if (trace.count >= 3 && trace.count <= 5) sum.complaint = "not sorted";
  };
  EXPECT_THAT(outputs(fault_of(check())), ElementsAre("a:6"));
}

TEST_F(RewriteStudyTest, IsNotLookedForWhereItIsNotWanted) {
  visits(9, {{6, breaks("bad")}});
  options.localize = false;
  const auto fault = fault_of(check());
  EXPECT_THAT(fault.rewrites, IsEmpty());
  EXPECT_EQ(fault.rewrites_asked, 0);
  for (const OptimizeJob& job : executor.optimized)
    for (const RewriteLimits& limits : job.rewrites) EXPECT_TRUE(limits.limits_nothing());
}

TEST_F(RewriteStudyTest, WithoutFaultsNothingIsAsked) {
  visits(9, {});
  EXPECT_THAT(check().faults, IsEmpty());
  for (const OptimizeJob& job : executor.optimized)
    for (const RewriteLimits& limits : job.rewrites) EXPECT_TRUE(limits.limits_nothing());
}

TEST_F(RewriteStudyTest, WhatTimesOutIsSearchedWithinAMinute) {
  Behaviour hangs = changes("hangs");
  hangs.running = failure(Ending::timed_out, "over its limit");
  visits(4, {{2, hangs}});
  options.limits.cpu_seconds = 2;
  EXPECT_THAT(outputs(fault_of(check())), ElementsAre("a:2"));
  options.limits.cpu_seconds = 120;
  const auto fault = fault_of(check());
  EXPECT_THAT(fault.rewrites, IsEmpty());
  EXPECT_EQ(fault.rewrites_message, "not searched: every question may take 120 s; a --timeout of 7.5 s allows it");
}

TEST_F(RewriteStudyTest, WhatFlickersIsAskedForMoreOftenAndSaid) {
  visits(8, {{4, breaks("bad")}});
  int ran = 0;
  executor.runs_well = [&ran](const RunJob&) { return ++ran % 2 == 0; };  // every second run of it is right
  options.confirmations = 4;
  const auto fault = fault_of(check());
  EXPECT_THAT(outputs(fault), ElementsAre("a:4"));
  EXPECT_THAT(fault.rewrites_message, HasSubstr("the failure flickers: it came in"));
  EXPECT_NE(fault.rewrites[0].confirmed, "2/2");
}

TEST_F(RewriteStudyTest, TheRoundTripsOwnFaultIsNoRewrites) {
  executor.round_trip = breaks("trip", 3);
  visits(4, {{1, breaks("bad")}});
  const ModelReport report = check();
  ASSERT_EQ(report.faults.size(), 2u);
  EXPECT_EQ(report.faults[0].kind, FaultKind::control);
  EXPECT_THAT(report.faults[0].rewrites, IsEmpty());
  EXPECT_THAT(report.faults[0].rewrites_message, HasSubstr("without any rewrite"));
  EXPECT_THAT(outputs(report.faults[1]), ElementsAre("a:1"));
}

TEST_F(RewriteStudyTest, WhenTheTimeIsSpentItIsSaid) {
  visits(9, {{6, breaks("bad")}});
  bool is_spent = false;
  const CheckTools tools{executor, optimizer, folder(), [&](std::size_t, std::size_t, const std::string&) {},
                         [&] { return is_spent; }};
  executor.visited = [&](Behaviour&, const RewriteTrace&, const RewriteLimits& limits) {
    is_spent = is_spent || !limits.limits_nothing();
  };
  const auto report = check_model(model, proposals, options, tools).value();
  EXPECT_THAT(report.faults.at(0).rewrites, IsEmpty());
  EXPECT_THAT(report.faults.at(0).rewrites_message, HasSubstr("the time of --budget is spent"));
}

}  // namespace
}  // namespace culprit
