#include "report/node_rates.h"

#include <gtest/gtest.h>

#include <limits>

namespace culprit {
namespace {

NodeTimeRecord node_with(std::optional<double> flops, std::optional<double> moved, double seconds) {
  NodeTimeRecord node;
  node.flops = flops;
  node.moved = moved;
  node.seconds = seconds;
  return node;
}

TEST(NodeRates, AreWhatItCostsByHowLongItTakes) {
  const NodeTimeRecord node = node_with(6e9, 2e9, 2);
  EXPECT_EQ(flops_per_second(node), 3e9);
  EXPECT_EQ(bytes_per_second(node), 1e9);
  EXPECT_EQ(flops_per_byte(node), 3);
}

TEST(NodeRates, WhatIsNotKnownOrTookNoTimeHasNone) {
  EXPECT_EQ(flops_per_second(node_with({}, 2e9, 2)), std::nullopt);
  EXPECT_EQ(flops_per_byte(node_with({}, 2e9, 2)), std::nullopt);
  EXPECT_EQ(bytes_per_second(node_with(6e9, {}, 2)), std::nullopt);
  EXPECT_EQ(flops_per_second(node_with(6e9, 2e9, 0)), std::nullopt);
  EXPECT_EQ(flops_per_byte(node_with(6e9, 0, 1)), std::nullopt) << "a reshape moves nothing";
  EXPECT_EQ(flops_per_second(node_with(6e9, 2e9, std::numeric_limits<double>::quiet_NaN())), std::nullopt);
  EXPECT_EQ(flops_per_second(node_with(0, 2e9, 1)), 0) << "a copy computes nothing, and that is known";
}

}  // namespace
}  // namespace culprit
