#include <gmock/gmock.h>

#include "conversion/edits/edit.h"
#include "model/fingerprint.h"
#include "side_bench.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// Without what is declared of its values: edits make that untrue.
onnx::ModelProto undeclared(onnx::ModelProto model) {
  model.mutable_graph()->clear_value_info();
  for (auto& output : *model.mutable_graph()->mutable_output()) output.clear_type();
  return model;
}

class OnnxEditsTest : public SideBench {
 protected:
  void open(const std::string& graph) { side = side_of(graph); }
  [[nodiscard]] int value(const std::string& name) const { return value_named(side->network(), name); }
  [[nodiscard]] int layer(const std::string& name) const { return layer_making(side->network(), name); }

  /// The model that these edits make, but for types.
  onnx::ModelProto edited(const std::vector<Edit>& edits) {
    const auto run = side->prepare({.values = {}, .edits = edits}, {}, folder() / "work");
    if (!run) throw std::runtime_error(run.error().text());
    return load_proto(run->job.model).value();
  }
  void expect_means(const std::vector<Edit>& edits, const std::string& graph) {
    const auto made = edited(edits);
    EXPECT_EQ(fingerprint(made), fingerprint(undeclared(onnx_of(graph)))) << made.ShortDebugString();
  }
  std::string refused(const Edit& edit) {
    const auto run = side->prepare({.values = {}, .edits = {edit}}, {}, folder() / "work");
    if (run) return "";
    EXPECT_EQ(run.error().kind, ErrorKind::unsupported);
    return run.error().message;
  }

  std::unique_ptr<Side> side;
};

const char* const two_uses = R"(
g (float[2] x) => (float[2] y)
<float[2] w = {1, 2}>
{
  a = Add(x, w)
  y = Mul(a, w)
})";

TEST_F(OnnxEditsTest, SetConstantOfAllUses) {
  open(two_uses);
  expect_means({SetConstant{.value = value("w"), .tensor = Tensor::of<float>({2}, {3, 4})}},
               "g (float[2] x) => (float[2] y)\n<float[2] w = {3, 4}>\n{\n  a = Add(x, w)\n  y = Mul(a, w)\n}");
}

TEST_F(OnnxEditsTest, SetConstantOfOneUse) {
  open(two_uses);
  expect_means({SetConstant{.value = -1, .tensor = Tensor::of<float>({2}, {3, 4}), .layer = layer("y"), .at = 1}},
               "g (float[2] x) => (float[2] y)\n<float[2] w = {1, 2}, float[2] v = {3, 4}>\n"
               "{\n  a = Add(x, w)\n  y = Mul(a, v)\n}");
}

TEST_F(OnnxEditsTest, SetConstantWhereNothingWasTaken) {
  open("g (float[1,1,2,2] x) => (float[1,1,2,2] y)\n<float[1,1,1,1] k = {2}>\n{\n  y = Conv(x, k)\n}");
  expect_means({SetConstant{.value = -1, .tensor = Tensor::of<float>({1}, {5}), .layer = layer("y"), .at = 2}},
               "g (float[1,1,2,2] x) => (float[1,1,2,2] y)\n<float[1,1,1,1] k = {2}, float[1] b = {5}>\n"
               "{\n  y = Conv(x, k, b)\n}");
}

TEST_F(OnnxEditsTest, SetConstantForWhatFollowsFromConstants) {
  open(
      "g (float[1,2] x) => (float[1,3] y)\n<float[3,2] k = {1, 2, 3, 4, 5, 6}>\n"
      "{\n  t = Transpose<perm = [1, 0]>(k)\n  y = MatMul(x, t)\n}");
  expect_means({SetConstant{.value = value("t"), .tensor = Tensor::of<float>({2, 3}, {1, 1, 1, 1, 1, 1})}},
               "g (float[1,2] x) => (float[1,3] y)\n<float[2,3] k = {1, 1, 1, 1, 1, 1}>\n{\n  y = MatMul(x, k)\n}");
}

