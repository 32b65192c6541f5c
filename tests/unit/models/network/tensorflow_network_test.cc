// Graphs of TensorFlow in the neutral words.
#include <gmock/gmock.h>

#include "base/as_index.h"
#include "base/random.h"
#include "network/tensorflow/read_tensorflow_network.h"
#include "tensorflow_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Network> read(const tensorflow::Graph& graph) {
  const auto model = TensorflowModel::of_graph(graph.SerializeAsString());
  if (!model) return tl::unexpected(model.error());
  return read_tensorflow_network(*model);
}

const NetworkLayer& layer_named(const Network& network, const std::string& name) {
  const auto found = std::ranges::find(network.layers, name, &NetworkLayer::name);
  EXPECT_NE(found, network.layers.end()) << name;
  return *found;
}

std::string hyper(const NetworkLayer& layer, const std::string& name) {
  const auto found = layer.hyper.find(name);
  return found == layer.hyper.end() ? "none" : to_string(found->second);
}

std::vector<std::string> types_of(const Network& network) {
  std::vector<std::string> types;
  for (const NetworkLayer& layer : network.layers) types.push_back(layer.type);
  return types;
}

TEST(TensorflowNetwork, IsReadInTheWordsOfOnnx) {
  const auto network = read(small_network());
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(network->format, "tensorflow");
  EXPECT_THAT(types_of(*network), ElementsAre("Conv", "Add", "Relu", "MaxPool", "Reshape", "MatMul", "Softmax"));
  const NetworkLayer& conv = network->layers[0];
  EXPECT_EQ(conv.name, "conv");
  EXPECT_EQ(conv.native_type, "Conv2D");
  EXPECT_TRUE(conv.is_channels_last);
  EXPECT_EQ(hyper(conv, "strides"), "[2, 2]");
  EXPECT_EQ(hyper(conv, "auto_pad"), "SAME_UPPER");
  EXPECT_EQ(hyper(conv, "data_format"), "none") << "is_channels_last tells it";
  EXPECT_EQ(parameter_of(conv, "kernel")->axes, "HWIO");
  EXPECT_EQ(network->values[as_index(parameter_of(conv, "kernel")->value)].name, "kernel:0") << "not the Identity";
  EXPECT_EQ(parameter_of(network->layers[1], "bias")->axes, "O");
  EXPECT_EQ(hyper(network->layers[3], "kernel_shape"), "[2, 2]");
  EXPECT_EQ(hyper(network->layers[4], "shape"), "[-1, 3]");
  EXPECT_TRUE(network->layers[4].parameters.empty());
  EXPECT_EQ(parameter_of(network->layers[5], "kernel")->axes, "IO");
  EXPECT_EQ(hyper(network->layers[6], "axis"), "-1");
  ASSERT_EQ(network->inputs.size(), 1U);
  EXPECT_EQ(network->values[as_index(network->inputs[0])].name, "x:0");
  EXPECT_THAT(network->values[as_index(network->inputs[0])].dims, ElementsAre(-1, 4, 4, 2));
  ASSERT_EQ(network->outputs.size(), 1U);
  EXPECT_EQ(network->values[as_index(network->outputs[0])].name, "y:0");
  for (const NetworkLayer& layer : network->layers)
    EXPECT_EQ(network->values[as_index(layer.outputs[0])].dtype, DType::f32) << layer.name;
}

TEST(TensorflowNetwork, PaddingsAndStridesAreThoseOfTheirLayout) {
  tensorflow::Graph graph = small_network();
  for (auto& node : *graph.mutable_nodes()) {
    if (node.name() != "conv") continue;
    (*node.mutable_attributes())["data_format"].set_word("NCHW");
    set_integers(node, "explicit_paddings", {0, 0, 0, 0, 1, 2, 3, 4});
    (*node.mutable_attributes())["padding"].set_word("EXPLICIT");
    (*node.mutable_attributes())["strides"].mutable_list()->clear_integers();
    set_integers(node, "strides", {1, 1, 2, 3});
    set_integers(node, "dilations", {1, 1, 4, 5});
  }
  const auto network = read(graph);
  ASSERT_TRUE(network);
  const NetworkLayer& conv = layer_named(*network, "conv");
  EXPECT_FALSE(conv.is_channels_last);
  EXPECT_EQ(hyper(conv, "strides"), "[2, 3]");
  EXPECT_EQ(hyper(conv, "dilations"), "[4, 5]");
  EXPECT_EQ(hyper(conv, "pads"), "[1, 3, 2, 4]");
  EXPECT_EQ(hyper(conv, "auto_pad"), "none");
}

