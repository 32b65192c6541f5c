// What the edits of a TFLite network write, read again.
#include <gmock/gmock.h>

#include "base/folder.h"
#include "conversion/sides/side.h"
#include "network/tflite/read_tflite_network.h"
#include "side_bench.h"
#include "support/tflite_net.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::tflite_layer;
using testing::tflite_value;
using testing::TfliteNet;
using Wholes = std::vector<std::int64_t>;

class TfliteEditsTest : public SideBench {
 protected:
  void open(TfliteFile file) {
    auto opened = open_tflite_side(std::move(file), folder(), {});
    ASSERT_TRUE(opened) << opened.error().text();
    side = std::move(*opened);
  }
  [[nodiscard]] int value(const std::string& name) const { return tflite_value(side->network(), name); }
  [[nodiscard]] int layer(const std::string& native) const { return tflite_layer(side->network(), native); }

  /// What the file says that these edits make.
  Network edited(const std::vector<Edit>& edits) {
    const auto run = side->prepare({.values = {}, .edits = edits}, {}, folder() / "work");
    if (!run) throw std::runtime_error(run.error().text());
    file = TfliteFile::open(run->job.model).value();
    return read_tflite_network(*file).value();
  }
  std::string refused(const Edit& edit) {
    const auto run = side->prepare({.values = {}, .edits = {edit}}, {}, folder() / "work");
    if (run) return "";
    EXPECT_EQ(run.error().kind, ErrorKind::unsupported);
    return run.error().message;
  }
  static std::vector<std::string> types(const Network& network) {
    std::vector<std::string> found;
    for (const NetworkLayer& one : network.layers) found.push_back(one.native_type);
    return found;
  }
  static const NetworkLayer& of(const Network& network, const std::string& native) {
    return network.layers.at(static_cast<std::size_t>(tflite_layer(network, native)));
  }
  static std::vector<float> constant(const Network& network, int number) {
    return testing::floats_of(network.values.at(static_cast<std::size_t>(number)).constant.value());
  }

  std::unique_ptr<Side> side;
  std::optional<TfliteFile> file;
};

TEST_F(TfliteEditsTest, NamesAreThoseOfTheSignature) {
  open(testing::small_cnn());
  const Network& network = side->network();
  EXPECT_EQ(network.values[static_cast<std::size_t>(network.inputs[0])].name, "x");
  EXPECT_EQ(network.values[static_cast<std::size_t>(network.outputs[0])].name, "y");
}

TEST_F(TfliteEditsTest, SetConstantOfAllUsesAndOfOne) {
  TfliteNet net({1, 2});
  const auto shared = net.floats({2}, {1, 2});
  const auto sum = net.node("ADD", {TfliteNet::x, shared}, "sum", {1, 2});
  open(net.file({net.node("MUL", {sum, shared}, "product", {1, 2})}));
  const Tensor other = Tensor::of<float>({2}, {3, 4});
  Network made = edited({SetConstant{.value = shared, .tensor = other}});
  EXPECT_THAT(constant(made, of(made, "ADD").inputs[1]), ElementsAre(3, 4));
  EXPECT_THAT(constant(made, of(made, "MUL").inputs[1]), ElementsAre(3, 4));
  made = edited({SetConstant{.value = -1, .tensor = other, .layer = layer("MUL"), .at = 1}});
  EXPECT_THAT(constant(made, of(made, "ADD").inputs[1]), ElementsAre(1, 2));
  EXPECT_THAT(constant(made, of(made, "MUL").inputs[1]), ElementsAre(3, 4));
}

TEST_F(TfliteEditsTest, SetConstantWhereNothingWasTaken) {
  open(testing::small_cnn());
  const Tensor bias = Tensor::of<float>({2}, {5, 6});
  const Network made = edited({SetConstant{.value = -1, .tensor = bias, .layer = layer("FULLY_CONNECTED"), .at = 2}});
  EXPECT_THAT(constant(made, of(made, "FULLY_CONNECTED").inputs[2]), ElementsAre(5, 6));
}

