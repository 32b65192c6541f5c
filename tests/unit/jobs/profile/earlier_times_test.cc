#include "profile/nodes/earlier_times.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

NodeTimeRecord node(const std::string& name, double seconds, std::vector<std::string> originals = {}) {
  NodeTimeRecord node;
  node.node = name;
  node.seconds = seconds;
  node.originals = std::move(originals);
  return node;
}

ProfileEntry entry(const std::string& model, std::vector<NodeTimeRecord> nodes) {
  ProfileEntry entry;
  entry.model = model;
  entry.nodes = NodeTimes();
  entry.nodes->nodes = std::move(nodes);
  return entry;
}

ProfileReport told(ProfileEntry baseline, ProfileEntry other) {
  ProfileReport report;
  report.entries = {std::move(other), std::move(baseline)};
  report.baseline = 1;
  for (ProfileEntry& each : report.entries) each.baseline = 1;
  tell_earlier_times(report);
  return report;
}

TEST(EarlierTimes, WhatWasFusedStandsAgainstTheSumOfItsParts) {
  const auto report = told(entry("m", {node("conv", 4, {"conv"}), node("relu", 1, {"relu"}), node("neg", 7)}),
                           entry("m", {node("fused", 3, {"conv", "relu"}), node("neg", 6)}));
  EXPECT_EQ(report.entries[0].nodes->nodes[0].baseline_seconds, 5);
  EXPECT_EQ(report.entries[0].nodes->nodes[1].baseline_seconds, 7) << "by its own name";
  EXPECT_EQ(report.entries[1].nodes->nodes[0].baseline_seconds, std::nullopt) << "the baseline itself";
}

TEST(EarlierTimes, WorkThatTheBaselineDoesWithOtherWorkCannotBeTold) {
  const auto report = told(entry("m", {node("fused", 3, {"conv", "relu"})}),
                           entry("m", {node("conv", 4, {"conv"}), node("new", 1, {})}));
  for (const NodeTimeRecord& one : report.entries[0].nodes->nodes) EXPECT_EQ(one.baseline_seconds, std::nullopt);
}

/// Of all nodes, and of what stands against none.
double all_told(const NodeTimes& times) {
  double seconds = times.baseline_other_seconds.value_or(-1);
  for (const NodeTimeRecord& node : times.nodes) seconds += node.baseline_seconds.value_or(0);
  return seconds;
}

TEST(EarlierTimes, EachNodeOfTheBaselineCountsOnceWhereItsWorkWasTakenApart) {
  NodeTimeRecord reorder = node("reorder", 5, {"conv", "relu"});
  reorder.is_inserted = true;
  const auto report =
      told(entry("m", {node("conv", 4, {"conv"}), node("relu", 1, {"relu"}), node("gemm", 2, {"gemm"})}),
           entry("m", {reorder, node("add", 0.5, {"gemm"}), node("product", 1, {"gemm"}),
                       node("fused", 3, {"conv", "relu"}), node("squeeze", 0.1, {"gemm"})}));
  const NodeTimes& times = *report.entries[0].nodes;
  EXPECT_EQ(times.nodes[0].baseline_seconds, std::nullopt) << "it was only put in, and does none of the work";
  EXPECT_EQ(times.nodes[1].baseline_seconds, std::nullopt) << "the slower one of the same work has it";
  EXPECT_EQ(times.nodes[2].baseline_seconds, 2);
  EXPECT_EQ(times.nodes[3].baseline_seconds, 5);
  EXPECT_EQ(times.nodes[4].baseline_seconds, std::nullopt);
  EXPECT_EQ(times.baseline_other_seconds, 0);
  EXPECT_DOUBLE_EQ(all_told(times), 7) << "all of the baseline";
}

TEST(EarlierTimes, WhatStandsAgainstNoNodeIsToldBeside) {
  const auto report =
      told(entry("m", {node("conv", 4, {"conv"}), node("gone", 0.25, {"gone"}), node("both", 2, {"a", "b"})}),
           entry("m", {node("conv", 3, {"conv"}), node("a", 1, {"a"}), node("", 1)}));
  EXPECT_EQ(report.entries[0].nodes->baseline_other_seconds, 2.25);
  EXPECT_DOUBLE_EQ(all_told(*report.entries[0].nodes), 6.25);
  EXPECT_EQ(report.entries[1].nodes->baseline_other_seconds, std::nullopt) << "the baseline itself";
}

TEST(EarlierTimes, NodesOfAnotherModelAreOthersWhateverTheirNames) {
  const auto report = told(entry("m", {node("conv", 4, {"conv"})}), entry("n", {node("conv", 4, {"conv"})}));
  EXPECT_EQ(report.entries[0].nodes->nodes[0].baseline_seconds, std::nullopt);
}

TEST(EarlierTimes, EachModelHasABaselineOfItsOwn) {
  ProfileReport report;
  report.entries = {entry("m", {node("conv", 4)}), entry("m", {node("conv", 3)}), entry("n", {node("conv", 9)}),
                    entry("n", {node("conv", 8)})};
  for (const std::size_t i : {2, 3}) report.entries[i].baseline = 2;
  tell_earlier_times(report);
  EXPECT_EQ(report.entries[1].nodes->nodes[0].baseline_seconds, 4);
  EXPECT_EQ(report.entries[2].nodes->nodes[0].baseline_seconds, std::nullopt);
  EXPECT_EQ(report.entries[3].nodes->nodes[0].baseline_seconds, 9);
}

}  // namespace
}  // namespace culprit
