#include "conversion/map/match_values.h"

#include <gmock/gmock.h>

#include "map_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using NameMap = std::map<std::string, std::string>;

const char* const two_convs = R"(
g (float[1,3,6,6] x) => (float[1,4,2,2] c2)
{
  c1 = Conv(x, w1, b1)
  r1 = Relu(c1)
  c2 = Conv(r1, w2)
})";

NamedWeights weights_of_two_convs() {
  return {
      {"w1", normal_tensor({5, 3, 3, 3}, 1)}, {"b1", normal_tensor({5}, 2)}, {"w2", normal_tensor({4, 5, 3, 3}, 3)}};
}

Tensor picture(std::uint64_t seed) { return normal_tensor({1, 3, 6, 6}, seed); }

TEST(MatchValues, RenamedIsFound) {
  ComputedNet source(two_convs, weights_of_two_convs()), target(R"(
g (float[1,3,6,6] a) => (float[1,4,2,2] d)
{
  b = Conv(a, w1, b1)
  c = Relu(b)
  d = Conv(c, w2)
})",
                                                                weights_of_two_convs());
  for (const std::uint64_t seed : {11, 12}) {
    source.add_sample({{"x", picture(seed)}});
    target.add_sample({{"a", picture(seed)}});
  }
  NetPair pair{source, target};
  pair.bind("x", "a");
  EXPECT_EQ(pair.match(), (NameMap{{"c1", "b"}, {"r1", "c"}, {"c2", "d"}}));
  EXPECT_EQ(pair.of("c1").by, FoundBy::numbers);
  EXPECT_TRUE(pair.of("c1").order.moves_nothing());
  EXPECT_FALSE(pair.of("c1").is_alias);
  EXPECT_LE(source.asked + target.asked, 6);  // only what the sketches allow is read
}

TEST(MatchValues, ChannelsLast) {
  ComputedNet source(two_convs, weights_of_two_convs()), target(R"(
g (float[1,6,6,3] a) => (float[1,4,2,2] d)
{
  t = Transpose<perm = [0, 3, 1, 2]>(a)
  b = Conv(t, w1, b1)
  last = Transpose<perm = [0, 2, 3, 1]>(b)
  c = Relu(last)
  first = Transpose<perm = [0, 3, 1, 2]>(c)
  d = Conv(first, w2)
})",
                                                                weights_of_two_convs());
  for (const std::uint64_t seed : {11, 12}) {
    source.add_sample({{"x", picture(seed)}});
    target.add_sample({{"a", with_axes(picture(seed), {0, 2, 3, 1})}});
  }
  NetPair pair{source, target};
  pair.bind("x", "a", {{{0, 2, 3, 1}}});
  EXPECT_EQ(pair.match(), (NameMap{{"c1", "b"}, {"r1", "c"}, {"c2", "d"}}));
  EXPECT_THAT(pair.of("r1").order.axes.axes, ElementsAre(0, 2, 3, 1));
  EXPECT_TRUE(pair.of("c2").order.moves_nothing());
}

TEST(MatchValues, PermutedChannelsButNoFlattenOfThem) {
  const std::vector<std::int64_t> order{3, 0, 4, 2, 1};
  const char* const graph = R"(
g (float[1,3,6,6] x) => (float[1,7] y)
{
  c1 = Conv(x, w1, b1)
  r1 = Relu(c1)
  f = Flatten(r1)
  y = MatMul(f, w2)
})";
  NamedWeights weights = weights_of_two_convs();
  weights["w2"] = normal_tensor({80, 7}, 3);
  ComputedNet source(graph, weights);
  NamedWeights permuted = weights;
  permuted["w1"] = with_slices(weights.at("w1"), 0, order);
  permuted["b1"] = with_slices(weights.at("b1"), 0, order);
  const Tensor in_blocks = laid_out(weights.at("w2"), ValueOrder{}, {5, 16, 7}).value();
  permuted["w2"] = laid_out(with_slices(in_blocks, 0, order), ValueOrder{}, {80, 7}).value();
  ComputedNet target(graph, permuted);
  for (const std::uint64_t seed : {11, 12}) {
    source.add_sample({{"x", picture(seed)}});
    target.add_sample({{"x", picture(seed)}});
  }
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"c1", "c1"}, {"r1", "r1"}, {"y", "y"}}));
  EXPECT_EQ(pair.of("c1").order.channels, order);
  EXPECT_EQ(pair.of("r1").order.channels, order);
  EXPECT_TRUE(pair.of("y").order.moves_nothing());
}

