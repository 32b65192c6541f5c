#include "conversion/walk/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conversion/walk/settled.h"
#include "walk_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Walk : public WalkBench {
 protected:
  void take_chains() {
    take(five_layers, five_layers);
    for (const char* name : {"a", "b", "c", "d", "e"}) stands_for(name, name);
  }
};

TEST_F(Walk, NothingIsWrong) {
  take_chains();
  const WalkResult result = go();
  EXPECT_THAT(result.steps, IsEmpty());
  EXPECT_THAT(result.left_bad, IsEmpty());
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(map.values.size(), 6U);
}

TEST_F(Walk, OneWrongLayerIsItself) {
  take_chains();
  breaks("c");
  EXPECT_THAT(cuts(go()), ElementsAre("c@c"));
  EXPECT_LE(runs, 20);
}

/// Fed between them, what lies behind is still wrong: they are one group, and confirming tells them apart.
TEST_F(Walk, TwoWrongLayersSideBySide) {
  take_chains();
  breaks("b");
  breaks("c");
  const WalkResult result = go();
  EXPECT_THAT(cuts(result), ElementsAre("c@c"));
  ASSERT_EQ(result.steps.size(), 1U);
  EXPECT_EQ(result.steps[0].suspect, value_named(source, "b"));
  EXPECT_THAT(result.steps[0].group, ElementsAre(layer_making(source, "b"), layer_making(source, "c")));
  EXPECT_THAT(result.left_bad, IsEmpty());
}

TEST_F(Walk, TwoWrongLayersApart) {
  take_chains();
  breaks("a");
  breaks("d");
  EXPECT_THAT(cuts(go()), ElementsAre("a@a", "d@d"));
}

TEST_F(Walk, ALostReluIsItself) {
  take(
      R"(g (float[1,16] x) => (float[1,16] e) { a = Exp (x)  b = Relu (a)  c = Tanh (b)  d = Sigmoid (c)  e = Abs (d) })",
      R"(g (float[1,16] x) => (float[1,16] e) { a = Exp (x)  c = Tanh (a)  d = Sigmoid (c)  e = Abs (d) })");
  for (const char* name : {"a", "c", "d", "e"}) stands_for(name, name);
  // Tanh works on what was not cut off: it is wrong unless it is fed at what comes into it.
  breaks("c");
  // Fed with the source's b at the place of a, Tanh is right.
  const auto run = [this](const std::vector<ValueMatch>& cuts) -> Result<std::optional<FedTarget>> {
    const int a = value_named(target, "a");
    bool is_fed = false;
    for (const ValueMatch& cut : cuts) is_fed = is_fed || (cut.target == a && cut.source == value_named(source, "b"));
    const auto kept = wrong;
    const auto kept_mates = mates;
    if (is_fed) {
      wrong.clear();
      mates[a] = value_named(source, "b");
    }
    FedTarget fed = ran(cuts);
    if (is_fed) fed.found[value_named(source, "a")] = bound(value_named(source, "a"), a);
    wrong = kept;
    mates = kept_mates;
    return fed;
  };
  const WalkTask task{*source_ways, *target_ways, sketches_source, map, inputs, outputs};
  const WalkResult result = walk(task, {run, run}).value();
  EXPECT_THAT(cuts(result), ElementsAre("b@a"));
  ASSERT_EQ(result.steps.size(), 1U);
  EXPECT_THAT(result.steps[0].region.target_layers, IsEmpty());
  EXPECT_THAT(result.steps[0].region.source_layers, ElementsAre(layer_making(source, "b")));
}

/// The sum fed where the Relu of the target takes it, the Relu is right, and no more than that.
TEST_F(Walk, AReluBeforeTheSumIsOneFault) {
  take(
      R"(g (float[1,16] x) => (float[1,16] e) { a = Exp (x)  s = Sum (a, x)  r = Relu (s)  c = Tanh (r)  d = Sigmoid (c)  e = Abs (d) })",
      R"(g (float[1,16] x) => (float[1,16] e) { a = Exp (x)  r = Relu (a)  s = Sum (r, x)  c = Tanh (s)  d = Sigmoid (c)  e = Abs (d) })");
  const auto run = [this](const std::vector<ValueMatch>& cuts) -> Result<std::optional<FedTarget>> {
    FedTarget fed;
    fed.sketches = sketches_target;
    const auto find = [&](const char* one, const char* other) {
      fed.found[value_named(source, one)] = {
          value_named(source, one), value_named(target, other), {}, FoundBy::numbers};
    };
    find("x", "x");
    find("a", "a");
    bool is_right = false;
    for (const ValueMatch& cut : cuts) {
      if (cut.source == value_named(source, "s") && cut.target == value_named(target, "a")) find("r", "r");
      is_right = is_right || (cut.source == value_named(source, "r") && cut.target == value_named(target, "s"));
      fed.found[cut.source] = cut;
    }
    if (is_right)
      for (const char* name : {"c", "d", "e"}) find(name, name);
    else
      fed.bad_outputs.push_back(outputs[0].source);
    return fed;
  };
  const WalkTask task{*source_ways, *target_ways, sketches_source, map, inputs, outputs};
  EXPECT_THAT(cuts(walk(task, {run, run}).value()), ElementsAre("r@s"));
}