TEST_F(TfliteEditsTest, SetConstantOfAQuantizedTensorIsStoredWithItsScale) {
  TfliteNet net({1, 2});
  const auto stored = net.constant(Tensor::of<std::int8_t>({2}, {1, 2}));
  net.quantize(stored, 0.5F, 3);
  const auto real = net.node("DEQUANTIZE", {stored}, "real", {2});
  open(net.file({net.node("ADD", {TfliteNet::x, real}, "sum", {1, 2})}));
  const Network made = edited({SetConstant{.value = stored, .tensor = Tensor::of<float>({2}, {2, 1000})}});
  const NetworkValue& value = made.values[static_cast<std::size_t>(of(made, "DEQUANTIZE").inputs[0])];
  EXPECT_EQ(value.dtype, DType::i8);
  EXPECT_EQ(value.constant->number(0), 7) << "2 / 0.5 + 3";
  EXPECT_EQ(value.constant->number(1), 127);
  EXPECT_THAT(value.quantization.value().scale, ElementsAre(0.5));
}

TEST_F(TfliteEditsTest, SetHyperOfAPair) {
  open(testing::small_cnn());
  const Network made = edited({SetHyper{layer("MAX_POOL_2D"), "kernel_shape", Wholes{3, 1}},
                               SetHyper{layer("MAX_POOL_2D"), "strides", Wholes{1, 2}},
                               SetHyper{layer("CONV_2D"), "dilations", Wholes{2, 2}}});
  EXPECT_EQ(of(made, "MAX_POOL_2D").hyper.at("kernel_shape"), Hyper(Wholes{3, 1}));
  EXPECT_EQ(of(made, "MAX_POOL_2D").hyper.at("strides"), Hyper(Wholes{1, 2}));
  EXPECT_EQ(of(made, "CONV_2D").hyper.at("dilations"), Hyper(Wholes{2, 2}));
  EXPECT_EQ(types(made), types(side->network())) << "the activation stays fused";
}

TEST_F(TfliteEditsTest, PadsAreSameOrValidWhereTheyFit) {
  open(testing::small_cnn());
  const auto with_pads = [&](const Wholes& pads) {
    return edited(
        {SetHyper{layer("CONV_2D"), "auto_pad", std::string("NOTSET")}, SetHyper{layer("CONV_2D"), "pads", pads}});
  };
  Network made = with_pads({1, 1, 1, 1});
  EXPECT_EQ(of(made, "CONV_2D").hyper.at("auto_pad"), Hyper(std::string("SAME_UPPER")));
  EXPECT_EQ(types(made), types(side->network()));
  made = with_pads({0, 0, 0, 0});
  EXPECT_EQ(of(made, "CONV_2D").hyper.at("auto_pad"), Hyper(std::string("VALID")));
  EXPECT_EQ(types(made), types(side->network()));
}

TEST_F(TfliteEditsTest, OtherPadsAreAnOperatorInFront) {
  open(testing::small_cnn());
  const Network made = edited({SetHyper{layer("CONV_2D"), "pads", Wholes{2, 0, 1, 3}}});
  EXPECT_EQ(types(made).front(), "PAD");
  EXPECT_EQ(of(made, "PAD").hyper.at("pads"), Hyper(Wholes{0, 2, 0, 0, 0, 1, 3, 0}));
  EXPECT_EQ(of(made, "CONV_2D").hyper.at("auto_pad"), Hyper(std::string("VALID")));
  EXPECT_EQ(of(made, "CONV_2D").inputs[0], of(made, "PAD").outputs[0]);
  EXPECT_EQ(types(edited({SetHyper{layer("MAX_POOL_2D"), "pads", Wholes{0, 0, 1, 1}}})).at(2), "PADV2")
      << "zeros could be the largest";
}

TEST_F(TfliteEditsTest, SetHyperThatIsAnInput) {
  TfliteNet net({1, 2, 3});
  const auto turned = net.node("TRANSPOSE", {TfliteNet::x, net.wholes({3}, {0, 2, 1})}, "turned", {1, 3, 2});
  const auto mean = net.node("MEAN", {turned, net.wholes({1}, {1})}, "mean", {1, 2});
  open(net.file({net.node("RESHAPE", {mean, net.wholes({2}, {2, 1})}, "shaped", {2, 1})}));
  const Network made =
      edited({SetHyper{layer("TRANSPOSE"), "perm", Wholes{1, 0, 2}}, SetHyper{layer("MEAN"), "axes", Wholes{2}},
              SetHyper{layer("MEAN"), "keepdims", std::int64_t{1}}, SetHyper{layer("RESHAPE"), "shape", Wholes{1, 2}}});
  EXPECT_EQ(of(made, "TRANSPOSE").hyper.at("perm"), Hyper(Wholes{1, 0, 2}));
  EXPECT_EQ(of(made, "MEAN").hyper.at("axes"), Hyper(Wholes{2}));
  EXPECT_EQ(of(made, "MEAN").hyper.at("keepdims"), Hyper(std::int64_t{1}));
  EXPECT_EQ(of(made, "RESHAPE").hyper.at("shape"), Hyper(Wholes{1, 2}));
}

