#include "reduce/sought_fault.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

Symptom wrong_values() {
  Symptom symptom;
  symptom.verdict = Verdict::diverged;
  symptom.error = "values";
  symptom.ops_changed = {{"Pad", -1}, {"Conv", 0}};
  return symptom;
}

TEST(IsSameFailure, OfTheSameClassWithAChangeInCommon) {
  Symptom found = wrong_values();
  EXPECT_TRUE(is_same_failure(wrong_values(), found));
  found.ops_changed = {{"Pad", -3}, {"Relu", -1}};
  EXPECT_TRUE(is_same_failure(wrong_values(), found)) << "more of them";
  found.ops_changed = {{"Pad", 1}};
  EXPECT_FALSE(is_same_failure(wrong_values(), found)) << "the other way round";
  found = wrong_values();
  found.verdict = Verdict::rejected;
  EXPECT_FALSE(is_same_failure(wrong_values(), found));
  found = wrong_values();
  found.level = "all";
  EXPECT_FALSE(is_same_failure(wrong_values(), found));
  found = wrong_values();
  found.error = "shape [#] became [#,#]";
  EXPECT_FALSE(is_same_failure(wrong_values(), found));
}

TEST(IsSameFailure, WrongNumbersDoNotBecomeNan) {
  Symptom nan = wrong_values();
  nan.makes_nonfinite = true;
  EXPECT_FALSE(is_same_failure(wrong_values(), nan));
  EXPECT_TRUE(is_same_failure(nan, nan));
  EXPECT_TRUE(is_same_failure(nan, wrong_values())) << "numbers tell more";
}

}  // namespace
}  // namespace culprit
