// Checks are judged again by the measurements in their reports.

#include "campaign/judge_again.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string told_errors(const std::string& corners, const std::string& slack = "0") {
  return R"({"y": {"errors": {"corners": [)" + corners + R"(], "slack": )" + slack + "}}}";
}

std::string told_variant(const std::string& id, const std::string& verdict, const std::string& measurements,
                         const std::string& more = "") {
  return R"({"id": ")" + id + R"(", "verdict": ")" + verdict + R"(", "measurements": )" + measurements + more + "}";
}

std::string told_fault(const std::string& id, const std::string& variants, const std::string& verdict = "diverged",
                       const std::string& more = "") {
  return R"({"id": ")" + id + R"(", "verdict": ")" + verdict + R"(", "variants": [)" + variants + "]" + more + "}";
}

std::string told_report(const std::string& variants, const std::string& faults) {
  return R"({"models": [{"variants": [)" + variants + R"(], "faults": [)" + faults + "]}]}";
}

JudgedAgain judged(const std::string& text, double atol, double rtol, OutcomeStatus status = OutcomeStatus::fault,
                   Strictness strict = Strictness::no) {
  return judge_again(text, status, {atol, rtol}, strict);
}

TEST(JudgeAgain, AFaultIsNoneIfAllErrorsOfItsVariantsLieWithin) {
  const std::string text = told_report(told_variant("V1", "diverged", told_errors("[1, 0.1], [4, 0.2]")) + "," +
                                           told_variant("V2", "diverged", told_errors("[1, 0.9]")),
                                       told_fault("F1", R"("V1")") + "," + told_fault("F2", R"("V2")"));
  EXPECT_EQ(judged(text, 0.05, 0).status, OutcomeStatus::fault);
  EXPECT_THAT(judged(text, 0.05, 0).gone, IsEmpty());
  EXPECT_EQ(judged(text, 0, 0.1).status, OutcomeStatus::fault);
  EXPECT_THAT(judged(text, 0, 0.1).gone, ElementsAre("F1"));
  EXPECT_EQ(judged(text, 0.9, 0).status, OutcomeStatus::ok);
  EXPECT_THAT(judged(text, 0.9, 0).gone, ElementsAre("F1", "F2"));
  EXPECT_EQ(judged(text, 0.9, 0).reason, "");
}

TEST(JudgeAgain, TheDeployLevelCountsToo) {
  const std::string deployed = R"(, "deployed": {"measurements": )" + told_errors("[1, 0.5]") + "}";
  const std::string text =
      told_report(told_variant("V1", "deviates", told_errors("[1, 0.1]"), deployed), told_fault("F1", R"("V1")"));
  EXPECT_EQ(judged(text, 0.2, 0).status, OutcomeStatus::fault);
  EXPECT_EQ(judged(text, 0.5, 0).status, OutcomeStatus::ok);
}

TEST(JudgeAgain, NoToleranceForgivesACrashAnotherShapeAControlOrAnotherDecision) {
  const std::string fine = told_errors("[1, 0.1]");
  const std::string decision = R"(, "decision": {"sample": 1})";
  for (const std::string& text :
       {told_report(told_variant("V1", "run_failed", "{}"), told_fault("F1", R"("V1")", "run_failed")),
        told_report(told_variant("V1", "diverged", told_errors(R"([0, "inf"])")), told_fault("F1", R"("V1")")),
        told_report(told_variant("V1", "diverged", fine),
                    told_fault("F1", "", "diverged", R"(, "control": "round_trip")")),
        told_report(told_variant("V1", "diverged", fine, decision), told_fault("F1", R"("V1")"))})
    EXPECT_EQ(judged(text, 1e9, 1e9).status, OutcomeStatus::fault) << text;
}