TEST(TensorflowNetwork, KernelsHaveTheLettersOfTheirAxes) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1, 4, 4, 2});
  add_constant(graph, "each", counted_floats({3, 3, 2, 1}));
  add_constant(graph, "more", counted_floats({3, 3, 2, 4}));
  add_constant(graph, "back", counted_floats({3, 3, 5, 2}));
  add_constant(graph, "dense", counted_floats({5, 2}));
  add_constant(graph, "sizes", Tensor::of<std::int32_t>({4}, {1, 8, 8, 5}));
  add_floats(graph, "a", "DepthwiseConv2dNative", {"x", "each"});
  add_floats(graph, "b", "DepthwiseConv2dNative", {"x", "more"});
  add_floats(graph, "c", "Conv2DBackpropInput", {"sizes", "back", "x"});
  auto& turned = add_floats(graph, "d", "MatMul", {"c", "dense"});
  (*turned.mutable_attributes())["transpose_b"].set_flag(true);
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(parameter_of(layer_named(*network, "a"), "kernel")->axes, "HWOI");
  EXPECT_EQ(hyper(layer_named(*network, "a"), "group"), "2");
  EXPECT_EQ(parameter_of(layer_named(*network, "b"), "kernel")->axes, "HWCM");
  const NetworkLayer& back = layer_named(*network, "c");
  EXPECT_EQ(back.type, "ConvTranspose");
  EXPECT_EQ(parameter_of(back, "kernel")->axes, "HWOI");
  EXPECT_EQ(parameter_of(back, "kernel")->at, 1U);
  EXPECT_EQ(hyper(back, "output_shape"), "[1, 8, 8, 5]");
  EXPECT_EQ(parameter_of(layer_named(*network, "d"), "kernel")->axes, "OI");
}

TEST(TensorflowNetwork, WhatIsNotSaidIsWhatTensorflowMeans) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1, 4, 4, 2});
  for (const char* name : {"scale", "offset", "mean", "variance"})
    add_constant(graph, name, Tensor::of<float>({2}, {1, 2}));
  add_floats(graph, "bn", "FusedBatchNormV3", {"x", "scale", "offset", "mean", "variance"});
  add_floats(graph, "leaky", "LeakyRelu", {"bn"});
  add_floats(graph, "six", "Relu6", {"leaky"});
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  const NetworkLayer& bn = network->layers[0];
  EXPECT_EQ(bn.type, "BatchNormalization");
  EXPECT_EQ(hyper(bn, "epsilon"), "0.0001");
  EXPECT_EQ(bn.outputs.size(), 1U) << "the others are used in training";
  EXPECT_EQ(parameter_of(bn, "variance")->at, 4U);
  EXPECT_EQ(hyper(network->layers[1], "alpha"), "0.2");
  EXPECT_EQ(network->layers[2].type, "Clip");
  EXPECT_EQ(hyper(network->layers[2], "max"), "6");
}