TEST_F(Walk, ALayerThatIsNotFoundBeforeFoundOnesIsNoSuspect) {
  take(R"(g (float[1,16] x) => (float[1,16] d) { a = Exp (x)  b = Relu (a)  c = Tanh (b)  d = Abs (c) })",
       R"(g (float[1,16] x) => (float[1,16] d) { b = Sigmoid (x)  c = Tanh (b)  d = Abs (c) })");
  for (const char* name : {"b", "c", "d"}) stands_for(name, name);
  EXPECT_THAT(go().steps, IsEmpty());
}

TEST_F(Walk, ARegionThatIsRightAloneIsNotBlamedAtOnce) {
  take_chains();
  breaks("c");
  int asked = 0;
  const auto run = [this](const std::vector<ValueMatch>& cuts) -> Result<std::optional<FedTarget>> {
    return ran(cuts);
  };
  const WalkTask task{*source_ways, *target_ways, sketches_source, map, inputs, outputs};
  const WalkResult result = walk(task, {run, run,
                                        [&](const WalkStep&) -> Result<bool> {
                                          ++asked;
                                          return false;
                                        }})
                                .value();
  ASSERT_FALSE(result.steps.empty());
  EXPECT_FALSE(result.steps[0].is_explained);
  EXPECT_GT(asked, 1);
}

TEST_F(Walk, StopsAtSoManyFaults) {
  take_chains();
  for (const char* name : {"a", "d"}) breaks(name);
  const auto run = [this](const std::vector<ValueMatch>& cuts) -> Result<std::optional<FedTarget>> {
    return ran(cuts);
  };
  const WalkTask task{*source_ways, *target_ways, sketches_source, map, inputs, outputs, 1};
  const WalkResult result = walk(task, {run, run}).value();
  EXPECT_EQ(result.steps.size(), 1U);
  EXPECT_FALSE(result.left_bad.empty());
  EXPECT_EQ(result.why_it_stopped, "more faults than are looked for");
}

TEST(Settled, NeedsAFoundValueOnEveryWay) {
  const Network network = network_of(R"(g (float[2] x) => (float[2] f) {
    a = Relu (x)  b = Sigmoid (a)  c = Tanh (a)  d = Exp (c)  f = Add (b, d) })");
  const Ways ways(network);
  const int a = value_named(network, "a");
  const auto found = [&](const std::vector<std::string>& names) {
    ValueMatches matches;
    for (const std::string& name : names) matches[value_named(network, name)].source = value_named(network, name);
    return matches;
  };
  EXPECT_FALSE(is_settled(ways, a, found({"b"}), false));
  EXPECT_DOUBLE_EQ(settled_share(ways, a, found({"b"})), 0.5);
  EXPECT_TRUE(is_settled(ways, a, found({"b", "c"}), false));
  EXPECT_TRUE(is_settled(ways, a, found({"b", "d"}), false));
  EXPECT_TRUE(is_settled(ways, value_named(network, "f"), found({}), true));
  EXPECT_FALSE(is_settled(ways, value_named(network, "f"), found({}), false));
}

TEST(Settled, AMoverIsNoEvidence) {
  const Network network = network_of(R"(g (float[2,3] x) => (float[6] d) {
    a = Relu (x)  b = Flatten (a)  c = Sigmoid (b)  d = Abs (c) })");
  const Ways ways(network);
  ValueMatches found;
  found[value_named(network, "b")] = {};
  EXPECT_FALSE(is_settled(ways, value_named(network, "a"), found, false));
  found[value_named(network, "c")] = {};
  EXPECT_TRUE(is_settled(ways, value_named(network, "a"), found, false));
}

TEST(Regions, GoBackOverMovers) {
  const Network network = network_of(R"(g (float[2,3] x) => (float[6] d) {
    a = Relu (x)  b = Flatten (a)  c = Sigmoid (b)  d = Abs (c) })");
  const Ways ways(network);
  ValueMatches known;
  for (const char* name : {"x", "a", "b"}) {
    const int value = value_named(network, name);
    known[value] = {value, value, {}};
  }
  const int c = value_named(network, "c");
  const FaultRegion region = region_before(ways, ways, known, {c, c, {}});
  EXPECT_THAT(region.source_layers, ElementsAre(layer_making(network, "b"), layer_making(network, "c")));
  EXPECT_THAT(region.target_layers, ElementsAre(layer_making(network, "b"), layer_making(network, "c")));
  ASSERT_EQ(region.borders.size(), 1U);
  EXPECT_EQ(region.borders[0].source, value_named(network, "a"));
}

/// An input of the target's layer that is another known value is fed as well.
TEST(Regions, CrossedEdgesEndAtOtherMates) {
  const Network one =
      network_of(R"(g (float[2] x) => (float[2] d) { a = Relu (x)  b = Exp (x)  c = Tanh (x)  d = Sub (a, b) })");
  const Network other =
      network_of(R"(g (float[2] x) => (float[2] d) { a = Relu (x)  b = Exp (x)  c = Tanh (x)  d = Sub (a, c) })");
  const Ways ways(one), other_ways(other);
  ValueMatches known;
  for (const char* name : {"x", "a", "b", "c"})
    known[value_named(one, name)] = {value_named(one, name), value_named(other, name), {}};
  const FaultRegion region =
      region_before(ways, other_ways, known, {value_named(one, "d"), value_named(other, "d"), {}});
  EXPECT_THAT(region.target_layers, ElementsAre(layer_making(other, "d")));
  std::vector<int> fed;
  for (const ValueMatch& border : region.borders) fed.push_back(border.target);
  EXPECT_THAT(fed, UnorderedElementsAre(value_named(other, "a"), value_named(other, "b"), value_named(other, "c")));
}

}  // namespace
}  // namespace culprit