/// A Concat of known values in another order is a mistake, though no number is lost.
TEST(MatchValues, NothingButParametersMixesChannels) {
  const auto graph = [](const std::string& concat) {
    return "g (float[1,3,4,4] x) => (float[1,6,4,4] y) { a = Relu(x)  b = Neg(x)  c = Concat<axis = 1>(" + concat +
           ")  y = Sigmoid(c) }";
  };
  ComputedNet source(graph("a, b"), {}), target(graph("b, a"), {});
  for (const std::uint64_t seed : {11, 12}) {
    const Tensor x = normal_tensor({1, 3, 4, 4}, seed);
    source.add_sample({{"x", x}});
    target.add_sample({{"x", x}});
  }
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a"}, {"b", "b"}}));
}

TEST(MatchValues, ADeadChannelHasTheOrderOfTheOneBefore) {
  const char* const graph = R"(
g (float[1,3,6,6] x) => (float[1,5,4,4] r1)
{
  c1 = Conv(x, w1, b1)
  r1 = Relu(c1)
})";
  NamedWeights weights = weights_of_two_convs();
  weights["b1"] = Tensor::of<float>({5}, {0, -1000, 0, -1000, -1000});
  const std::vector<std::int64_t> order{3, 0, 4, 2, 1};
  NamedWeights permuted = weights;
  permuted["w1"] = with_slices(weights.at("w1"), 0, order);
  permuted["b1"] = with_slices(weights.at("b1"), 0, order);
  ComputedNet source(graph, weights), target(graph, permuted);
  for (const std::uint64_t seed : {11, 12}) {
    source.add_sample({{"x", picture(seed)}});
    target.add_sample({{"x", picture(seed)}});
  }
  NetPair pair{source, target};
  pair.bind("x", "x");
  pair.match();
  EXPECT_EQ(pair.of("r1").order.channels, order);
}

TEST(MatchValues, ConstantsAreNeverFound) {
  const char* const graph = R"(
g (float[1,4] x) => (float[1,4] y)
{
  zero = Mul(x, none)
  one = ReduceMean<axes = [1]>(x)
  z = Relu(zero)
  y = Add(z, one)
})";
  const NamedWeights weights{{"none", Tensor::of<float>({1}, {0})}};
  ComputedNet source(graph, weights), target(graph, weights);
  for (const std::uint64_t seed : {11, 12}) {
    const Tensor x = normal_tensor({1, 4}, seed);
    source.add_sample({{"x", x}});
    target.add_sample({{"x", x}});
  }
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_THAT(pair.match(), IsEmpty());  // zeros, one number, and the same number everywhere
}

TEST(MatchValues, OnlyOnThePath) {
  ComputedNet source(R"(
g (float[1,9] x, float[1,9] z) => (float[1,9] y)
{
  p = Relu(x)
  q = Relu(z)
  p2 = Neg(p)
  q2 = Sigmoid(q)
  y = Add(p2, q2)
})",
                     {});
  ComputedNet target(R"(
g (float[1,9] x, float[1,9] z) => (float[1,9] y)
{
  q = Relu(z)
  beside = Neg(q)
  p = Relu(x)
  wrong = Abs(p)
  q2 = Sigmoid(q)
  other = Add(wrong, q2)
  y = Add(other, beside)
})",
                     {});
  const Tensor both = normal_tensor({1, 9}, 5);  // so that both ways have the same numbers
  source.add_sample({{"x", both}, {"z", both}});
  target.add_sample({{"x", both}, {"z", both}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  pair.bind("z", "z");
  EXPECT_EQ(pair.match(), (NameMap{{"p", "p"}, {"q", "q"}, {"q2", "q2"}}));
}

TEST(MatchValues, FirstOnThePath) {
  ComputedNet source(R"(
g (float[1,9] x) => (float[1,9] y)
{
  a = Relu(x)
  b = Identity(a)
  y = Neg(b)
})",
                     {});
  ComputedNet target(R"(
g (float[1,9] x) => (float[1,9] y)
{
  a1 = Relu(x)
  a2 = Identity(a1)
  a3 = Dropout(a2)
  y = Neg(a3)
})",
                     {});
  const Tensor x = normal_tensor({1, 9}, 5);
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a1"}, {"b", "a1"}, {"y", "y"}}));
  EXPECT_FALSE(pair.of("a").is_alias);
  EXPECT_TRUE(pair.of("b").is_alias);
}

TEST(MatchValues, NoValueTwiceButByMovers) {
  ComputedNet source(R"(
g (float[1,9] x) => (float[1,9] y)
{
  a = Relu(x)
  b = Relu(x)
  y = Add(a, b)
})",
                     {});
  ComputedNet target(R"(
g (float[1,9] x) => (float[1,9] y)
{
  a = Relu(x)
  y = Add(a, a)
})",
                     {});
  const Tensor x = normal_tensor({1, 9}, 5);
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a"}, {"y", "y"}}));
}