TEST_F(TfliteEditsTest, WhatTfliteCannotHaveIsNamed) {
  open(testing::small_cnn());
  EXPECT_THAT(refused(SetHyper{layer("SOFTMAX"), "axis", std::int64_t{0}}),
              AllOf(HasSubstr("'probabilities'"), HasSubstr("axis"), HasSubstr("SOFTMAX")));
  EXPECT_EQ(refused(SetHyper{layer("SOFTMAX"), "axis", std::int64_t{-1}}), "") << "that is what it does";
  EXPECT_THAT(refused(SetHyper{layer("CONV_2D"), "group", std::int64_t{2}}), HasSubstr("group"));
  EXPECT_THAT(refused(SetHyper{layer("CONV_2D"), "pads", Wholes{-1, 0, 0, 0}}), HasSubstr("pads"));
  EXPECT_THAT(refused(SetHyper{layer("MAX_POOL_2D"), "auto_pad", std::string("SAME_LOWER")}), HasSubstr("auto_pad"));
  EXPECT_THAT(refused(SetType{layer("SOFTMAX"), "Erf", {}}), HasSubstr("Erf"));
  EXPECT_THAT(refused(SetType{layer("SOFTMAX"), "Gemm", {}}), HasSubstr("Gemm"));
  EXPECT_THAT(refused(Bypass{99}), HasSubstr("no layer 99"));
  EXPECT_THAT(refused(SetInput{0, 0, 99}), HasSubstr("no value 99"));
}

TEST_F(TfliteEditsTest, SetTypeOfAFusedActivationIsAnOption) {
  open(testing::small_cnn());
  Network made = edited({SetType{layer("RELU"), "Clip", {{"min", 0.0}, {"max", 6.0}}}});
  EXPECT_THAT(types(made), ElementsAre("CONV_2D", "RELU6", "MAX_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"));
  EXPECT_EQ(file->graph().subgraphs[0].operators.size(), 5U);
  made = edited({Bypass{layer("RELU")}});
  EXPECT_THAT(types(made), ElementsAre("CONV_2D", "MAX_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"));
}

TEST_F(TfliteEditsTest, WhatCannotBeFusedBecomesAnOperator) {
  open(testing::small_cnn());
  Network made = edited({SetType{layer("RELU"), "Sigmoid", {}}});
  EXPECT_THAT(types(made), ElementsAre("CONV_2D", "LOGISTIC", "MAX_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"));
  EXPECT_EQ(file->graph().subgraphs[0].operators.size(), 6U);
  made = edited({SetType{layer("RELU"), "Clip", {{"min", 0.0}, {"max", 4.0}}}});
  EXPECT_THAT(types(made),
              ElementsAre("CONV_2D", "MAXIMUM", "MINIMUM", "MAX_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"));
}

TEST_F(TfliteEditsTest, SetTypeKeepsTheOperands) {
  TfliteNet net({1, 2});
  const auto other = net.input("z", {1, 2});
  open(net.file({net.node("SUB", {TfliteNet::x, other}, "difference", {1, 2},
                          {{"fused_activation_function", std::int64_t{1}}})}));
  const Network made = edited({SetType{layer("SUB"), "Add", {}}});
  EXPECT_THAT(types(made), ElementsAre("ADD", "RELU"));
  EXPECT_THAT(of(made, "ADD").inputs, ElementsAre(TfliteNet::x, other));
}

