#include "conversion/walk/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conversion/walk/kernel_mates.h"
#include "conversion/walk/settled.h"
#include "side_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Two networks, and which of the target's values are right when nothing wrong comes in: the fake of what runs show.
class WalkBench : public ::testing::Test {
 protected:
  void take(const std::string& source_graph, const std::string& target_graph) {
    source = network_of(source_graph);
    target = network_of(target_graph);
    source_ways.emplace(source);
    target_ways.emplace(target);
    for (const int value : source_ways->values()) sketches_source[value] = sketch(value % 7 + 1);
    for (const int value : target_ways->values()) sketches_target[value] = sketch(value % 5 + 1);
    inputs = {bound(source.inputs[0], target.inputs[0])};
    outputs = {bound(source.outputs[0], target.outputs[0])};
  }

  /// The target's layer that makes it computes something else.
  void breaks(const std::string& value) { wrong.insert(value_named(target, value)); }
  /// What the target's value is when all before it is right.
  void stands_for(const std::string& in_target, const std::string& in_source) {
    mates[value_named(target, in_target)] = value_named(source, in_source);
  }

  static ValueSketch sketch(int seed) {
    std::vector<float> numbers;
    for (int i = 0; i < 16; ++i) numbers.push_back(static_cast<float>((i * seed) % 16));
    return sketch_of(std::vector<Tensor>{Tensor::of<float>({1, 16}, numbers)});
  }

  static ValueMatch bound(int one, int other) {
    ValueMatch match;
    match.source = one;
    match.target = other;
    match.by = FoundBy::binding;
    return match;
  }

  /// A value is right where its maker is and all that comes in is; what is fed is right if it is fed at its own place.
  FedTarget ran(const std::vector<ValueMatch>& cuts) {
    ++runs;
    std::map<int, bool> is_right, is_used_right;
    FedTarget fed;
    fed.sketches = sketches_target;
    for (const int value : target_ways->values()) {
      bool right = !wrong.contains(value);
      for (const int before : target_ways->before(value)) right = right && is_used_right.at(before);
      is_right[value] = is_used_right[value] = right;
      for (const ValueMatch& cut : cuts)
        if (cut.target == value) is_used_right[value] = mates.contains(value) && mates.at(value) == cut.source;
    }
    fed.found[inputs[0].source] = inputs[0];
    for (const auto& [value, mate] : mates)
      if (is_right.at(value)) fed.found[mate] = {mate, value, {}, FoundBy::numbers};
    for (const ValueMatch& cut : cuts) fed.found[cut.source] = cut;
    const int last = outputs[0].target;
    if (!is_right.at(last)) fed.bad_outputs.push_back(outputs[0].source);
    return fed;
  }

  WalkResult go() {
    const WalkTask task{*source_ways, *target_ways, sketches_source, map, inputs, outputs};
    const auto run = [this](const std::vector<ValueMatch>& cuts) -> Result<std::optional<FedTarget>> {
      return ran(cuts);
    };
    return walk(task, {run, run}).value();
  }

  [[nodiscard]] std::vector<std::string> cuts(const WalkResult& result) const {
    std::vector<std::string> told;
    for (const WalkStep& step : result.steps)
      told.push_back(source.values[static_cast<std::size_t>(step.region.source)].name + "@" +
                     target.values[static_cast<std::size_t>(step.region.target)].name +
                     (step.cut.is_settled ? "" : "?"));
    return told;
  }

  /// A kernel of the source and the target's layer that holds it.
  void kernel(const std::vector<std::string>& sources, const std::string& in_target) {
    DerivedTensor derived;
    derived.tensor.numbers.assign(16, 1);
    derived.tensor.numbers[0] = 2;
    for (const std::string& value : sources) derived.layers.push_back(layer_making(source, value));
    TargetParameter parameter;
    parameter.layer = layer_making(target, in_target);
    parameter.tensor.numbers.assign(16, 1);
    ParameterMatch match;
    match.source = map.derived.size();
    match.target = map.target_parameters.size();
    map.derived.push_back(derived);
    map.target_parameters.push_back(parameter);
    map.parameters.push_back(match);
  }

  Network source, target;
  std::optional<Ways> source_ways, target_ways;
  std::map<int, ValueSketch> sketches_source, sketches_target;
  std::vector<ValueMatch> inputs, outputs;
  ConversionMap map;
  std::set<int> wrong;
  std::map<int, int> mates;
  int runs = 0;
};

constexpr const char* five_layers = R"(g (float[1,16] x) => (float[1,16] e) {
  a = Relu (x)  b = Sigmoid (a)  c = Tanh (b)  d = Exp (c)  e = Abs (d) })";

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

class Cuts : public WalkBench {
 protected:
  [[nodiscard]] std::set<std::string> candidates(const std::string& suspect, const std::vector<std::string>& known) {
    for (const std::string& name : known)
      map.values[value_named(source, name)] = bound(value_named(source, name), mate(name));
    const auto suspects = suspects_of(*source_ways, {source.outputs[0]}, map.values);
    const CutTask task{*source_ways,    *target_ways, sketches_source,
                       sketches_target, map,          suspects,
                       outputs,         {},           value_named(source, suspect)};
    std::set<std::string> told;
    for (const CutCandidate& one : cut_candidates(task))
      told.insert(source.values[static_cast<std::size_t>(one.source)].name + "@" +
                  target.values[static_cast<std::size_t>(one.target)].name);
    return told;
  }
  [[nodiscard]] int mate(const std::string& name) const {
    for (const auto& [value, one] : mates)
      if (one == value_named(source, name)) return value;
    return target.inputs[0];
  }
};

