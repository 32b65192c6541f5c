#include "conversion/map/derived_parameters.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "map_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The first one of this role, whose making says this.
const DerivedTensor* made_by(const std::vector<DerivedTensor>& tensors, const std::string& role,
                             const std::string& how) {
  const auto found = std::ranges::find_if(tensors, [&](const DerivedTensor& tensor) {
    return tensor.role == role && tensor.how.find(how) != std::string::npos && tensor.is_stored() == how.empty();
  });
  return found == tensors.end() ? nullptr : &*found;
}

Tensor tensor_of(const DerivedTensor& derived) { return Tensor::of(derived.tensor.shape, derived.tensor.numbers); }

NamedWeights weights_of_folding() {
  return {{"w", normal_tensor({5, 3, 3, 3}, 1)},
          {"b", normal_tensor({5}, 2)},
          {"d", normal_tensor({6, 5}, 3)},
          {"dt", normal_tensor({5, 6}, 4)},
          {"add", normal_tensor({1, 5, 1, 1}, 5)},
          {"last", normal_tensor({5}, 6)},
          {"half", Tensor::of<float>({}, {0.5F})},
          {"g", normal_tensor({5}, 7, 0.3, 1)},
          {"beta", normal_tensor({5}, 8)},
          {"mean", normal_tensor({5}, 9)},
          {"var", Tensor::of<float>({5}, {0.5F, 1, 2, 0.01F, 0.002F})}};
}

struct FoldingRow {
  const char* what;
  const char* inputs;
  const char* nodes;   // make y of x
  const char* folded;  // one node that makes y of x by k and c
  const char* kernel;
  const char* bias;  // "": none
};

const char *const a_picture = "float[1,3,4,4] x", *const a_row = "float[2,6] x";

const std::vector<FoldingRow> folding_rows{
    {"a normalization", a_picture, "a = Conv(x, w) y = BatchNormalization<epsilon = 0.001>(a, g, beta, mean, var)",
     "Conv(x, k, c)", "scale of BatchNormalization 'y'", "BatchNormalization 'y'"},
    {"a bias and a normalization", a_picture, "a = Conv(x, w, b) y = BatchNormalization(a, g, beta, mean, var)",
     "Conv(x, k, c)", "scale of BatchNormalization 'y'", "BatchNormalization 'y'"},
    {"a normalization after an addition", a_picture,
     "a = Conv(x, w) s = Add(a, add) y = BatchNormalization(s, g, beta, mean, var)", "Conv(x, k, c)",
     "scale of BatchNormalization 'y'", "BatchNormalization 'y'"},
    {"two biases", a_row, "a = Gemm(x, d, b) y = Add(last, a)", "Gemm(x, d, c)", "", "with that of Add 'y'"},
    {"what is subtracted", a_row, "a = MatMul(x, d) y = Sub(a, last)", "Gemm(x, d, c)", "", "with that of Sub 'y'"},
    {"a turned kernel", a_row, "a = Gemm<transB = 1>(x, dt, b) y = Mul(a, last)", "Gemm<transB = 1>(x, k, c)",
     "times Mul 'y'", "times Mul 'y'"},
    {"a number behind", a_row, "a = MatMul(x, d) s = Add(a, last) y = Div(s, half)", "Gemm(x, k, c)", "times Div 'y'",
     "times Div 'y'"},
    {"a number before", a_row, "a = Mul(half, x) y = MatMul(a, d)", "MatMul(x, k)", "times Mul 'a'", ""},
    {"a normalization after a move", a_picture,
     "a = Conv(x, w) i = Identity(a) y = BatchNormalization(i, g, beta, mean, var)", "Conv(x, k, c)",
     "scale of BatchNormalization 'y'", "BatchNormalization 'y'"},
};

std::string graph_of(const FoldingRow& row, const std::string& nodes) {
  return std::string("g (") + row.inputs + ") => (float[N] y) { " + nodes + " }";
}

