#include "conversion/faults/confirm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Strength = EditProposal::Strength;

/// Proposals that are known by the layer that they leave out.
std::vector<EditProposal> proposals_of(const std::vector<Strength>& strengths) {
  std::vector<EditProposal> proposals(strengths.size());
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    proposals[i].strength = strengths[i];
    proposals[i].edits = {Bypass{static_cast<int>(i)}};
  }
  return proposals;
}

/// Answers by the set of edits; counts what was asked.
struct FakeRegion {
  std::function<Likeness(const std::set<int>&, bool on_all_samples)> answer;
  int asked = 0;
  std::vector<std::set<int>> tried = {};

  TryEdits attempt() {
    return [this](const std::vector<Edit>& edits, bool on_all_samples) -> Result<std::optional<JudgedPair>> {
      ++asked;
      std::set<int> layers;
      for (const Edit& edit : edits) layers.insert(std::get<Bypass>(edit).layer);
      tried.push_back(layers);
      return JudgedPair{answer(layers, on_all_samples), {}};
    };
  }
};

Likeness mended_by(const std::set<int>& edits, const std::set<int>& needed, const std::set<int>& harmful = {}) {
  for (const int one : harmful)
    if (edits.contains(one)) return Likeness::differs;
  return std::ranges::includes(edits, needed) ? Likeness::equal : Likeness::differs;
}

TEST(Confirm, ARegionThatIsRightIsNoFault) {
  FakeRegion region{[](const auto&, bool) { return Likeness::equal; }};
  const auto found = confirm(proposals_of({Strength::parameter}), region.attempt()).value();
  EXPECT_TRUE(found.is_right_as_it_is);
  EXPECT_THAT(found.proposals, IsEmpty());
  EXPECT_EQ(region.asked, 1);
}

TEST(Confirm, ASingleEditComesFirst) {
  // An honest Transpose (2) is among the proposals, and without it the region is wrong.
  FakeRegion region{[](const auto& edits, bool) { return mended_by(edits, {0}, {2}); }};
  const auto found =
      confirm(proposals_of({Strength::parameter, Strength::hyper, Strength::graph}), region.attempt()).value();
  EXPECT_THAT(found.proposals, ElementsAre(0));
  EXPECT_TRUE(found.on_all_samples);
}

TEST(Confirm, NumbersAndAnOperatorTogether) {
  FakeRegion region{[](const auto& edits, bool) { return mended_by(edits, {0, 3}, {2}); }};
  const auto found =
      confirm(proposals_of({Strength::parameter, Strength::hyper, Strength::graph, Strength::graph}), region.attempt())
          .value();
  EXPECT_THAT(found.proposals, ElementsAre(0, 3));
}

/// Where two tensors fit one place, each is tried, and never both at once.
TEST(Confirm, AlternativesAreTriedAlone) {
  auto proposals = proposals_of({Strength::parameter, Strength::parameter, Strength::parameter});
  proposals[1].is_alternative = true;
  FakeRegion region{[](const auto& edits, bool) { return mended_by(edits, {0, 2}, {1}); }};
  EXPECT_THAT(confirm(proposals, region.attempt()).value().proposals, ElementsAre(0, 2));
  FakeRegion other{[](const auto& edits, bool) { return mended_by(edits, {1}); }};
  EXPECT_THAT(confirm(proposals, other.attempt()).value().proposals, ElementsAre(1));
}

TEST(Confirm, WhatIsNotNeededGoes) {
  FakeRegion region{[](const auto& edits, bool) { return mended_by(edits, {0, 2}); }};
  const auto found =
      confirm(proposals_of({Strength::parameter, Strength::parameter, Strength::hyper}), region.attempt()).value();
  EXPECT_THAT(found.proposals, ElementsAre(0, 2));
}

TEST(Confirm, AllSamples) {
  FakeRegion region{[](const auto& edits, bool on_all_samples) {
    return on_all_samples ? Likeness::differs : mended_by(edits, {0});
  }};
  const auto found = confirm(proposals_of({Strength::parameter}), region.attempt()).value();
  EXPECT_THAT(found.proposals, ElementsAre(0));
  EXPECT_FALSE(found.on_all_samples);
  EXPECT_EQ(found.why, "the repair mends some samples, not all");
}

TEST(Confirm, FromDriftToEqual) {
  const auto answer = [](const std::set<int>& edits, bool) {
    return edits.contains(0) ? Likeness::equal : Likeness::drifts;
  };
  FakeRegion region{answer};
  EXPECT_THAT(confirm(proposals_of({Strength::parameter}), region.attempt()).value().proposals, ElementsAre(0));
  // With nothing that is static, drift is rounding.
  FakeRegion other{answer};
  EXPECT_TRUE(confirm(proposals_of({Strength::graph}), other.attempt()).value().is_right_as_it_is);
  // What is static and mends nothing does not make a fault of drift.
  FakeRegion third{[](const auto&, bool) { return Likeness::drifts; }};
  EXPECT_TRUE(confirm(proposals_of({Strength::parameter}), third.attempt()).value().is_right_as_it_is);
}

TEST(Confirm, EqualComesBeforeDrift) {
  FakeRegion region{[](const std::set<int>& edits, bool) {
    if (edits.contains(1)) return Likeness::equal;
    return edits.contains(0) ? Likeness::drifts : Likeness::differs;
  }};
  EXPECT_THAT(confirm(proposals_of({Strength::graph, Strength::graph}), region.attempt()).value().proposals,
              ElementsAre(1));
}

/// A second normalization behind a wrong one comes near what is right, and not as near as rounding alone.
TEST(Confirm, AGraphThatComesNearIsNotMended) {
  for (const double times : {2.0, 300.0}) {
    const TryEdits attempt = [&](const std::vector<Edit>& edits, bool) -> Result<std::optional<JudgedPair>> {
      JudgedPair judged{edits.empty() ? Likeness::differs : Likeness::drifts, {}};
      judged.measurement.times = times;
      return judged;
    };
    EXPECT_EQ(confirm(proposals_of({Strength::graph}), attempt).value().proposals.empty(), times > 4);
    EXPECT_FALSE(confirm(proposals_of({Strength::parameter}), attempt).value().proposals.empty());
  }
}

TEST(Confirm, NothingMendsItInSoManyTries) {
  FakeRegion region{[](const auto&, bool) { return Likeness::differs; }};
  const std::vector<Strength> many(20, Strength::graph);
  const auto found = confirm(proposals_of(many), region.attempt(), 60).value();
  EXPECT_THAT(found.proposals, IsEmpty());
  EXPECT_FALSE(found.is_right_as_it_is);
  EXPECT_EQ(region.asked, 60);
  EXPECT_EQ(found.tries, 60);
}

TEST(Confirm, ErrorsAreGivenOn) {
  const TryEdits attempt = [](const std::vector<Edit>& edits, bool) -> Result<std::optional<JudgedPair>> {
    if (edits.empty()) return JudgedPair{Likeness::differs, {}};
    return fail(ErrorKind::interrupted, "stopped");
  };
  const auto found = confirm(proposals_of({Strength::parameter}), attempt);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