TEST_F(TfliteEditsTest, SetTypeToAPool) {
  open(testing::small_cnn());
  const Network made = edited({SetType{layer("MAX_POOL_2D"),
                                       "AveragePool",
                                       {{"kernel_shape", Wholes{2, 2}},
                                        {"strides", Wholes{2, 2}},
                                        {"ceil_mode", std::int64_t{0}},
                                        {"count_include_pad", std::int64_t{0}},
                                        {"pads", Wholes{0, 0, 0, 0}}}}});
  EXPECT_EQ(of(made, "AVERAGE_POOL_2D").hyper.at("kernel_shape"), Hyper(Wholes{2, 2}));
  EXPECT_EQ(of(made, "AVERAGE_POOL_2D").hyper.at("strides"), Hyper(Wholes{2, 2}));
  EXPECT_EQ(of(made, "AVERAGE_POOL_2D").hyper.at("auto_pad"), Hyper(std::string("VALID")));
}

TEST_F(TfliteEditsTest, BypassGivesOnWhatItTakes) {
  open(testing::small_cnn());
  const Network made = edited({Bypass{layer("SOFTMAX")}});
  EXPECT_EQ(types(made).back(), "MAXIMUM") << "of a value and itself";
  EXPECT_EQ(of(made, "MAXIMUM").inputs[0], of(made, "MAXIMUM").inputs[1]);
  EXPECT_EQ(of(made, "MAXIMUM").inputs[0], of(made, "FULLY_CONNECTED").outputs[0]);
}

TEST_F(TfliteEditsTest, InsertBehindForAllAndForSome) {
  TfliteNet net({1, 2});
  const auto one = net.node("NEG", {TfliteNet::x}, "one", {1, 2});
  const auto two = net.node("LOGISTIC", {one}, "two", {1, 2});
  open(net.file({net.node("ADD", {one, two}, "sum", {1, 2})}));
  Network made = edited({behind(one, "Relu")});
  EXPECT_THAT(types(made), ElementsAre("NEG", "RELU", "LOGISTIC", "ADD"));
  EXPECT_EQ(of(made, "ADD").inputs[0], of(made, "RELU").outputs[0]);
  made = edited({behind(one, "Relu", {layer("LOGISTIC")})});
  EXPECT_EQ(of(made, "ADD").inputs[0], one);
  EXPECT_EQ(of(made, "LOGISTIC").inputs[0], of(made, "RELU").outputs[0]);
  made = edited({behind(one, "Relu"), behind(one, "Tanh")});
  EXPECT_THAT(types(made), ElementsAre("NEG", "RELU", "TANH", "LOGISTIC", "ADD"));
}

TEST_F(TfliteEditsTest, InsertBehindWithPresetsConstantsAndLimits) {
  open(testing::small_cnn());
  EXPECT_EQ(of(edited({behind(value("flat"), "Softmax")}), "SOFTMAX").hyper.at("beta"), Hyper(1.0));
  InsertBehind slope = behind(value("pool"), "PRelu");
  slope.constants = {Tensor::of<float>({1, 1, 1}, {0.25F})};
  const Network made = edited({slope});
  EXPECT_THAT(constant(made, of(made, "PRELU").inputs[1]), ElementsAre(0.25F));
  InsertBehind limit = behind(value("pool"), "Clip");
  limit.layer.hyper = {{"max", 6.0}};
  EXPECT_EQ(types(edited({limit})).at(3), "MINIMUM");
}

TEST_F(TfliteEditsTest, SetInputCrossesEdgesAndMovesWhatTakesThem) {
  TfliteNet net({1, 2});
  const auto one = net.node("NEG", {TfliteNet::x}, "one", {1, 2});
  const auto two = net.node("LOGISTIC", {TfliteNet::x}, "two", {1, 2});
  open(net.file({net.node("SUB", {one, two}, "difference", {1, 2}, {{"fused_activation_function", std::int64_t{1}}})}));
  Network made = edited({SetInput{layer("SUB"), 0, two}, SetInput{layer("SUB"), 1, one}});
  EXPECT_THAT(of(made, "SUB").inputs, ElementsAre(two, one));
  made = edited({SetInput{layer("NEG"), 0, two}});
  EXPECT_THAT(types(made), ElementsAre("LOGISTIC", "NEG", "SUB", "RELU"));
}

TEST_F(TfliteEditsTest, AnEditNeverTouchesTheFileItself) {
  const TfliteFile given = testing::small_cnn();
  open(given);
  EXPECT_EQ(edited({}).layers.size(), side->network().layers.size());
  EXPECT_EQ(file->bytes(), given.bytes());
}

}  // namespace
}  // namespace culprit