TEST(DerivedTensors, FoldedOnesComputeTheSame) {
  for (const FoldingRow& row : folding_rows) {
    NamedWeights weights = weights_of_folding();
    ComputedNet source(graph_of(row, row.nodes), weights);
    const auto derived = derived_tensors(source.network);
    const auto* kernel = made_by(derived, "kernel", row.kernel);
    const auto* bias = made_by(derived, "bias", row.bias);
    ASSERT_TRUE(kernel != nullptr && (bias != nullptr || row.bias == std::string())) << row.what;
    weights["k"] = tensor_of(*kernel);
    if (bias != nullptr) weights["c"] = tensor_of(*bias);
    ComputedNet folded(graph_of(row, std::string("y = ") + row.folded), weights);
    const Tensor x = normal_tensor(row.inputs == a_picture ? Shape{1, 3, 4, 4} : Shape{2, 6}, 20);
    source.add_sample({{"x", x}});
    folded.add_sample({{"x", x}});
    EXPECT_LT(distance(source.by_value[source("y")][0].as<float>(), folded.by_value[folded("y")][0].as<float>()), 2e-6)
        << row.what;
  }
}

TEST(DerivedTensors, TellWhatTheyAreMadeOf) {
  const ComputedNet net(graph_of(folding_rows[2], folding_rows[2].nodes), weights_of_folding());
  const auto derived = derived_tensors(net.network);
  const auto* kernel = made_by(derived, "kernel", "BatchNormalization");
  const auto* bias = made_by(derived, "bias", "with that of BatchNormalization");
  ASSERT_TRUE(kernel != nullptr && bias != nullptr);
  EXPECT_THAT(kernel->layers, ElementsAre(net.layer("a"), net.layer("s"), net.layer("y")));
  EXPECT_THAT(kernel->parameters, ElementsAre(net("w"), net("g"), net("var")));
  EXPECT_THAT(bias->parameters, ElementsAre(net("add"), net("beta"), net("mean")));
  EXPECT_EQ(kernel->axes, "OIHW");
  EXPECT_EQ(kernel->tensor.place, net.layer("a"));
  ASSERT_EQ(kernel->factors.size(), 5U);
  EXPECT_FLOAT_EQ(kernel->factors[1] * weights_of_folding().at("w").as<float>()[27], kernel->tensor.numbers[27]);
}

TEST(DerivedTensors, GemmTimesAlpha) {
  const ComputedNet net("g (float[2,6] x) => (float[N] y) { y = Gemm<alpha = 0.25, beta = 2.0>(x, d, b) }",
                        weights_of_folding());
  const auto derived = derived_tensors(net.network);
  const auto* kernel = made_by(derived, "kernel", "alpha of Gemm 'y'");
  ASSERT_NE(kernel, nullptr);
  EXPECT_FLOAT_EQ(kernel->tensor.numbers[3], weights_of_folding().at("d").as<float>()[3] / 4);
}

TEST(DerivedTensors, UsesTheLayersEpsilon) {
  const auto kernel_with = [](const std::string& attributes) {
    const ComputedNet net(
        graph_of(folding_rows[0], "a = Conv(x, w) y = BatchNormalization" + attributes + "(a, g, beta, mean, var)"),
        weights_of_folding());
    return made_by(derived_tensors(net.network), "kernel", "BatchNormalization")->tensor.numbers;
  };
  const auto preset = kernel_with("");
  EXPECT_EQ(distance(preset, kernel_with("<epsilon = 0.00001>")), 0);
  EXPECT_GT(distance(preset, kernel_with("<epsilon = 0.001>")), 1e-3);
}

TEST(DerivedTensors, NothingIsFoldedThatOthersUse) {
  for (const char* nodes : {"a = Conv(x, w) z = Relu(a) y = BatchNormalization(a, g, beta, mean, var)",
                            "a = Conv(x, w) y = Add(a, last)",  // along the last axis, not the channels
                            "a = Conv(x, w) r = Relu(a) y = BatchNormalization(r, g, beta, mean, var)"}) {
    const ComputedNet net(graph_of(folding_rows[0], nodes), weights_of_folding());
    EXPECT_EQ(made_by(derived_tensors(net.network), "kernel", "times"), nullptr) << nodes;
    EXPECT_EQ(made_by(derived_tensors(net.network), "bias", "with that of"), nullptr) << nodes;
  }
  const ComputedNet shown(
      "g (float[1,3,4,4] x) => (float[N] a, float[N] y) "
      "{ a = Conv(x, w) y = BatchNormalization(a, g, beta, mean, var) }",
      weights_of_folding());
  EXPECT_EQ(made_by(derived_tensors(shown.network), "kernel", "times"), nullptr);
}

