#include "conversion/map/coverage.h"

#include <gmock/gmock.h>

#include "map_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NamedWeights coverage_weights() {
  return {{"w", normal_tensor({5, 3, 3, 3}, 1)}, {"g", normal_tensor({5}, 2, 0.3, 1)},
          {"b", normal_tensor({5}, 3)},          {"m", normal_tensor({5}, 4)},
          {"v", normal_tensor({5}, 5, 0.1, 1)},  {"s", normal_tensor({5, 1, 1}, 6)}};
}

TEST(Coverage, CountsWhatIsFoundItselfAndByWhatFollows) {
  ComputedNet source(R"(
g (float[1,3,6,6] x) => (float[N] y)
{
  a = Conv(x, w)
  n = BatchNormalization(a, g, b, m, v)
  r = Relu(n)
  y = PRelu(r, s)
})",
                     coverage_weights());
  const auto derived = derived_tensors(source.network);
  NamedWeights folded{{"s", coverage_weights().at("s")}};
  for (const DerivedTensor& tensor : derived)
    if (tensor.layers.size() == 2) folded[tensor.role] = Tensor::of(tensor.tensor.shape, tensor.tensor.numbers);
  ComputedNet target(R"(
g (float[1,3,6,6] x) => (float[N] y)
{
  n = Conv(x, kernel, bias)
  turned = Transpose<perm = [0, 2, 3, 1]>(n)
  back = Transpose<perm = [0, 3, 1, 2]>(turned)
  r = Relu(back)
  wrong = Sigmoid(r)
  y = PRelu(wrong, s)
})",
                     folded);
  const Tensor x = normal_tensor({1, 3, 6, 6}, 9);
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  NetPair pair{source, target};
  pair.bind("x", "x");
  pair.match();
  ConversionMap map;
  map.derived = derived;
  map.target_parameters = parameters_of(target.network);
  map.parameters = match_parameters(map.derived, map.target_parameters);
  map.values = pair.matches;
  count_coverage(map, *source.ways, *target.ways);
  ASSERT_EQ(map.layers.size(), 4U);
  EXPECT_EQ(map.layers[0].found, LayerFound::by_consumer);
  EXPECT_EQ(map.layers[1].found, LayerFound::itself);
  EXPECT_EQ(map.layers[2].found, LayerFound::itself);
  EXPECT_EQ(map.layers[3].found, LayerFound::no);
  EXPECT_THAT(map.layers[0].targets, ElementsAre(target.layer("n")));
  EXPECT_THAT(map.layers[1].targets, ElementsAre(target.layer("n")));
  EXPECT_THAT(map.layers[2].targets, ElementsAre(1, 2, 3));
  EXPECT_THAT(map.layers[3].targets, ElementsAre(target.layer("y")));  // it holds the slopes
  EXPECT_EQ(map.layers[0].parameters.size(), 2U);
  EXPECT_EQ(map.layers[1].parameters, map.layers[0].parameters);
  EXPECT_THAT(map.layers[2].parameters, IsEmpty());
  EXPECT_EQ(map.counts.layers, 4);
  EXPECT_EQ(map.counts.with_parameters, 3);
  EXPECT_EQ(map.counts.found, 1);
  EXPECT_EQ(map.counts.by_consumer, 1);
  EXPECT_EQ(map.counts.not_found, 1);
  EXPECT_EQ(map.counts.values, 4);
  EXPECT_EQ(map.counts.values_found, 2);
}

TEST(Coverage, AConsumerIsOneOrTwoLayersBehind) {
  const ComputedNet net("g (float[2] x) => (float[N] d) { a = Neg(x) b = Neg(a) c = Neg(b) d = Neg(c) }", {});
  ConversionMap map;
  map.values[net("d")] = {.source = net("d"), .target = net("d"), .order = {}};
  count_coverage(map, *net.ways, *net.ways);
  std::vector<LayerFound> found;
  for (const LayerMatch& layer : map.layers) found.push_back(layer.found);
  EXPECT_THAT(found, ElementsAre(LayerFound::no, LayerFound::by_consumer, LayerFound::by_consumer, LayerFound::itself));
}

TEST(Coverage, WhatFollowsFromConstantsIsNotCounted) {
  ComputedNet net("g (float[2,5] x) => (float[N] y) { k = Neg(w) y = MatMul(x, k) }",
                  {{"w", normal_tensor({5, 5}, 1)}});
  ConversionMap map;
  count_coverage(map, *net.ways, *net.ways);
  EXPECT_EQ(map.layers.size(), 2U);
  EXPECT_EQ(map.counts.layers, 1);
  EXPECT_EQ(map.counts.values, 1);
}

}  // namespace
}  // namespace culprit