TEST_F(OnnxEditsTest, SetHyperThatIsAnAttribute) {
  open("g (float[1,1,4,4] x) => (float[1,1,2,2] y)\n{\n  y = MaxPool<kernel_shape = [3, 3], strides = [2, 2]>(x)\n}");
  expect_means({SetHyper{layer("y"), "kernel_shape", std::vector<std::int64_t>{2, 2}},
                SetHyper{layer("y"), "ceil_mode", std::int64_t{1}}},
               "g (float[1,1,4,4] x) => (float[1,1,2,2] y)\n"
               "{\n  y = MaxPool<kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1>(x)\n}");
}

TEST_F(OnnxEditsTest, SetHyperTakesTheTypeOfTheAttribute) {
  open("g (float[2] x) => (float[2] y)\n{\n  y = LeakyRelu<alpha = 0.01>(x)\n}");
  expect_means({SetHyper{layer("y"), "alpha", std::int64_t{2}}},
               "g (float[2] x) => (float[2] y)\n{\n  y = LeakyRelu<alpha = 2.0>(x)\n}");
  EXPECT_THAT(refused(SetHyper{layer("y"), "alpha", std::string("much")}), HasSubstr("alpha of LeakyRelu"));
  EXPECT_THAT(refused(SetHyper{layer("y"), "beta", 1.0}), HasSubstr("beta"));
}

TEST_F(OnnxEditsTest, SetHyperThatIsAnInput) {
  open("g (float[2] x) => (float[2] y)\n<float low = {0}, float high = {6}>\n{\n  y = Clip(x, low, high)\n}");
  expect_means({SetHyper{layer("y"), "max", 4.0}},
               "g (float[2] x) => (float[2] y)\n<float low = {0}, float high = {4}>\n{\n  y = Clip(x, low, high)\n}");
  open("g (float[2,3] x) => (float[3,2] y)\n<int64[2] shape = {3, 2}>\n{\n  y = Reshape(x, shape)\n}");
  expect_means({SetHyper{layer("y"), "shape", std::vector<std::int64_t>{6, 1}}},
               "g (float[2,3] x) => (float[3,2] y)\n<int64[2] shape = {6, 1}>\n{\n  y = Reshape(x, shape)\n}");
}

TEST_F(OnnxEditsTest, LimitsHaveTheTypeOfWhatTheyLimit) {
  open("g (double[2] x) => (double[2] y)\n{\n  y = Clip(x)\n}");
  expect_means({SetHyper{layer("y"), "max", 6.0}},
               "g (double[2] x) => (double[2] y)\n<double high = {6}>\n{\n  y = Clip(x, , high)\n}");
  open("g (float[2] x) => (float[2] y)\n{\n  y = Clip(x)\n}");
  expect_means({SetHyper{layer("y"), "max", std::int64_t{6}}},
               "g (float[2] x) => (float[2] y)\n<float high = {6}>\n{\n  y = Clip(x, , high)\n}");
}

TEST_F(OnnxEditsTest, SetTypeWithLimitsThatAreInputs) {
  open("g (float[2] x) => (float[2] y)\n{\n  y = Relu(x)\n}");
  expect_means({SetType{layer("y"), "Clip", {{"max", 6.0}, {"min", 0.0}}}},
               "g (float[2] x) => (float[2] y)\n<float low = {0}, float high = {6}>\n{\n  y = Clip(x, low, high)\n}");
}