TEST(DerivedTensors, ANormalizationAlone) {
  const ComputedNet net("g (float[1,5,4,4] x) => (float[N] y) { y = BatchNormalization(x, g, beta, mean, var) }",
                        weights_of_folding());
  const auto derived = derived_tensors(net.network);
  const auto *scale = made_by(derived, "scale", "sqrt"), *shift = made_by(derived, "bias", "mean x");
  ASSERT_TRUE(scale != nullptr && shift != nullptr);
  const Tensor x = normal_tensor({1, 5, 4, 4}, 3);
  ComputedNet source("g (float[1,5,4,4] x) => (float[N] y) { y = BatchNormalization(x, g, beta, mean, var) }",
                     weights_of_folding()),
      target(
          "g (float[1,5,4,4] x) => (float[N] y) { a = Mul(x, s) y = Add(a, t) }",
          {{"s", Tensor::of({5, 1, 1}, scale->tensor.numbers)}, {"t", Tensor::of({5, 1, 1}, shift->tensor.numbers)}});
  source.add_sample({{"x", x}});
  target.add_sample({{"x", x}});
  EXPECT_LT(distance(source.by_value[source("y")][0].as<float>(), target.by_value[target("y")][0].as<float>()), 1e-6);
}

TEST(DerivedTensors, SlopesWithTheOtherSign) {
  const ComputedNet net("g (float[1,3,4,4] x) => (float[N] y) { y = PRelu(x, s) }",
                        {{"s", Tensor::of<float>({3, 1, 1}, {1, 2, -3})}});
  const auto derived = derived_tensors(net.network);
  ASSERT_EQ(derived.size(), 2U);
  EXPECT_TRUE(derived[0].is_stored());
  EXPECT_THAT(derived[1].tensor.numbers, ElementsAre(-1, -2, 3));
}

TEST(DerivedTensors, WhatARunComputedIsAParameter) {
  const ComputedNet net("g (float[2,6] x) => (float[N] y) { k = Transpose(t) y = Gemm<transB = 1>(x, k) }",
                        {{"t", normal_tensor({6, 5}, 1)}});
  EXPECT_THAT(derived_tensors(net.network),
              IsEmpty());  // the Transpose follows from constants: it is no layer that counts
  const auto derived = derived_tensors(net.network, {{net("k"), normal_tensor({5, 6}, 2)}});
  ASSERT_EQ(derived.size(), 1U);
  EXPECT_EQ(derived[0].role, "kernel");
  EXPECT_EQ(derived[0].axes, "OI");
  EXPECT_EQ(derived[0].tensor.place, net.layer("y"));
}

TEST(DerivedTensors, SpatialAxesOfOtherCounts) {
  const ComputedNet net("g (float[1,3,9] x) => (float[N] y) { y = Conv(x, w) }", {{"w", normal_tensor({4, 3, 5}, 1)}});
  EXPECT_EQ(derived_tensors(net.network)[0].axes, "OIW");
}

