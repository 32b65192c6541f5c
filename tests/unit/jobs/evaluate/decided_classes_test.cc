#include "evaluate/decided_classes.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

ToldModel told(const std::string& label, const std::string& truth) {
  ToldModel model;
  model.decision.emplace();
  model.decision->label = label;
  model.decision->truth = truth;
  return model;
}

TEST(DecidedClasses, AreCountedAgainstLabelsAndAgainstTheFirst) {
  DecidedClasses classes(2);
  classes.add({0, "a", {told("cat", "cat"), told("cat", "cat")}});
  classes.add({1, "b", {told("cat", "dog"), told("dog", "dog")}});
  classes.add({2, "c", {told("dog", ""), told("", "")}});
  classes.add({3, "d", {told("dog", "dog"), ToldModel()}});
  EvaluatedModel first, second;
  classes.move_to(first, 0);
  classes.move_to(second, 1);
  ASSERT_EQ(first.classes.confused().size(), 1U);
  EXPECT_EQ(first.classes.confused()[0].truth, "dog");
  EXPECT_TRUE(first.became.is_empty()) << "it is not held against itself";
  EXPECT_TRUE(second.classes.confused().empty());
  const auto became = second.became.confused();
  ASSERT_EQ(became.size(), 2U) << "where the second fails, nothing is counted";
  EXPECT_EQ(became[0].truth + became[0].decided, "catdog");
  EXPECT_EQ(became[1].truth + became[1].decided, "dog") << "it decides for none";
}

}  // namespace
}  // namespace culprit