TEST(TensorflowNetwork, PaddingsAndSlicesAreInTheOrderOfOnnx) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1, 9});
  add_constant(graph, "pads", Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4}));
  add_constant(graph, "from", Tensor::of<std::int32_t>({2}, {5, 1}));
  add_constant(graph, "to", Tensor::of<std::int32_t>({2}, {6, 7}));
  add_constant(graph, "by", Tensor::of<std::int32_t>({2}, {1, 2}));
  add_constant(graph, "sizes", Tensor::of<std::int32_t>({2}, {2, -1}));
  add_floats(graph, "padded", "Pad", {"x", "pads"});
  auto& strided = add_floats(graph, "strided", "StridedSlice", {"padded", "from", "to", "by"});
  (*strided.mutable_attributes())["begin_mask"].set_integer(1);
  (*strided.mutable_attributes())["end_mask"].set_integer(2);
  add_floats(graph, "sliced", "Slice", {"strided", "from", "sizes"});
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(hyper(network->layers[0], "pads"), "[1, 3, 2, 4]");
  const NetworkLayer& slice = layer_named(*network, "strided");
  EXPECT_EQ(slice.type, "Slice");
  EXPECT_EQ(hyper(slice, "starts"), "[0, 1]");
  EXPECT_EQ(hyper(slice, "ends"), "[6, 9223372036854775807]");
  EXPECT_EQ(hyper(slice, "steps"), "[1, 2]");
  EXPECT_EQ(hyper(slice, "begin_mask"), "none");
  EXPECT_EQ(hyper(layer_named(*network, "sliced"), "ends"), "[7, 9223372036854775807]");
  EXPECT_EQ(hyper(layer_named(*network, "sliced"), "size"), "none");
}

TEST(TensorflowNetwork, AxesAreInputsThatAreHyperParameters) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1, 4, 4, 2});
  add_constant(graph, "axis", Tensor::of<std::int32_t>({}, {3}));
  add_constant(graph, "axes", Tensor::of<std::int32_t>({2}, {1, 2}));
  add_constant(graph, "perm", Tensor::of<std::int32_t>({4}, {0, 3, 1, 2}));
  add_floats(graph, "both", "ConcatV2", {"x", "x", "axis"});
  auto& parts = add_floats(graph, "parts", "Split", {"axis", "both"});
  (*parts.mutable_attributes())["num_split"].set_integer(3);
  auto& mean = add_floats(graph, "mean", "Mean", {"parts:1", "axes"});
  (*mean.mutable_attributes())["keep_dims"].set_flag(true);
  add_floats(graph, "turned", "Transpose", {"parts:2", "perm"});
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(hyper(layer_named(*network, "both"), "axis"), "3");
  EXPECT_EQ(hyper(layer_named(*network, "parts"), "axis"), "3");
  EXPECT_EQ(layer_named(*network, "parts").outputs.size(), 3U);
  EXPECT_EQ(hyper(layer_named(*network, "mean"), "axes"), "[1, 2]");
  EXPECT_EQ(hyper(layer_named(*network, "mean"), "keepdims"), "1");
  EXPECT_EQ(layer_named(*network, "mean").inputs[0], layer_named(*network, "parts").outputs[1]);
  EXPECT_EQ(hyper(layer_named(*network, "turned"), "perm"), "[0, 3, 1, 2]");
  for (const NetworkLayer& layer : network->layers) EXPECT_TRUE(layer.parameters.empty()) << layer.name;
}

TEST(TensorflowNetwork, WhatGoesThroughIdentityIsWhatItWas) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1});
  add_placeholder(graph, "z", tensorflow_float, {1});
  add_tensorflow_node(*graph.mutable_nodes(), "both", "IdentityN", {"x", "z", "^x"});
  add_floats(graph, "again", "Identity", {"both:1"});
  add_floats(graph, "neg", "Neg", {"again"});
  add_floats(graph, "y", "Identity", {"neg"});
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_THAT(types_of(*network), ElementsAre("Neg", "Identity")) << "the last one is an output";
  EXPECT_EQ(network->values[as_index(network->layers[0].inputs[0])].name, "z:0");
  EXPECT_EQ(network->values[as_index(network->outputs[0])].name, "y:0");
}

