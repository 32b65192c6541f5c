#include <set>

#include "conversion/coarse/coarse_types.h"
#include "conversion/coarse/honest_rounding.h"
#include "side_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

/// `seen`: values and the types that a run gave of them.
CoarseTypes types_in(const std::string& graph, const std::map<std::string, DType>& seen = {}) {
  const Network network = network_of(graph);
  std::map<int, ValueSketch> sketches;
  for (const auto& [name, type] : seen) {
    SampleSketch sample;
    sample.dtype = type;
    sketches[value_named(network, name)].by_sample = {sample};
  }
  return coarse_types_of(network, sketches);
}

TEST(CoarseTypes, WeightsThatAreDequantizedAreCoarse) {
  const CoarseTypes types = types_in(R"(g (float[1,2] x) => (float[1,2] y)
    <int8[2,2] w = {1, 2, 3, 4}, float s = {0.5}, int8 z = {0}> {
      k = DequantizeLinear(w, s, z)
      y = MatMul(x, k)
    })");
  EXPECT_EQ(types.weights, DType::i8);
  EXPECT_EQ(types.values, DType::undefined);
  EXPECT_FALSE(types.is_by_channel);
  EXPECT_EQ(to_string(types), "int8 weights");
  EXPECT_TRUE(types_in(R"(g (float[1,2] x) => (float[1,2] y)
    <int8[2,2] w = {1, 2, 3, 4}, float[2] s = {0.5, 0.25}, int8[2] z = {0, 0}> {
      k = DequantizeLinear<axis = 1>(w, s, z)
      y = MatMul(x, k)
    })")
                  .is_by_channel);
}

TEST(CoarseTypes, ValuesThatAreQuantizedAndHalvesAreCoarse) {
  EXPECT_EQ(types_in(R"(g (float[1,2] x) => (float[1,2] y) <float s = {0.5}, uint8 z = {0}> {
      q = QuantizeLinear(x, s, z)
      y = DequantizeLinear(q, s, z)
    })",
                     {{"q", DType::u8}, {"y", DType::f32}})
                .values,
            DType::u8);
  const CoarseTypes half = types_in(R"(g (float[1,2] x) => (float[1,2] y) {
      h = Cast<to = 10>(x)
      k = Constant<value = float16[2,2] {1, 2, 3, 4}>()
      m = MatMul(h, k)
      y = Cast<to = 1>(m)
    })",
                                    {{"h", DType::f16}, {"m", DType::f16}, {"y", DType::f32}});
  EXPECT_EQ(half.values, DType::f16);
}

TEST(CoarseTypes, PicturesAndTablesOfIntegersAreNot) {
  EXPECT_FALSE(types_in(R"(g (uint8[1,4] x) => (float[1,4] y) <int8[5] t = {1, 2, 3, 4, 5}> {
      f = Cast<to = 1>(x)
      g = Gather(t, x)
      h = Cast<to = 1>(g)
      y = Add(f, h)
    })",
                        {{"g", DType::i8}, {"f", DType::f32}})
                   .is_any());
}

ConversionMap nothing_matched() { return {}; }

TEST(HonestRounding, KernelsGetAsManyStepsAsTheTypeHas) {
  const Network network = network_of(R"(g (float[1,2] x) => (float[1,2] y)
    <float[2,2] w = {1.27, 0.004, -0.016, 0.5}, float[2] b = {0.001, 0.002}> {
      m = MatMul(x, w)
      y = Add(m, b)
    })");
  const Ways ways(network);
  CoarseTypes types;
  types.weights = DType::i8;
  const auto edits = honest_rounding(ways, nothing_matched(), types, {});
  ASSERT_EQ(edits.size(), 1U) << "the bias is of one axis";
  const auto numbers = std::get<SetConstant>(edits[0]).tensor.as<float>();
  EXPECT_THAT(std::vector<float>(numbers.begin(), numbers.end()),
              ElementsAre(::testing::FloatEq(1.27F), ::testing::FloatEq(0), ::testing::FloatEq(-0.02F),
                          ::testing::FloatEq(0.5F)));
}

TEST(HonestRounding, AChannelHasItsOwnSteps) {
  const Network network = network_of(R"(g (float[1,1,2] x) => (float[1,2,2] y)
    <float[2,1,1] w = {1.27, 0.0043}> { y = Conv(x, w) })");
  const Ways ways(network);
  CoarseTypes types;
  types.weights = DType::i8;
  types.is_by_channel = true;
  const auto edits = honest_rounding(ways, nothing_matched(), types, {});
  ASSERT_EQ(edits.size(), 1U);
  EXPECT_FLOAT_EQ(std::get<SetConstant>(edits[0]).tensor.as<float>()[1], 0.0043F);
}