TEST_F(OnnxEditsTest, SetTypeDropsWhatTheOldOneHad) {
  open("g (float[2] x) => (float[2] y)\n<float low = {0}, float high = {6}>\n{\n  y = Clip(x, low, high)\n}");
  expect_means({SetType{layer("y"), "Relu", {}}}, "g (float[2] x) => (float[2] y)\n{\n  y = Relu(x)\n}");
  open("g (float[2] x) => (float[2] y)\n{\n  y = LeakyRelu<alpha = 0.3>(x)\n}");
  expect_means({SetType{layer("y"), "Softmax", {{"axis", std::int64_t{0}}}}},
               "g (float[2] x) => (float[2] y)\n{\n  y = Softmax<axis = 0>(x)\n}");
  EXPECT_THAT(refused(SetType{layer("y"), "Erfc", {}}), HasSubstr("Erfc"));
}

TEST_F(OnnxEditsTest, SetTypeToWhatTakesTheSameOperands) {
  open("g (float[2] x, float[2] z) => (float[2] y)\n{\n  y = Sub(x, z)\n}");
  expect_means({SetType{layer("y"), "Add", {}}}, "g (float[2] x, float[2] z) => (float[2] y)\n{\n  y = Add(x, z)\n}");
}

TEST_F(OnnxEditsTest, BypassGivesOnWhatItTakes) {
  open("g (float[2] x) => (float[2] y)\n{\n  a = Relu(x)\n  b = Sigmoid(a)\n  y = Neg(b)\n}");
  expect_means({Bypass{layer("b")}},
               "g (float[2] x) => (float[2] y)\n{\n  a = Relu(x)\n  b = Identity(a)\n  y = Neg(b)\n}");
}

TEST_F(OnnxEditsTest, BypassNeedsAllOutputsButOneUnused) {
  open("g (float[4] x) => (float[2] y)\n{\n  a, b = Split(x)\n  y = Add(a, b)\n}");
  EXPECT_THAT(refused(Bypass{layer("a")}), HasSubstr("output 1"));
}

TEST_F(OnnxEditsTest, InsertBehindForAllUsers) {
  open("g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  b = Sigmoid(a)\n  y = Add(a, b)\n}");
  expect_means({behind(value("a"), "Relu")},
               "g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  r = Relu(a)\n  b = Sigmoid(r)\n  y = Add(r, b)\n}");
}

TEST_F(OnnxEditsTest, InsertBehindForSomeUsers) {
  open("g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  b = Sigmoid(a)\n  y = Add(a, b)\n}");
  expect_means({behind(value("a"), "Relu", {layer("b")})},
               "g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  r = Relu(a)\n  b = Sigmoid(r)\n  y = Add(a, b)\n}");
}

TEST_F(OnnxEditsTest, InsertBehindAnOutputIsSeen) {
  open("g (float[2] x) => (float[2] y)\n{\n  y = Neg(x)\n}");
  expect_means({behind(value("y"), "Relu")},
               "g (float[2] x) => (float[2] culprit_edit_0)\n{\n  y = Neg(x)\n  culprit_edit_0 = Relu(y)\n}");
}

TEST_F(OnnxEditsTest, InsertBehindWithHyperAndConstants) {
  open("g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  y = Neg(a)\n}");
  InsertBehind limit = behind(value("a"), "Clip");
  limit.layer.hyper = {{"max", 6.0}};
  expect_means({limit},
               "g (float[2] x) => (float[2] y)\n<float high = {6}>\n"
               "{\n  a = Neg(x)\n  c = Clip(a, , high)\n  y = Neg(c)\n}");
  InsertBehind bias = behind(value("a"), "Add");
  bias.constants = {Tensor::of<float>({2}, {1, 2})};
  expect_means({bias},
               "g (float[2] x) => (float[2] y)\n<float[2] b = {1, 2}>\n"
               "{\n  a = Neg(x)\n  c = Add(a, b)\n  y = Neg(c)\n}");
}

TEST_F(OnnxEditsTest, SeveralBehindOneValueStandInTheirOrder) {
  open("g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  y = Neg(a)\n}");
  const InsertBehind first = behind(value("a"), "Relu");
  const InsertBehind second = behind(value("a"), "Sigmoid");
  expect_means({first, second},
               "g (float[2] x) => (float[2] y)\n"
               "{\n  a = Neg(x)\n  r = Relu(a)\n  s = Sigmoid(r)\n  y = Neg(s)\n}");
}