TEST(TensorflowNetwork, AnUnknownOperatorIsALayerOfItsOwnType) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1});
  auto& own = add_floats(graph, "own", "MyOwnOperator", {"x"});
  (*own.mutable_attributes())["rate"].set_real(0.5F);
  (*own.mutable_attributes())["_class"].set_word("hidden");
  add_floats(graph, "y", "Neg", {"own:2"});
  const auto network = read(graph);
  ASSERT_TRUE(network);
  EXPECT_EQ(network->layers[0].type, "MyOwnOperator");
  EXPECT_EQ(hyper(network->layers[0], "rate"), "0.5");
  EXPECT_EQ(network->layers[0].hyper.size(), 1U);
  EXPECT_EQ(network->layers[0].outputs.size(), 3U);
}

TEST(TensorflowNetwork, NodesMayStandInAnyOrder) {
  tensorflow::Graph graph = small_network(), turned;
  for (int i = graph.nodes_size(); i-- > 0;) *turned.add_nodes() = graph.nodes(i);
  const auto network = read(turned);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_THAT(types_of(*network), ElementsAre("Conv", "Add", "Relu", "MaxPool", "Reshape", "MatMul", "Softmax"));
}

TEST(TensorflowNetwork, ALoopLeadsBackAndACircleIsAnError) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1});
  add_floats(graph, "in", "Enter", {"x"});
  add_floats(graph, "merged", "Merge", {"in", "next"});
  add_floats(graph, "next", "NextIteration", {"merged"});
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(layer_named(*network, "merged").inputs[1], -1);
  graph.mutable_nodes(3)->set_op("Neg");
  EXPECT_THAT(read(graph).error().message, HasSubstr("circle"));
}

TEST(TensorflowNetwork, WhatIsBrokenIsSaid) {
  tensorflow::Graph graph = small_network();
  graph.mutable_nodes(6)->set_inputs(0, "nobody");
  EXPECT_THAT(read(graph).error().message, HasSubstr("nothing makes its input nobody"));
  graph = small_network();
  graph.mutable_nodes(6)->set_inputs(0, "x:1000000000");
  EXPECT_THAT(read(graph).error().message, HasSubstr("x:1000000000"));
  graph = small_network();
  graph.mutable_nodes(6)->set_inputs(0, "x:-1");
  EXPECT_FALSE(read(graph));
  graph = small_network();
  graph.mutable_nodes(2)->set_name("kernel");
  EXPECT_THAT(read(graph).error().message, HasSubstr("two nodes"));
  graph = small_network();
  (*graph.mutable_nodes(1)->mutable_attributes())["value"].set_tensor("nonsense");
  EXPECT_THAT(read(graph).error().message, HasSubstr("the node 'kernel' (Const)"));
}

TEST(TensorflowNetwork, ManyOutputsOfManyNodesAreRefused) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1});
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "n" + std::to_string(i), last = name + ":1023";
    add_floats(graph, name, "MyOwnOperator", {"x"});
    add_floats(graph, name + "y", "Neg", {last.c_str()});
  }
  EXPECT_THAT(read(graph).error().message, HasSubstr("values"));
}

TEST(TensorflowNetwork, ListsOfTensorsCannotBeShown) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {1});
  add_tensorflow_node(*graph.mutable_nodes(), "list", "TensorListFromTensor", {"x", "x"});
  auto& loop = add_tensorflow_node(*graph.mutable_nodes(), "loop", "While", {"list", "x"});
  for (const int type : {21, 1}) (*loop.mutable_attributes())["T"].mutable_list()->add_types(type);
  const auto network = read(graph);
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_FALSE(network->values[as_index(network->layers[0].outputs[0])].is_visible);
  ASSERT_EQ(network->layers[1].outputs.size(), 2U);
  EXPECT_FALSE(network->values[as_index(network->layers[1].outputs[0])].is_visible);
  EXPECT_TRUE(network->values[as_index(network->layers[1].outputs[1])].is_visible);
  EXPECT_EQ(network->values[as_index(network->layers[1].outputs[1])].dtype, DType::f32);
}

