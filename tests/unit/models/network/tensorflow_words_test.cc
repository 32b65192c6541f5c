// Hyper-parameters written into nodes of TensorFlow, and read again.
#include <gmock/gmock.h>

#include "network/tensorflow/tensorflow_hyper.h"
#include "network/tensorflow/tensorflow_operators.h"
#include "network/tensorflow/tensorflow_slices.h"
#include "tensorflow_samples.h"

namespace culprit {
namespace {

using Ints = std::vector<std::int64_t>;
using ::testing::ElementsAre;

std::map<std::string, Hyper> hyper_of_node(const tensorflow::Node& node) {
  NetworkLayer layer;
  layer.type = onnx_type_of_tensorflow(node.op());
  read_tensorflow_hyper(node, layer);
  return layer.hyper;
}

struct Written {
  const char* operation;
  const char* name;
  Hyper hyper;
};

class TensorflowWords : public ::testing::TestWithParam<Written> {};

TEST_P(TensorflowWords, AreReadAsTheyAreWritten) {
  tensorflow::Node node;
  node.set_op(GetParam().operation);
  const auto set = set_tensorflow_hyper(node, GetParam().name, GetParam().hyper);
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_TRUE(*set);
  EXPECT_EQ(hyper_of_node(node).at(GetParam().name), GetParam().hyper);
}

INSTANTIATE_TEST_SUITE_P(
    All, TensorflowWords,
    ::testing::Values(Written{"Conv2D", "strides", Ints{2, 3}}, Written{"Conv2D", "dilations", Ints{2, 3}},
                      Written{"Conv2D", "pads", Ints{1, 2, 3, 4}},
                      Written{"Conv2D", "auto_pad", std::string("SAME_UPPER")},
                      Written{"DepthwiseConv2dNative", "strides", Ints{2, 2}},
                      Written{"MaxPool", "kernel_shape", Ints{3, 2}},
                      Written{"MaxPool3D", "kernel_shape", Ints{3, 2, 1}}, Written{"FusedBatchNormV3", "epsilon", 0.5},
                      Written{"LeakyRelu", "alpha", 0.25}, Written{"MatMul", "transB", std::int64_t{1}},
                      Written{"Mean", "keepdims", std::int64_t{1}}, Written{"Squeeze", "axes", Ints{1, 2}},
                      Written{"Einsum", "equation", std::string("ab,bc->ac")}, Written{"Cast", "to", std::int64_t{7}},
                      Written{"Pack", "axis", std::int64_t{2}},
                      Written{"ResizeBilinear", "coordinate_transformation_mode", std::string("half_pixel")},
                      Written{"DepthToSpace", "blocksize", std::int64_t{2}}));

TEST(TensorflowWordsOf, AFlagIsAFlagThere) {
  tensorflow::Node node;
  node.set_op("MatMul");
  ASSERT_TRUE(set_tensorflow_hyper(node, "transB", std::int64_t{1}));
  EXPECT_TRUE(node.attributes().at("transpose_b").flag());
  EXPECT_FALSE(node.attributes().at("transpose_b").has_integer());
}

TEST(TensorflowWordsOf, WhatAnOperatorCannotHaveIsAnError) {
  tensorflow::Node node;
  node.set_op("AvgPool");
  EXPECT_EQ(set_tensorflow_hyper(node, "pads", Ints{1, 1, 1, 1}).error().kind, ErrorKind::unsupported);
  EXPECT_TRUE(set_tensorflow_hyper(node, "pads", Ints{0, 0, 0, 0}).value());
  EXPECT_EQ(node.attributes().at("padding").word(), "VALID");
  EXPECT_FALSE(set_tensorflow_hyper(node, "auto_pad", std::string("SAME_LOWER")));
  EXPECT_FALSE(set_tensorflow_hyper(node, "epsilon", 0.5).value()) << "it has none";
  node.set_op("Elu");
  EXPECT_FALSE(set_tensorflow_hyper(node, "alpha", 2.0)) << "it is always 1";
  EXPECT_TRUE(set_tensorflow_hyper(node, "alpha", 1.0));
}

TEST(TensorflowSlices, ComeBack) {
  HyperWords hyper{{"starts", Ints{0, 2}}, {"ends", Ints{5, INT64_MAX}}, {"steps", Ints{1, 3}}, {"axes", Ints{1, 2}}};
  const auto parts = tensorflow_slice(hyper);
  ASSERT_TRUE(parts);
  EXPECT_THAT(parts->starts, ElementsAre(0, 0, 2));
  EXPECT_THAT(parts->ends, ElementsAre(0, 5, 0));
  EXPECT_THAT(parts->steps, ElementsAre(1, 1, 3));
  EXPECT_EQ(parts->begin_mask, 0b011);
  EXPECT_EQ(parts->end_mask, 0b101);
  EXPECT_FALSE(parts->sizes()) << "Slice has no steps";
  HyperWords read{{"starts", parts->starts},
                  {"ends", parts->ends},
                  {"steps", parts->steps},
                  {"begin_mask", parts->begin_mask},
                  {"end_mask", parts->end_mask}};
  tell_slice_as_onnx(read);
  EXPECT_EQ(read.at("starts"), Hyper(Ints{0, 0, 2}));
  EXPECT_EQ(read.at("ends"), Hyper(Ints{INT64_MAX, 5, INT64_MAX}));
  hyper["steps"] = Ints{1, 1};
  EXPECT_THAT(*tensorflow_slice(hyper)->sizes(), ElementsAre(-1, 5, -1));
}

TEST(TensorflowSlices, AnAxisThatIsShrunkIsOneLong) {
  HyperWords hyper{{"starts", Ints{-1}}, {"ends", Ints{0}}, {"steps", Ints{1}}, {"shrink_axis_mask", std::int64_t{1}}};
  tell_slice_as_onnx(hyper);
  EXPECT_EQ(hyper.at("ends"), Hyper(Ints{INT64_MAX}));
  EXPECT_TRUE(hyper.contains("shrink_axis_mask"));
}

TEST(TensorflowPads, AreTurned) { EXPECT_THAT(tensorflow_pads({1, 3, 2, 4}), ElementsAre(1, 2, 3, 4)); }

TEST(TensorflowOperators, OneOfEachTypeComputesIt) {
  EXPECT_EQ(tensorflow_operator_of("Conv"), "Conv2D");
  EXPECT_EQ(tensorflow_operator_of("Add"), "AddV2");
  EXPECT_EQ(tensorflow_operator_of("Clip"), "ClipByValue");
  EXPECT_EQ(tensorflow_operator_of("Foo"), "");
  EXPECT_EQ(onnx_type_of_tensorflow("Foo"), "Foo");
  EXPECT_FALSE(tensorflow_attributes("Foo"));
  EXPECT_TRUE(tensorflow_attributes("Relu")->empty());
  EXPECT_EQ(tensorflow_input_rule("ConcatV2", 1, 3), nullptr);
  EXPECT_TRUE(tensorflow_input_rule("ConcatV2", 2, 3)->is_hyper);
}

}  // namespace
}  // namespace culprit
