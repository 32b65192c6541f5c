#include "conversion/walk/cuts.h"

#include "conversion/walk/kernel_mates.h"
#include "walk_bench.h"

namespace culprit {
namespace {

class Cuts : public WalkBench {
 protected:
  [[nodiscard]] std::set<std::string> candidates(const std::string& suspect, const std::vector<std::string>& known) {
    const auto told = ranked(suspect, known);
    return {told.begin(), told.end()};
  }
  /// In the order in which they are tried.
  std::vector<std::string> ranked(const std::string& suspect, const std::vector<std::string>& known) {
    for (const std::string& name : known)
      map.values[value_named(source, name)] = bound(value_named(source, name), mate(name));
    const auto suspects = suspects_of(*source_ways, {source.outputs[0]}, map.values);
    const CutTask task{*source_ways,    *target_ways, sketches_source,
                       sketches_target, map,          suspects,
                       outputs,         {},           value_named(source, suspect)};
    std::vector<std::string> told;
    for (const CutCandidate& one : cut_candidates(task))
      told.push_back(source.values[static_cast<std::size_t>(one.source)].name + "@" +
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

/// Where a source shows what comes out of its fused Relu alone, the target's Relu stands for that, not what it takes.
TEST_F(Cuts, AFusedActivationIsNoKernel) {
  take(R"(g (float[1,16] x) => (float[1,16] d) { a = Conv (x)  b = Relu (a)  c = Conv (b)  d = Relu (c) })",
       R"(g (float[1,16] x) => (float[1,16] d) { a = Conv (x)  b = Relu (a)  c = Conv (b)  d = Relu (c) })");
  kernel({"c"}, "c");
  kernel({"a"}, "a");
  sketches_source.erase(value_named(source, "a"));
  const auto found = ranked("a", {"x"});
  ASSERT_GE(found.size(), 2);
  EXPECT_EQ(found[0], "b@b");
  EXPECT_EQ(found[1], "b@a");
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
  // What lies between a layer and the activation that is its option can never be fed.
  target.values[static_cast<std::size_t>(value_named(target, "b"))].is_visible = false;
  EXPECT_FALSE(candidates("b", {"x", "a"}).contains("b@b"));
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

TEST_F(Cuts, ABiasInAnotherLayerTiesNoTwoKernels) {
  take(five_layers, five_layers);
  kernel({"b"}, "b");
  kernel({"c"}, "c");
  kernel({"c"}, "b");
  kernel({"b"}, "c");
  const auto mates_of = kernel_mates(map.derived, map.target_parameters, map.parameters);
  ASSERT_EQ(mates_of.size(), 2U);
  EXPECT_EQ(mates_of[0].sources, std::vector<int>{layer_making(source, "b")});
  EXPECT_EQ(mates_of[1].sources, std::vector<int>{layer_making(source, "c")});
}

/// What the query's kernel gives is a third of what the three in one give.
TEST_F(Cuts, APartOfAStackIsNotTheWhole) {
  take(five_layers, five_layers);
  kernel({"b"}, "b");
  sketches_target[value_named(target, "b")] = sketch_of(std::vector<Tensor>{Tensor::of<float>({1, 2}, {1, 2})});
  EXPECT_TRUE(candidates("b", {"x", "a"}).contains("b@b"));
  map.derived[0].stands_for = {{.layer = layer_making(source, "b"), .value = 0, .of = 3, .part = 0}};
  EXPECT_FALSE(candidates("b", {"x", "a"}).contains("b@b"));
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

}  // namespace
}  // namespace culprit
