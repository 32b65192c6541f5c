#include <gtest/gtest.h>

#include "record/enum_names.h"
#include "record/report.h"
#include "record/variant_record.h"

namespace culprit {
namespace {

VariantRecord variant(Verdict verdict, SameAs same_as = SameAs::none, bool is_bundle = false) {
  VariantRecord record;
  record.verdict = verdict;
  record.same_as = same_as;
  record.is_bundle = is_bundle;
  return record;
}

ModelReport with(std::vector<VariantRecord> variants) {
  ModelReport report;
  report.variants = std::move(variants);
  return report;
}

TEST(OpenQuestion, NothingIsOpenWhereAllWasJudged) {
  EXPECT_EQ(open_question({}), "");
  EXPECT_EQ(open_question(with({variant(Verdict::equivalent), variant(Verdict::unchanged, SameAs::original)})), "");
  EXPECT_EQ(open_question(with({variant(Verdict::unchanged, SameAs::original, true)})), "");
}

TEST(OpenQuestion, OnePassOfSeveralMayBeOpen) {
  EXPECT_EQ(open_question(with({variant(Verdict::inconclusive), variant(Verdict::equivalent)})), "");
  EXPECT_EQ(open_question(with({variant(Verdict::inconclusive), variant(Verdict::equivalent, SameAs::none, true)})),
            "");
}

TEST(OpenQuestion, WhatIsUnchangedIsNoEvidenceBesideWhatIsOpen) {
  EXPECT_EQ(open_question(with({variant(Verdict::inconclusive), variant(Verdict::unchanged, SameAs::original)})),
            "nothing that differs could be judged");
}

TEST(Outcomes, OfAModelAreOneWord) {
  ModelReport report;
  EXPECT_EQ(outcome_of(report), ModelOutcome::ok);
  report.baseline.status = BaselineStatus::weak_data;
  EXPECT_EQ(name_of(outcome_of(report)), "not_judged");
  report.faults.emplace_back();
  report.faults[0].known = KnownAs{"K-1", ""};
  EXPECT_EQ(outcome_of(report), ModelOutcome::known);
  report.faults.emplace_back();
  EXPECT_EQ(outcome_of(report), ModelOutcome::fault);
}

TEST(OpenQuestion, WhatUsersRunMustBeJudged) {
  EXPECT_EQ(open_question(with({variant(Verdict::equivalent), variant(Verdict::inconclusive, SameAs::none, true)})),
            "the default pass list could not be judged");
  ModelReport named = with({variant(Verdict::inconclusive), variant(Verdict::equivalent)});
  named.safe_recipe.emplace();
  EXPECT_EQ(open_question(named), "the pass list could not be judged") << "--passes comes first";
}

TEST(OpenQuestion, WhatIsAsTheRoundTripIsJudgedOnlyIfThatWas) {
  ModelReport report = with({variant(Verdict::equivalent), variant(Verdict::unchanged, SameAs::round_trip, true)});
  EXPECT_EQ(open_question(report), "");
  report.controls.push_back({ControlName::round_trip, Verdict::inconclusive, "", {}});
  EXPECT_EQ(open_question(report), "the default pass list could not be judged");
  report.variants.pop_back();
  EXPECT_EQ(open_question(report), "");
}

TEST(OpenQuestion, RuntimesThatDifferOnTheModelItselfLeaveAllOpen) {
  ModelReport report = with({variant(Verdict::equivalent)});
  report.witnesses.emplace();
  report.witnesses->asked = {{"onnxruntime", "1.32.0", "agrees", 0, false, ""},
                             {"onnx.reference", "1.20.0", "differs", 1, true, ""}};
  EXPECT_EQ(open_question(report), "") << "one is set aside";
  report.witnesses->asked[0].outcome = "differs";
  EXPECT_EQ(open_question(report), "the runtimes differ on the model itself");
  report.witnesses->is_trusted = true;
  EXPECT_EQ(open_question(report), "");
}

}  // namespace
}  // namespace culprit