TEST_F(Cuts, NoKernelIsCrossed) {
  take(five_layers, five_layers);
  kernel({"b"}, "b");
  kernel({"c"}, "c");
  stands_for("a", "a");
  const auto found = candidates("b", {"x", "a"});
  EXPECT_TRUE(found.contains("b@b"));
  EXPECT_FALSE(found.contains("b@c"));  // behind the kernel of c
  EXPECT_FALSE(found.contains("c@b"));
  EXPECT_TRUE(found.contains("c@c"));
}

TEST_F(Cuts, AFoldedKernelIsCutBehindItsNormalization) {
  take(five_layers,
       R"(g (float[1,16] x) => (float[1,16] e) { a = Relu (x)  bc = Sigmoid (a)  d = Exp (bc)  e = Abs (d) })");
  kernel({"b", "c"}, "bc");
  stands_for("a", "a");
  const auto found = candidates("b", {"x", "a"});
  EXPECT_FALSE(found.contains("b@bc"));
  EXPECT_TRUE(found.contains("c@bc"));
}

/// Query and key in one kernel of the target: what the query gives is right, what the key gives is not.
TEST_F(Cuts, ANeighbourInAStackMayBeRight) {
  take(
      R"(g (float[1,16] x) => (float[1,16] e) { a = Relu (x)  b = Sigmoid (x)  c = Tanh (b)  d = Sum (a, c)  e = Abs (d) })",
      R"(g (float[1,16] x) => (float[1,16] e) { ab = Relu (x)  a, b = Split (ab)  c = Tanh (b)  d = Sum (a, c)  e = Abs (d) })");
  kernel({"a", "b"}, "ab");
  stands_for("a", "a");
  EXPECT_TRUE(candidates("b", {"x", "a"}).contains("b@b"));
  map.values.clear();
  EXPECT_FALSE(candidates("b", {"x"}).contains("b@b"));
}

/// A target that stops shows nothing of what lies behind.
TEST_F(Cuts, WhatNoRunShowsMayBeOfTheSameType) {
  take(five_layers, five_layers);
  stands_for("a", "a");
  for (const char* name : {"b", "c", "d", "e"}) sketches_target.erase(value_named(target, name));
  const auto found = candidates("b", {"x", "a"});
  EXPECT_TRUE(found.contains("b@b"));
  EXPECT_FALSE(found.contains("b@c"));
}

TEST_F(Cuts, OutputsRestOnTheirLastKernels) {
  take(
      R"(g (float[1,16] x) => (float[1,16] d, float[1,16] e) { a = Relu (x)  b = Sigmoid (a)  c = Tanh (a)  d = Exp (b)  e = Abs (c) })",
      R"(g (float[1,16] x) => (float[1,16] e, float[1,16] d) { a = Relu (x)  c = Tanh (a)  b = Sigmoid (a)  e = Exp (c)  d = Abs (b) })");
  kernel({"a"}, "a");
  kernel({"b"}, "b");
  const std::vector<KernelMate> mates_of{{{layer_making(source, "a")}, layer_making(target, "a"), 0},
                                         {{layer_making(source, "b")}, layer_making(target, "b"), 1}};
  const auto is_one = [&](const char* one, const char* other) {
    return rest_on_the_same_kernels(mates_of, *source_ways, value_named(source, one), *target_ways,
                                    value_named(target, other));
  };
  EXPECT_TRUE(is_one("d", "d"));
  EXPECT_TRUE(is_one("e", "e"));
  EXPECT_FALSE(is_one("d", "e"));
  EXPECT_FALSE(is_one("x", "x"));
}

TEST_F(Cuts, SizesMayDifferOnlyWhereTheTypeIsTheSame) {
  take(five_layers, five_layers);
  stands_for("a", "a");
  const auto smaller = sketch_of(std::vector<Tensor>{Tensor::of<float>({1, 2}, {1, 2})});
  for (const char* name : {"b", "c", "d", "e"}) sketches_target[value_named(target, name)] = smaller;
  const auto found = candidates("b", {"x", "a"});
  EXPECT_TRUE(found.contains("b@b"));
  EXPECT_FALSE(found.contains("b@c"));
}

/// Whatever elementwise layers behind it say: the order is that of the input, for shapes allow no other.
TEST_F(Cuts, OrderIsNotSettledByElementwiseLayers) {
  take(R"(g (float[1,2,3,3] x) => (float[1,2,3,3] b) { a = Relu (x)  b = Abs (a) })",
       R"(g (float[1,3,3,2] x) => (float[1,3,3,2] b) { a = Relu (x)  b = Abs (a) })");
  const auto filled = [](const Shape& shape) {
    std::vector<float> numbers(18);
    for (std::size_t i = 0; i < 18; ++i) numbers[i] = static_cast<float>(i);
    return sketch_of(std::vector<Tensor>{Tensor::of<float>(shape, numbers)});
  };
  for (const int value : source_ways->values()) sketches_source[value] = filled({1, 2, 3, 3});
  for (const int value : target_ways->values()) sketches_target[value] = filled({1, 3, 3, 2});
  inputs[0].order = {{{0, 2, 3, 1}, false}};
  map.values[source.inputs[0]] = inputs[0];
  const auto suspects = suspects_of(*source_ways, {source.outputs[0]}, map.values);
  const CutTask task{*source_ways, *target_ways, sketches_source,         sketches_target, map, suspects,
                     outputs,      {},           value_named(source, "a")};
  bool is_seen = false;
  for (const CutCandidate& one : cut_candidates(task)) {
    if (one.source != value_named(source, "a") || one.target != value_named(target, "a")) continue;
    is_seen = true;
    ASSERT_EQ(one.orders.size(), 1U);
    EXPECT_EQ(one.orders[0].axes.axes, (std::vector{0, 2, 3, 1}));
  }
  EXPECT_TRUE(is_seen);
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
