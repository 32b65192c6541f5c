// Two profiles of the same model, part by part.
#include "profile/nodes/which_got_slower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

NodeTimes times(const std::vector<std::tuple<std::string, std::vector<std::string>, double>>& nodes) {
  NodeTimes made;
  for (const auto& [name, originals, seconds] : nodes) {
    NodeTimeRecord record;
    record.node = name;
    record.originals = originals;
    record.seconds = seconds;
    made.nodes.push_back(record);
    made.nodes_seconds += seconds;
  }
  return made;
}

TEST(WhichGotSlower, WhatOneSideFusedIsOnePart) {
  const auto parts = which_got_slower(times({{"conv", {"conv"}, 5}, {"relu", {"relu"}, 2}, {"pool", {"pool"}, 1}}),
                                      times({{"fused", {"conv", "relu"}, 4}, {"pool", {"pool"}, 1.5}}));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].originals, UnorderedElementsAre("conv", "relu"));
  EXPECT_THAT(parts[0].before, ElementsAre("conv", "relu"));
  EXPECT_THAT(parts[0].after, ElementsAre("fused"));
  EXPECT_DOUBLE_EQ(parts[0].seconds_before, 7);
  EXPECT_DOUBLE_EQ(parts[0].seconds_after, 4);
  EXPECT_DOUBLE_EQ(parts[0].change(), -3);
  EXPECT_DOUBLE_EQ(parts[1].change(), 0.5);
}

TEST(WhichGotSlower, FusionsOfBothSidesChain) {
  const auto parts = which_got_slower(times({{"ab", {"a", "b"}, 1}, {"c", {"c"}, 1}, {"d", {"d"}, 9}}),
                                      times({{"a", {"a"}, 1}, {"bc", {"b", "c"}, 3}, {"d", {"d"}, 9}}));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].originals, UnorderedElementsAre("a", "b", "c"));
  EXPECT_DOUBLE_EQ(parts[0].change(), 2);
}

TEST(WhichGotSlower, WhatIsOnOneSideOnlyIsThere) {
  const auto parts = which_got_slower(times({{"folded", {"f"}, 3}}), times({{"new", {"n"}, 1}}));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].before, ElementsAre("folded"));
  EXPECT_THAT(parts[0].after, IsEmpty());
  EXPECT_DOUBLE_EQ(parts[0].change(), -3);
  EXPECT_DOUBLE_EQ(parts[1].change(), 1);
}

TEST(WhichGotSlower, NodesWithoutOriginalsAreOnePartAndTheSumsAddUp) {
  const NodeTimes before = times({{"x", {}, 0.25}, {"a", {"a"}, 1}, {"z", {}, 0.5}});
  const NodeTimes after = times({{"y", {}, 2}, {"a", {"a"}, 1}});
  const auto parts = which_got_slower(before, after);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].originals, IsEmpty());
  EXPECT_THAT(parts[0].before, ElementsAre("x", "z"));
  double sum_before = 0, sum_after = 0;
  for (const PartTimes& part : parts) sum_before += part.seconds_before, sum_after += part.seconds_after;
  EXPECT_DOUBLE_EQ(sum_before, before.nodes_seconds);
  EXPECT_DOUBLE_EQ(sum_after, after.nodes_seconds);
  EXPECT_THAT(which_got_slower({}, {}), IsEmpty());
}

}  // namespace
}  // namespace culprit