TEST_F(OnnxEditsTest, BodiesTakeWhatIsInsertedToo) {
  const std::string body =
      "then_branch = t () => (float[2] p) { p = Relu(TAKEN) }, "
      "else_branch = e () => (float[2] q) { q = Neg(x) }";
  const auto with = [&](const std::string& taken) {
    std::string text = body;
    return text.replace(text.find("TAKEN"), 5, taken);
  };
  open("g (float[2] x, bool c) => (float[2] y)\n{\n  a = Neg(x)\n  y = If<" + with("a") + ">(c)\n}");
  expect_means(
      {behind(value("a"), "Sigmoid")},
      "g (float[2] x, bool c) => (float[2] y)\n{\n  a = Neg(x)\n  s = Sigmoid(a)\n  y = If<" + with("s") + ">(c)\n}");
}

TEST_F(OnnxEditsTest, SetInputCrossesEdges) {
  open("g (float[2] x, float[2] z) => (float[2] y)\n{\n  a = Neg(x)\n  b = Relu(z)\n  y = Sub(a, b)\n}");
  expect_means({SetInput{layer("y"), 0, value("b")}, SetInput{layer("y"), 1, value("a")}},
               "g (float[2] x, float[2] z) => (float[2] y)\n{\n  a = Neg(x)\n  b = Relu(z)\n  y = Sub(b, a)\n}");
}

TEST_F(OnnxEditsTest, SetInputToWhatIsMadeLaterMovesTheNode) {
  open("g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  b = Relu(x)\n  y = Sub(a, b)\n}");
  expect_means({SetInput{layer("a"), 0, value("b")}},
               "g (float[2] x) => (float[2] y)\n{\n  b = Relu(x)\n  a = Neg(b)\n  y = Sub(a, b)\n}");
}

TEST_F(OnnxEditsTest, NewNamesAreNobodyElses) {
  open("g (float[2] x) => (float[2] y)\n{\n  culprit_edit_0 = Neg(x)\n  y = Neg(culprit_edit_0)\n}");
  expect_means({behind(value("culprit_edit_0"), "Relu")},
               "g (float[2] x) => (float[2] y)\n{\n  a = Neg(x)\n  b = Relu(a)\n  y = Neg(b)\n}");
}

TEST_F(OnnxEditsTest, WhatIsNotThereIsRefused) {
  open(two_uses);
  EXPECT_THAT(refused(Bypass{99}), HasSubstr("no layer 99"));
  EXPECT_THAT(refused(SetInput{0, 0, 99}), HasSubstr("no value 99"));
  EXPECT_THAT(refused(SetConstant{.value = -1, .tensor = {}}), HasSubstr("no value -1"));
}

TEST_F(OnnxEditsTest, EditsInWords) {
  open(two_uses);
  const Network& network = side->network();
  const auto words = [&](const Edit& edit) { return to_string(edit, network); };
  EXPECT_EQ(words(SetHyper{layer("y"), "axis", std::vector<std::int64_t>{2, 2}}), "axis of 'y' := [2, 2]");
  EXPECT_EQ(words(Bypass{layer("a")}), "'a' is left out");
  EXPECT_EQ(words(SetConstant{.value = value("w"), .tensor = Tensor::of<float>({2}, {1, 2})}),
            "'w' := 2 numbers of [2]");
  EXPECT_EQ(words(SetInput{layer("y"), 1, value("a")}), "input 1 of 'y' := 'a'");
  EXPECT_EQ(words(SetType{layer("y"), "Clip", {{"max", 6.0}}}), "'y' becomes Clip (max 6)");
  EXPECT_EQ(words(behind(value("a"), "Relu")), "Relu after 'a'");
}

}  // namespace
}  // namespace culprit
