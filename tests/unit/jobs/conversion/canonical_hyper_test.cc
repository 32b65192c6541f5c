#include "conversion/faults/canonical_hyper.h"

#include <gtest/gtest.h>

#include "side_bench.h"

namespace culprit {
namespace {

using Ints = std::vector<std::int64_t>;

/// The hyper-parameters of the only layer of this type. Shapes: of its input and output.
HyperMap hyper_of_graph(const std::string& graph, const std::string& type, const Shape& input = {},
                        const ValueOrder& order = {}) {
  const Network network = network_of(graph);
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    if (network.layers[i].type == type) return canonical_hyper({network, static_cast<int>(i), input, {}, order});
  throw std::runtime_error("no " + type);
}

std::string conv_with(const std::string& attributes, const std::string& before = "") {
  return "g (float[1,2,7,7] x) => (float[N,C,H,W] y) <float[3,2,3,3] k = {" +
         [] {
           std::string numbers = "1";
           for (int i = 1; i < 54; ++i) numbers += ",1";
           return numbers;
         }() +
         "}" + (before.empty() ? "" : ", int64[8] p = {0,0,1,1,0,0,1,1}") + "> { " +
         (before.empty() ? "" : "z = Pad (x, p) ") + "y = Conv <" + attributes + "> (" + (before.empty() ? "x" : "z") +
         ", k) }";
}

void expect_alike(const HyperMap& one, const HyperMap& other) {
  for (const auto& [name, hyper] : one) {
    ASSERT_TRUE(other.contains(name)) << name;
    EXPECT_TRUE(same_hyper(hyper, other.at(name)))
        << name << " " << to_string(hyper) << " " << to_string(other.at(name));
  }
  EXPECT_EQ(one.size(), other.size());
}

struct AlikeRow {
  const char* what;
  std::string one, other;
  const char* type;
  Shape input;
  bool is_alike;
};

TEST(CanonicalHyper, EqualMeaningsCompareEqual) {
  const auto of_x = [](const std::string& node, const std::string& shape = "1,2,7,7") {
    return "g (float[" + shape + "] x) => (float[N] y) { y = " + node + " (x) }";
  };
  const std::vector<AlikeRow> rows{
      {"what a Conv presets",
       conv_with("kernel_shape = [3,3]"),
       conv_with("strides = [1,1], dilations = [1,1], group = 1"),
       "Conv",
       {1, 2, 7, 7},
       true},
      {"SAME_UPPER",
       conv_with("auto_pad = \"SAME_UPPER\", strides = [2,2]"),
       conv_with("pads = [1,1,1,1], strides = [2,2]"),
       "Conv",
       {1, 2, 7, 7},
       true},
      {"SAME_UPPER of an even size",
       conv_with("auto_pad = \"SAME_UPPER\", strides = [2,2]"),
       conv_with("pads = [0,0,1,1], strides = [2,2]"),
       "Conv",
       {1, 2, 8, 8},
       true},
      {"SAME_LOWER of an even size",
       conv_with("auto_pad = \"SAME_LOWER\", strides = [2,2]"),
       conv_with("pads = [1,1,0,0], strides = [2,2]"),
       "Conv",
       {1, 2, 8, 8},
       true},
      {"VALID", conv_with("auto_pad = \"VALID\""), conv_with("group = 1"), "Conv", {1, 2, 7, 7}, true},
      {"a Pad before it", conv_with("group = 1", "pad"), conv_with("pads = [1,1,1,1]"), "Conv", {1, 2, 7, 7}, true},
      {"pads on other sides",
       conv_with("pads = [0,0,2,2]"),
       conv_with("pads = [1,1,1,1]"),
       "Conv",
       {1, 2, 7, 7},
       false},
      {"strides", conv_with("strides = [2,2]"), conv_with("group = 1"), "Conv", {1, 2, 7, 7}, false},
      {"dilations", conv_with("dilations = [2,2]"), conv_with("group = 1"), "Conv", {1, 2, 7, 7}, false},
      {"the last axis", of_x("Softmax <axis = -1>"), of_x("Softmax <axis = 3>"), "Softmax", {1, 2, 7, 7}, true},
      {"the preset axis", of_x("Softmax"), of_x("Softmax <axis = 3>"), "Softmax", {1, 2, 7, 7}, true},
      {"another axis", of_x("Softmax <axis = 1>"), of_x("Softmax"), "Softmax", {1, 2, 7, 7}, false},
      {"axes from behind",
       of_x("ReduceMean <axes = [-1, 1]>"),
       of_x("ReduceMean <axes = [1, 3]>"),
       "ReduceMean",
       {1, 2, 7, 7},
       true},
      {"all axes", of_x("ReduceMean"), of_x("ReduceMean <axes = [0,1,2,3]>"), "ReduceMean", {1, 2, 7, 7}, true},
      {"other axes",
       of_x("ReduceMean <axes = [2]>"),
       of_x("ReduceMean <axes = [3]>"),
       "ReduceMean",
       {1, 2, 7, 7},
       false},
      {"keepdims says nothing",
       of_x("ReduceMean <axes = [2], keepdims = 0>"),
       of_x("ReduceMean <axes = [2]>"),
       "ReduceMean",
       {1, 2, 7, 7},
       true},
      {"strides of a pool",
       of_x("MaxPool <kernel_shape = [2,2]>"),
       of_x("MaxPool <kernel_shape = [2,2], strides = [1,1]>"),
       "MaxPool",
       {1, 2, 7, 7},
       true},
      {"size of a pool",
       of_x("MaxPool <kernel_shape = [2,2]>"),
       of_x("MaxPool <kernel_shape = [3,3]>"),
       "MaxPool",
       {1, 2, 7, 7},
       false},
      {"pads in a mean",
       of_x("AveragePool <kernel_shape = [2,2], count_include_pad = 1>"),
       of_x("AveragePool <kernel_shape = [2,2]>"),
       "AveragePool",
       {1, 2, 7, 7},
       false},
      {"ceil_mode",
       of_x("MaxPool <kernel_shape = [2,2], ceil_mode = 1>"),
       of_x("MaxPool <kernel_shape = [2,2]>"),
       "MaxPool",
       {1, 2, 7, 7},
       false},
      {"storage_order says nothing",
       of_x("MaxPool <kernel_shape = [2,2], storage_order = 1>"),
       of_x("MaxPool <kernel_shape = [2,2]>"),
       "MaxPool",
       {1, 2, 7, 7},
       true},
      {"the preset slope", of_x("LeakyRelu"), of_x("LeakyRelu <alpha = 0.01>"), "LeakyRelu", {1, 2, 7, 7}, true},
      {"another slope",
       of_x("LeakyRelu <alpha = 0.1>"),
       of_x("LeakyRelu <alpha = 0.01>"),
       "LeakyRelu",
       {1, 2, 7, 7},
       false},
      {"the preset perm", of_x("Transpose"), of_x("Transpose <perm = [3,2,1,0]>"), "Transpose", {1, 2, 7, 7}, true},
      {"another perm",
       of_x("Transpose <perm = [0,2,3,1]>"),
       of_x("Transpose <perm = [0,3,1,2]>"),
       "Transpose",
       {1, 2, 7, 7},
       false},
  };
  for (const AlikeRow& row : rows) {
    SCOPED_TRACE(row.what);
    const auto one = hyper_of_graph(row.one, row.type, row.input),
               other = hyper_of_graph(row.other, row.type, row.input);
    if (row.is_alike)
      expect_alike(one, other);
    else
      EXPECT_FALSE(std::ranges::equal(one, other, [](const auto& a, const auto& b) {
        return a.first == b.first && same_hyper(a.second, b.second);
      }));
  }
}

TEST(CanonicalHyper, AxesOfAnotherLayoutAreThoseOfTheSource) {
  const std::string graph = "g (float[1,7,7,2] x) => (float[N] y) { y = Softmax <axis = 3> (x) }";
  const ValueOrder channels_last{{{0, 2, 3, 1}, false}};
  const auto found = hyper_of_graph(graph, "Softmax", {1, 7, 7, 2}, channels_last);
  EXPECT_TRUE(same_hyper(found.at("axis"), std::int64_t{1}));
  const Network network = network_of(graph);
  EXPECT_TRUE(same_hyper(hyper_in_target("axis", std::int64_t{1}, {network, 0, {1, 7, 7, 2}, {}, channels_last}),
                         std::int64_t{3}));
}

TEST(CanonicalHyper, NumbersAreTheSameWhateverHoldsThem) {
  EXPECT_TRUE(same_hyper(std::int64_t{1}, Ints{1}));
  EXPECT_TRUE(same_hyper(0.1, static_cast<double>(0.1F)));
  EXPECT_FALSE(same_hyper(0.1, 0.11));
  EXPECT_FALSE(same_hyper(Ints{1, 1}, Ints{1}));
  EXPECT_FALSE(same_hyper(std::string("constant"), std::string("reflect")));
}

/// [1,H,W,O] has two sizes along which it moves.
TEST(CanonicalHyper, ADepthwiseKernelOfTflite) {
  Network network;
  network.values = {{"x"}, {"k"}, {"y"}};
  network.values[1].dims = {1, 3, 3, 4};
  NetworkLayer conv;
  conv.type = "Conv";
  conv.inputs = {0, 1};
  conv.outputs = {2};
  conv.parameters = {{1, 1, "kernel", "1HWO"}};
  conv.hyper = {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2, 2}}};
  conv.is_channels_last = true;
  network.layers = {conv};
  const HyperMap made = canonical_hyper({network, 0, {1, 8, 8, 4}, {}});
  EXPECT_EQ(made.at("pads"), Hyper(Ints{0, 0, 1, 1}));
  EXPECT_EQ(made.at("dilations"), Hyper(Ints{1, 1}));
}

}  // namespace
}  // namespace culprit