/// Whoever made the file: it is read, or it is said what is wrong with it.
TEST(TensorflowNetwork, BytesThatAreChangedNeverHarm) {
  tensorflow::Graph graph = small_network();
  add_floats(graph, "list", "SplitV", {"y", "shape", "shape"});
  (*graph.mutable_nodes(graph.nodes_size() - 1)->mutable_attributes())["num_split"].set_integer(2);
  add_floats(graph, "part", "StridedSlice", {"list:1", "shape", "shape", "shape"});
  const std::string bytes = graph.SerializeAsString();
  Random random(3);
  int read_well = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string changed = bytes;
    for (int flips = 1 + i % 4; flips > 0; --flips)
      changed[random.next() % changed.size()] = static_cast<char>(random.next() % 256);
    if (i % 10 == 0) changed.resize(random.next() % changed.size());
    const auto model = TensorflowModel::of_graph(changed);
    const auto network = model ? read_tensorflow_network(*model) : tl::unexpected(model.error());
    ++(network ? read_well : refused);
    if (!network) continue;
    for (const NetworkLayer& layer : network->layers)
      for (const int input : layer.inputs) ASSERT_LT(input, std::ssize(network->values));
  }
  EXPECT_GT(read_well, 100);
  EXPECT_GT(refused, 100);
}

TEST(TensorflowNetwork, OutputsAreThoseOfTheRunner) {
  tensorflow::Graph graph = small_network();
  add_floats(graph, "other", "Neg", {"relu"});
  const auto network = read(graph);
  ASSERT_TRUE(network);
  ASSERT_EQ(network->outputs.size(), 2U);
  EXPECT_EQ(network->values[as_index(network->outputs[1])].name, "other:0");
}

TEST(TensorValue, ComesBack) {
  for (const Tensor& tensor : {counted_floats({2, 3}), Tensor::of<std::int64_t>({}, {-7}), Tensor::of<float>({0}, {}),
                               Tensor::from_strings({2}, {"a", ""}).value()}) {
    std::uint64_t most = 0;
    const auto back = tensor_of_tensorflow(tensorflow_tensor(tensor).value(), most);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_TRUE(back->identical(tensor));
  }
}

TEST(TensorValue, TheLastElementOfAShortListStandsForTheRest) {
  tensorflow::TensorValue value;
  value.set_type(tensorflow_float);
  value.mutable_shape()->add_dim()->set_size(4);
  value.add_floats(1);
  value.add_floats(2);
  std::uint64_t most = 100;
  const auto tensor = tensor_of_tensorflow(value.SerializeAsString(), most);
  ASSERT_TRUE(tensor) << tensor.error().text();
  EXPECT_TRUE(tensor->identical(Tensor::of<float>({4}, {1, 2, 2, 2})));
  value.mutable_shape()->mutable_dim(0)->set_size(std::int64_t{1} << 40);
  EXPECT_THAT(tensor_of_tensorflow(value.SerializeAsString(), most).error().message, HasSubstr("to be filled"));
  value.mutable_shape()->mutable_dim(0)->set_size(-4);
  EXPECT_FALSE(tensor_of_tensorflow(value.SerializeAsString(), most));
}

TEST(TensorValue, BytesMustBeAsManyAsTheShapeSays) {
  tensorflow::TensorValue value;
  value.set_type(tensorflow_float);
  value.mutable_shape()->add_dim()->set_size(2);
  value.set_content("1234567");
  std::uint64_t most = 100;
  EXPECT_FALSE(tensor_of_tensorflow(value.SerializeAsString(), most));
}

TEST(TensorValue, HalvesAndSmallIntegersHaveListsOfOthers) {
  tensorflow::TensorValue value;
  value.set_type(19);  // float16
  value.mutable_shape()->add_dim()->set_size(1);
  value.add_halves(0x3c00);
  std::uint64_t most = 100;
  const auto half = tensor_of_tensorflow(value.SerializeAsString(), most);
  ASSERT_TRUE(half);
  EXPECT_EQ(half->number(0), 1);
  value.set_type(6);  // int8
  value.add_integers(-3);
  EXPECT_EQ(tensor_of_tensorflow(value.SerializeAsString(), most)->number(0), -3);
}

}  // namespace
}  // namespace culprit
