// The neutral view of tests/golden/tflite/small.tflite: a convolution with an int8 kernel, an addition, a softmax.
#include "network/tflite/read_tflite_network.h"
#include "network/tflite/tflite_roles.h"
#include "tflite_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TfliteNetworkGolden, IsReadInTheWordsOfOnnx) {
  auto edit = TfliteEdit::start(small_tflite());
  ASSERT_TRUE(edit);
  ASSERT_TRUE(edit->set_option({0, 0}, "fused_activation_function", std::int64_t{0}));
  const auto network = read_tflite_network(edit->finish().value());
  ASSERT_TRUE(network) << network.error().text();
  ASSERT_EQ(network->layers.size(), 3U);
  const NetworkLayer& conv = network->layers[0];
  EXPECT_EQ(conv.type, "Conv");
  EXPECT_EQ(conv.native_type, "CONV_2D");
  EXPECT_EQ(conv.name, "conv");
  EXPECT_TRUE(conv.is_channels_last);
  EXPECT_EQ(parameter_of(conv, "kernel")->axes, "OHWI");
  EXPECT_EQ(to_string(conv.hyper.at("group")), "1");
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(conv.hyper.at("strides")).size(), 2U);
  EXPECT_FALSE(conv.hyper.contains("stride_h"));
  EXPECT_THAT(network->layers[1].type, "Add");
  EXPECT_THAT(network->layers[2].type, "Softmax");
  EXPECT_TRUE(network->layers[2].hyper.contains("beta"));
  EXPECT_THAT(network->inputs, ElementsAre(0));
  EXPECT_THAT(network->outputs, ElementsAre(6));
  const NetworkValue& kernel = network->values[1];
  EXPECT_EQ(real_constant(kernel)->dtype(), DType::f32);
  EXPECT_DOUBLE_EQ(real_constant(kernel)->number(0),
                   0.5 * (kernel.constant->number(0) - static_cast<double>(kernel.quantization->zero_point[0])));
}

TEST(TfliteNetworkGolden, AFusedActivationIsALayerOfItsOwn) {
  auto edit = TfliteEdit::start(small_tflite());
  ASSERT_TRUE(edit);
  ASSERT_TRUE(edit->set_option({0, 0}, "fused_activation_function", std::int64_t{3}));
  const auto network = read_tflite_network(edit->finish().value());
  ASSERT_TRUE(network);
  ASSERT_EQ(network->layers.size(), 4U);
  const NetworkLayer &conv = network->layers[0], &clip = network->layers[1];
  EXPECT_EQ(clip.type, "Clip");
  EXPECT_EQ(clip.native, conv.native);
  EXPECT_EQ(to_string(clip.hyper.at("max")), "6");
  EXPECT_EQ(clip.inputs, conv.outputs);
  EXPECT_FALSE(network->values[static_cast<std::size_t>(conv.outputs[0])].is_visible);
  EXPECT_THAT(clip.outputs, ElementsAre(3));
  EXPECT_EQ(network->values[3].made_by, 1);
}

TEST(TfliteNetworkGolden, AConstantThatDoesNotFitItsShapeIsAnError) {
  auto edit = TfliteEdit::start(small_tflite());
  ASSERT_TRUE(edit);
  ASSERT_TRUE(edit->set_data({0, 2}, "123"));
  const auto network = read_tflite_network(edit->finish().value());
  ASSERT_FALSE(network);
  EXPECT_THAT(network.error().message, HasSubstr("the tensor bias"));
}

TEST(TfliteRoles, KnowWhereTfliteDiffers) {
  EXPECT_EQ(tflite_input_rule("FULLY_CONNECTED", 1)->axes, "OI");
  EXPECT_EQ(tflite_input_rule("FULLY_CONNECTED", 2)->role, "bias");
  EXPECT_EQ(tflite_input_rule("FULLY_CONNECTED", 0), nullptr);
  EXPECT_EQ(tflite_input_rule("DEPTHWISE_CONV_2D", 1)->axes, "1HWO");
  EXPECT_TRUE(tflite_input_rule("TRANSPOSE", 1)->is_hyper);
  EXPECT_TRUE(tflite_input_rule("MEAN", 1)->is_hyper);
  EXPECT_EQ(onnx_type_of("FOO"), "FOO");
}

TEST(TfliteRoles, NamesAreOperatorsOfTflite) {
  for (const char* name : {"CONV_2D", "RESIZE_BILINEAR", "HARD_SWISH", "REDUCE_PROD", "SELECT_V2", "BATCH_MATMUL"}) {
    EXPECT_NE(tflite_operator(std::string_view(name)), nullptr) << name;
    EXPECT_NE(onnx_type_of(name), name);
  }
}

}  // namespace
}  // namespace culprit