/// Behind x and m, which the kernel takes and gives; not behind what no kernel touches.
TEST(HonestRounding, ValuesOfKernelsGoThroughSteps) {
  const Network network = network_of(R"(g (float[1,2] x) => (float[1,2] y)
    <float[2,2] w = {1, 2, 3, 4}> {
      m = MatMul(x, w)
      t = Tanh(m)
      y = Tanh(t)
    })");
  const Ways ways(network);
  CoarseTypes types;
  types.values = DType::u8;
  std::map<int, ValueSketch> sketches;
  for (const int value : ways.values()) {
    const Tensor seen[] = {Tensor::of<float>({1, 2}, {-0.5, 2.05F})};
    sketches[value] = sketch_of(seen);
  }
  const auto edits = honest_rounding(ways, nothing_matched(), types, sketches);
  ASSERT_EQ(edits.size(), 8U);
  const auto& step = std::get<InsertBehind>(edits[0]);
  EXPECT_EQ(step.value, value_named(network, "x"));
  EXPECT_EQ(step.layer.type, "Div");
  EXPECT_FLOAT_EQ(step.constants[0].as<float>()[0], 0.01F);
  EXPECT_EQ(std::get<InsertBehind>(edits[4]).value, value_named(network, "m"));
  types.values = DType::f16;
  EXPECT_EQ(honest_rounding(ways, nothing_matched(), types, sketches).size(), 8U) << "a Cast to half and back, each";
}

const char* const three_kernels = R"(g (float[1,2] x) => (float[1,2] y)
    <float[2,2] a = {1.1, 2, 3, 4}, float[2,2] b = {1.2, 2, 3, 4}, float[2,2] c = {1.3, 2, 3, 4}> {
      m = MatMul(x, a)
      t = Tanh(m)
      n = MatMul(t, b)
      y = MatMul(n, c)
    })";

std::map<int, ValueSketch> all_seen(const Ways& ways) {
  std::map<int, ValueSketch> sketches;
  for (const int value : ways.values()) {
    const Tensor seen[] = {Tensor::of<float>({1, 2}, {-0.5, 2.05F})};
    sketches[value] = sketch_of(seen);
  }
  return sketches;
}

/// Names of values that are rounded, each once: kernels are edits of one constant, values of four layers behind.
std::vector<std::string> rounded_names(const Network& network, const std::vector<Edit>& edits) {
  std::vector<std::string> names;
  for (const Edit& edit : edits) {
    const auto* behind = std::get_if<InsertBehind>(&edit);
    const int value = behind != nullptr ? behind->value : std::get<SetConstant>(edit).value;
    if (behind == nullptr || behind->layer.type == "Div")
      names.push_back(network.values[static_cast<std::size_t>(value)].name);
  }
  return names;
}

TEST(RoundingOfLayers, RoundsWhatTheyHoldTakeAndGive) {
  const Network network = network_of(three_kernels);
  const Ways ways(network);
  CoarseTypes types{DType::i8, DType::u8, false};
  const auto sketches = all_seen(ways);
  EXPECT_THAT(layers_that_round({ways, nothing_matched(), types, sketches, {}}), ElementsAre(0, 2, 3));
  const auto rounded = [&](const std::set<int>& layers) {
    return rounded_names(network, rounding_of_layers({ways, nothing_matched(), types, sketches, {}}, layers));
  };
  EXPECT_THAT(rounded({0}), ElementsAre("a", "x", "m"));
  EXPECT_THAT(rounded({2}), ElementsAre("b", "t", "n"));
  EXPECT_THAT(rounded({0, 3}), ElementsAre("a", "c", "x", "m", "n", "y"));
  EXPECT_THAT(rounded({}), ElementsAre());
  const auto all = rounded_names(network, honest_rounding(ways, nothing_matched(), types, sketches));
  EXPECT_EQ(rounded({0, 2, 3}), all);
  EXPECT_EQ(all.size(), 8U);
}

TEST(RoundingOfLayers, InHalfAllLayersRound) {
  const Network network = network_of(three_kernels);
  const Ways ways(network);
  const CoarseTypes types{DType::f16, DType::f16, false};
  const auto sketches = all_seen(ways);
  EXPECT_THAT(layers_that_round({ways, nothing_matched(), types, sketches, {}}), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(rounding_of_layers({ways, nothing_matched(), types, sketches, {}}, {1}).size(), 4U) << "m and t";
  EXPECT_TRUE(layers_that_round({ways, nothing_matched(), types, {}, {}}).size() == 3U) << "no value was seen";
}

}  // namespace
}  // namespace culprit