Tensor counted_tensor(const Shape& shape) {
  std::vector<float> numbers(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  return Tensor::of(shape, numbers);
}

TEST(DerivedTensors, GatesInOtherOrders) {
  const ComputedNet net(
      "g (float[3,1,1] x) => (float[N] y) { y = LSTM<hidden_size = 1>(x, w, r, b) }",
      {{"w", counted_tensor({1, 4, 1})}, {"r", counted_tensor({1, 4, 1})}, {"b", counted_tensor({1, 8})}});
  const auto derived = derived_tensors(net.network);
  EXPECT_THAT(made_by(derived, "kernel", "kernel of LSTM 'y', gates i, f, c, o")->tensor.numbers,
              ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(made_by(derived, "recurrence", "gates i, c, f, o")->tensor.numbers, ElementsAre(0, 3, 2, 1));
  EXPECT_THAT(made_by(derived, "bias", "sum of the biases of LSTM 'y', gates i, o, f, c")->tensor.numbers,
              ElementsAre(4, 6, 8, 10));
  EXPECT_THAT(made_by(derived, "bias", "both biases of LSTM 'y', gates i, f, c, o")->tensor.numbers,
              ElementsAre(0, 2, 3, 1, 4, 6, 7, 5));
  const auto* both = made_by(derived, "kernel", "kernel and recurrence of LSTM 'y', gates i, f, c, o");
  EXPECT_THAT(both->tensor.shape, ElementsAre(4, 2));
  EXPECT_THAT(both->tensor.numbers, ElementsAre(0, 0, 2, 2, 3, 3, 1, 1));
  EXPECT_THAT(made_by(derived, "kernel", "gate 3 of the kernel")->tensor.numbers, ElementsAre(3));
}

TEST(DerivedTensors, EachDirectionAlone) {
  const ComputedNet net(
      "g (float[3,1,2] x) => (float[N] y) { y = GRU<hidden_size = 1, direction = \"bidirectional\">(x, w, r, b) }",
      {{"w", counted_tensor({2, 3, 2})}, {"r", counted_tensor({2, 3, 1})}, {"b", counted_tensor({2, 6})}});
  const auto derived = derived_tensors(net.network);
  const auto* own = made_by(derived, "kernel", "kernel of GRU 'y', gates z, r, h, direction 1");
  const auto* turned = made_by(derived, "kernel", "kernel of GRU 'y', gates r, z, h, direction 1");
  EXPECT_THAT(own->tensor.numbers, ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_THAT(turned->tensor.numbers, ElementsAre(8, 9, 6, 7, 10, 11));
  EXPECT_TRUE(own->stands_for[0].overlaps(turned->stands_for[0]));
  EXPECT_FALSE(own->stands_for[0].overlaps(
      made_by(derived, "kernel", "kernel of GRU 'y', gates z, r, h, direction 0")->stands_for[0]));
}

TEST(DerivedTensors, KernelsInARow) {
  const char* const graph = R"(
g (float[1,2,3] x) => (float[N] y)
{
  q0 = MatMul(x, wq)  k0 = MatMul(x, wk)  v0 = MatMul(x, wv)
  q = Add(q0, bq)  k = Add(k0, bk)  v = Add(bv, v0)
  s = Mul(q, k)
  y = Mul(s, v)
})";
  const ComputedNet net(graph, {{"wq", counted_tensor({3, 2})},
                                {"wk", counted_tensor({3, 2})},
                                {"wv", counted_tensor({3, 1})},
                                {"bq", Tensor::of<float>({2}, {1, 2})},
                                {"bk", Tensor::of<float>({2}, {3, 4})},
                                {"bv", Tensor::of<float>({1}, {5})}});
  const auto derived = derived_tensors(net.network);
  const auto *kernel = made_by(derived, "kernel", "in a row"), *bias = made_by(derived, "bias", "in a row");
  ASSERT_TRUE(kernel != nullptr && bias != nullptr);
  EXPECT_THAT(kernel->tensor.shape, ElementsAre(3, 5));
  EXPECT_THAT(kernel->tensor.numbers, ElementsAre(0, 1, 0, 1, 0, 2, 3, 2, 3, 1, 4, 5, 4, 5, 2));
  EXPECT_THAT(bias->tensor.numbers, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(kernel->parameters, ElementsAre(net("wq"), net("wk"), net("wv")));
  EXPECT_THAT(kernel->how, HasSubstr("'q0', 'k0', 'v0'"));
}

TEST(DerivedTensors, PartsOfWhatIsCut) {
  const ComputedNet net(
      "g (float[2,2] x) => (float[N] one, float[N] other) { y = MatMul(x, w) one, other = Split<axis = 1>(y) }",
      {{"w", counted_tensor({2, 4})}});
  const auto derived = derived_tensors(net.network);
  ASSERT_EQ(derived.size(), 3U);
  EXPECT_THAT(derived[1].tensor.numbers, ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(derived[2].tensor.numbers, ElementsAre(2, 3, 6, 7));
  EXPECT_FALSE(derived[1].stands_for[0].overlaps(derived[2].stands_for[0]));
  EXPECT_TRUE(derived[1].stands_for[0].overlaps(derived[0].stands_for[0]));
}

}  // namespace
}  // namespace culprit