TEST(JudgeAgain, ItSaysSoWhereOnlyARunTells) {
  for (const std::string& text :
       {told_report(told_variant("V1", "diverged", told_errors("[1, 0.1]", R"("inf")")), told_fault("F1", R"("V1")")),
        told_report(told_variant("V1", "diverged", R"({"y": {"max_abs": 0.1}})"), told_fault("F1", R"("V1")")),
        told_report(told_variant("V1", "diverged", "{}"), told_fault("F1", R"("V1")"))}) {
    const JudgedAgain again = judged(text, 1, 1);
    EXPECT_EQ(again.status, OutcomeStatus::inconclusive) << text;
    EXPECT_THAT(again.reason, HasSubstr("1 fault may be within the tolerance")) << text;
    EXPECT_THAT(again.not_sure, ElementsAre("F1")) << text;
  }
}

TEST(JudgeAgain, WhatIsRightAndBeyondANarrowerToleranceAsksForARun) {
  const std::string text = told_report(told_variant("V1", "deviates", told_errors("[1, 0.1]")), "");
  EXPECT_EQ(judged(text, 0.1, 0, OutcomeStatus::ok).status, OutcomeStatus::ok);
  const JudgedAgain again = judged(text, 0.01, 0, OutcomeStatus::ok);
  EXPECT_EQ(again.status, OutcomeStatus::inconclusive);
  EXPECT_THAT(again.reason, HasSubstr("1 variant may be beyond the tolerance"));
}

TEST(JudgeAgain, KnownFaultsStayKnownAndNewOnesNew) {
  const std::string known = R"(, "known": {"id": "K1"})";
  const std::string two = told_variant("V1", "diverged", told_errors("[1, 0.1]")) + "," +
                          told_variant("V2", "diverged", told_errors("[1, 0.9]"));
  EXPECT_EQ(judged(told_report(two, told_fault("F1", R"("V1")") + "," + told_fault("F2", R"("V2")", "diverged", known)),
                   0.1, 0)
                .status,
            OutcomeStatus::known);
  EXPECT_EQ(judged(told_report(two, told_fault("F1", R"("V1")", "diverged", known) + "," + told_fault("F2", R"("V2")")),
                   0.1, 0)
                .status,
            OutcomeStatus::fault);
}

TEST(JudgeAgain, AStrictCheckFindsAFaultWithinAnyTolerance) {
  const std::string text =
      told_report(told_variant("V1", "diverged", told_errors("[1, 0.1]")), told_fault("F1", R"("V1")"));
  EXPECT_EQ(judged(text, 1, 1, OutcomeStatus::fault, Strictness::yes).status, OutcomeStatus::fault);
  EXPECT_EQ(strictness_of({"--samples", "3", "--strict"}), Strictness::yes);
  EXPECT_EQ(strictness_of({"--samples", "3"}), Strictness::no);
}

TEST(JudgeAgain, NumbersThatWereExcusedMayBeBeyondAnotherTolerance) {
  const auto with = [](const std::string& more) {
    const std::string measurements =
        R"({"y": {"errors": {"corners": [[1, 0.1]], "slack": 0}, "max_abs": 0.5, "max_rel": 0.5)";
    return told_report(told_variant("V1", "diverged", measurements + more + "}}"), told_fault("F1", R"("V1")"));
  };
  EXPECT_EQ(judged(with(""), 0.2, 0).status, OutcomeStatus::ok);
  for (const std::string more : {R"(, "ties": 1)", R"(, "by_share": 1)"}) {
    EXPECT_EQ(judged(with(more), 0.2, 0).status, OutcomeStatus::inconclusive) << more;
    EXPECT_EQ(judged(with(more), 0.2, 0.3).status, OutcomeStatus::ok) << more;
    EXPECT_EQ(judged(with(more), 0.5, 0).status, OutcomeStatus::ok) << more;
  }
}

TEST(JudgeAgain, AReportThatIsNoneOfOursStaysWhatItWas) {
  for (const char* text : {"", "{", "[]", R"({"models": 3})", R"({"models": [3]})", R"({"models": [{"faults": [3]}]})"})
    EXPECT_EQ(judged(text, 1, 1).status, OutcomeStatus::fault) << text;
}

}  // namespace
}  // namespace culprit