TEST(MatchValues, BehindWhatIsFed) {
  const char* const graph = R"(
g (float[1,9] x) => (float[1,9] y)
{
  a = Mul(x, w)
  b = Relu(a)
  y = Sigmoid(b)
})";
  ComputedNet source(graph, {{"w", Tensor::of<float>({1}, {2})}}), target(graph, {{"w", Tensor::of<float>({1}, {3})}});
  const Tensor x = normal_tensor({1, 9}, 5);
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_THAT(pair.match(), IsEmpty());
  target.by_value = source.by_value;  // a is fed
  pair.bind("a", "a", {}, FoundBy::fed);
  EXPECT_EQ(pair.match(), (NameMap{{"b", "b"}, {"y", "y"}}));
  EXPECT_EQ(pair.of("a").by, FoundBy::fed);
}

TEST(MatchValues, WhatDriftsIsFoundUnlessSomethingSpeaksAgainstIt) {
  const char* const graph = R"(
g (float[1,9] x) => (float[1,9] y)
{
  a = Mul(x, w)
  y = Relu(a)
})";
  ComputedNet source(graph, {{"w", Tensor::of<float>({1}, {2})}}),
      target(graph, {{"w", Tensor::of<float>({1}, {2.0006F})}});
  const Tensor x = normal_tensor({1, 9}, 5);
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a"}, {"y", "y"}}));
  EXPECT_TRUE(pair.of("a").is_near) << "more than near, and within the tolerance";
  pair.must_be_equal.assign(source.network.values.size(), false);
  pair.must_be_equal[static_cast<std::size_t>(source("a"))] = true;
  EXPECT_EQ(pair.match(), (NameMap{{"y", "y"}}));
  EXPECT_FALSE(pair.of("y").is_near);
}

/// The judge is not asked, so the measurement has no floor.
TEST(MatchValues, WhatIsNearIsTakenUnaskedUnlessItIsSuspect) {
  const char* const graph = R"(
g (float[1,9] x) => (float[1,9] y)
{
  a = Mul(x, w)
  y = Relu(a)
})";
  ComputedNet source(graph, {{"w", Tensor::of<float>({1}, {2})}}),
      target(graph, {{"w", Tensor::of<float>({1}, {2.00002F})}});
  const Tensor x = normal_tensor({1, 9}, 5);
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a"}, {"y", "y"}}));
  for (const char* name : {"a", "y"}) {
    EXPECT_TRUE(pair.of(name).is_near) << name;
    EXPECT_GT(pair.of(name).measurement.max_abs, 0) << name;
  }
  pair.must_be_equal.assign(source.network.values.size(), false);
  pair.must_be_equal[static_cast<std::size_t>(source("a"))] = true;
  EXPECT_EQ(pair.match(), (NameMap{{"y", "y"}}));
  EXPECT_FALSE(pair.of("y").is_near) << "it follows from one that is suspect";
}

/// The nearer one of two that are near is meant, though the other comes first.
TEST(MatchValues, TheNearestOfThoseThatAreNear) {
  const Tensor x = normal_tensor({1, 9}, 5);
  ComputedNet source("g (float[1,9] x) => (float[1,9] y)\n{\n  y = Mul(x, w)\n}", {{"w", Tensor::of<float>({1}, {2})}});
  ComputedNet target("g (float[1,9] x) => (float[1,9] b)\n{\n  a = Mul(x, w)\n  b = Mul(a, v)\n}",
                     {{"w", Tensor::of<float>({1}, {2.00002F})}, {"v", Tensor::of<float>({1}, {0.99999F})}});
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"y", "b"}}));
}

TEST(MatchValues, IntegerWidths) {
  const char* const graph = R"(
g (float[1,3] x) => (int64[1,3] y)
{
  a = Cast<to = 7>(x)
  y = Identity(a)
})";
  ComputedNet source(graph, {}), target(graph, {});
  const Tensor x = Tensor::of<float>({1, 3}, {4, 5, 16777216});
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  for (auto& [value, tensors] : target.by_value)
    if (value != target("x")) tensors[0] = cast(tensors[0], DType::i32).value();
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a"}, {"y", "a"}}));
  target.by_value[target("a")][0] = Tensor::of<std::int32_t>({1, 3}, {4, 5, 16777217});
  target.by_value[target("y")][0] = target.by_value[target("a")][0];
  EXPECT_THAT(pair.match(), IsEmpty());
}

TEST(MatchValues, WhatNoRunShowedIsNotFound) {
  ComputedNet source(two_convs, weights_of_two_convs()), target(two_convs, weights_of_two_convs());
  source.add_sample({{"x", picture(1)}});
  target.add_sample({{"x", picture(1)}});
  target.by_value.erase(target("r1"));
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"c1", "c1"}, {"c2", "c2"}}));
  EXPECT_THAT((NetPair{source, target}.match()), IsEmpty());  // nothing is bound
}

}  // namespace
}  // namespace culprit
