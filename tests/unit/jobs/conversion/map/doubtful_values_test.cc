#include <gmock/gmock.h>

#include "conversion/map/match_values.h"
#include "map_bench.h"

namespace culprit {
namespace {

using NameMap = std::map<std::string, std::string>;

/// Hidden channels change places with weights, not with the numbers that a Mul takes.
TEST(DoubtfulValues, AFactorMixesNoChannels) {
  const auto graph = [](const std::string& concat) {
    return "g (float[1,3,4,4] x) => (float[1,6,4,4] y) { a = Relu(x)  b = Neg(x)  c = Concat<axis = 1>(" + concat +
           ")  m = Mul(c, half)  y = Sigmoid(m) }";
  };
  const NamedWeights half{{"half", Tensor::of<float>({1}, {0.5F})}};
  ComputedNet source(graph("a, b"), half), target(graph("b, a"), half);
  for (const std::uint64_t seed : {11, 12}) {
    const Tensor x = normal_tensor({1, 3, 4, 4}, seed);
    source.add_sample({{"x", x}});
    target.add_sample({{"x", x}});
  }
  NetPair pair{source, target};
  pair.bind("x", "x");
  EXPECT_EQ(pair.match(), (NameMap{{"a", "a"}, {"b", "b"}}));
}

/// What queries and keys give in a square is its transpose where they are exchanged. Only what follows tells whether
/// that is meant.
TEST(DoubtfulValues, ATransposeThatNothingExplainsIsBorneOut) {
  const auto graph = [](const std::string& scores) {
    return "g (float[1,4,6] x) => (float[1,4,6] z) { q = MatMul(x, wq)  k = MatMul(x, wk)  "
           "qt = Transpose<perm = [0, 2, 1]>(q)  kt = Transpose<perm = [0, 2, 1]>(k)  " +
           scores + "  z = MatMul(y, x) }";
  };
  const NamedWeights weights{{"wq", normal_tensor({6, 6}, 1)}, {"wk", normal_tensor({6, 6}, 2)}};
  const std::string right = "s = MatMul(q, kt)  h = Relu(s)  y = Softmax<axis = -1>(h)";
  const std::string wrong = "s = MatMul(k, qt)  h = Relu(s)  y = Softmax<axis = -1>(h)";
  const std::string turned =
      "s = MatMul(k, qt)  h = Relu(s)  t = Softmax<axis = -2>(h)  y = Transpose<perm = [0, 2, 1]>(t)";
  for (const auto& [scores, are_found] : {std::pair{wrong, false}, {turned, true}}) {
    ComputedNet source(graph(right), weights), target(graph(scores), weights);
    for (const std::uint64_t seed : {11, 12}) {
      source.add_sample({{"x", normal_tensor({1, 4, 6}, seed)}});
      target.add_sample({{"x", normal_tensor({1, 4, 6}, seed)}});
    }
    NetPair pair{source, target};
    pair.bind("x", "x");
    const NameMap found = pair.match();
    EXPECT_TRUE(found.contains("q"));
    EXPECT_EQ(found.contains("s"), are_found);
    EXPECT_EQ(found.contains("h"), are_found);
    EXPECT_EQ(found.contains("z"), are_found);
  }
}

}  // namespace
}  // namespace culprit
