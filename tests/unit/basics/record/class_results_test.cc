#include "record/class_results.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace culprit {
namespace {

TEST(ClassResults, CountsClassesAndWhatWasTakenForWhat) {
  ClassResults results;
  EXPECT_TRUE(results.is_empty());
  for (const auto& [truth, decided] : std::vector<std::pair<std::string, std::string>>{
           {"10", "10"}, {"10", "9"}, {"10", "9"}, {"9", ""}, {"", "9"}, {"cat", "10"}})
    results.add(truth, decided);
  const auto classes = results.classes();
  ASSERT_EQ(classes.size(), 3U);
  EXPECT_EQ(classes[0].name, "9") << "numbers by their value, then names";
  EXPECT_EQ(classes[1].name, "10");
  EXPECT_EQ(classes[2].name, "cat");
  EXPECT_EQ(classes[0].decided, 2) << "nobody knows whether the third one is right, so it is no part of the precision";
  EXPECT_EQ(classes[0].labelled, 1);
  EXPECT_EQ(classes[0].right, 0);
  EXPECT_EQ(classes[1].labelled, 3);
  EXPECT_EQ(classes[1].right, 1);
  const auto confused = results.confused();
  ASSERT_EQ(confused.size(), 3U);
  EXPECT_EQ(confused[0].truth, "10");
  EXPECT_EQ(confused[0].decided, "9");
  EXPECT_EQ(confused[0].samples, 2);
  EXPECT_EQ(confused[2].decided, "10");
}

TEST(ClassResults, WithoutLabelsAllDecisionsCount) {
  ClassResults results;
  for (const std::string decided : {"cat", "dog", "cat", ""}) results.add("", decided);
  EXPECT_FALSE(results.is_empty());
  const auto classes = results.classes();
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].name, "cat");
  EXPECT_EQ(classes[0].decided, 2);
  EXPECT_EQ(classes[0].labelled, 0);
}

}  // namespace
}  // namespace culprit
