#include "model/expose_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using onnx::ModelProto;
using testing::ElementsAre;
using testing::IsEmpty;

/// A model of one input x and one output y.
ModelProto net(const std::string& nodes, const std::string& weights = "") {
  return parse_model("<ir_version: 8, opset_import: [\"\" : 17]> g (float[1,2,4,4] x) => (float[a,b,c,d] y) " +
                     weights + " {" + nodes + "}");
}

std::vector<std::string> comparable(const ModelProto& original, const ModelProto& variant) {
  return comparable_values(original, variant, inner_values(original));
}

const std::string weights =
    "<float[2,2,1,1] w = {1, 2, 3, 4}, float[2] b = {1, 2}, float[2] s = {1, 2}, float[2] m = {1, 2}, float[2] v = {1, "
    "2}>";
std::string bn(const std::string& to, const std::string& from) {
  return to + " = BatchNormalization(" + from + ", s, b, m, v) ";
}

TEST(InnerValues, AreWhatNodesMakeAndTheGraphDoesNotGive) {
  EXPECT_THAT(inner_values(net("a = Relu(x) b = Neg(a) y = Exp(b)")), ElementsAre("a", "b"));
  EXPECT_THAT(inner_values(net("y = Exp(x)")), IsEmpty());
}

TEST(InnerValues, WhatJumpsByRoundingIsLeftOutWithAllThatFollows) {
  EXPECT_THAT(inner_values(net("a = Relu(x) r = Round(a) b = Neg(r) y = Add(a, b)")), ElementsAre("a"));
  EXPECT_THAT(inner_values(net("a = Relu(x) i = Cast <to = 7> (a) j = Neg(i) f = Cast <to = 1> (j) y = Add(a, f)")),
              ElementsAre("a"));
  EXPECT_THAT(inner_values(net("a = Cast <to = 10> (x) y = Cast <to = 1> (a)")), ElementsAre("a"));
}

TEST(InnerValues, ShapesDoNotFollowFromValues) {
  EXPECT_THAT(inner_values(net("a = Relu(x) s = Shape(a) t = Neg(s) u = Neg(t) y = Reshape(a, u)")),
              ElementsAre("a", "s", "t", "u"));
}

TEST(InnerValues, OnlyTensorsOfNumbers) {
  EXPECT_THAT(inner_values(net("a = Relu(x) q = SequenceConstruct(a) y = ConcatFromSequence <axis = 0> (q)")),
              ElementsAre("a"));
  ModelProto declared = net("a = Relu(x) t = Mystery(a) y = Neg(a)");
  EXPECT_THAT(inner_values(declared), ElementsAre("a", "t"));
  auto* value = declared.mutable_graph()->add_value_info();
  value->set_name("t");
  value->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::STRING);
  EXPECT_THAT(inner_values(declared), ElementsAre("a"));
}

TEST(InnerValues, OfNodesWithSubgraphsAreLeftOut) {
  EXPECT_THAT(inner_values(parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, bool c) => (float[2] y)
    {
      a = Relu(x)
      t = If (c) <then_branch = th () => (float[2] p) { p = Neg(a) }, else_branch = el () => (float[2] q) { q = Exp(a) }>
      y = Neg(t)
    })")),
              ElementsAre("a"));
}

TEST(Spread, IsEvenAndEndsWithTheLast) {
  EXPECT_THAT(spread({"a", "b", "c", "d", "e", "f"}, 3), ElementsAre("b", "d", "f"));
  EXPECT_THAT(spread({"a", "b"}, 3), ElementsAre("a", "b"));
  EXPECT_THAT(spread({}, 3), IsEmpty());
}

TEST(ComparableValues, OfACopyAreAll) {
  const ModelProto model = net("a = Relu(x) b = Neg(a) y = Add(a, b)");
  EXPECT_THAT(comparable(model, model), ElementsAre("a", "b"));
}

TEST(ComparableValues, ABatchnormFusedIntoAConvolutionChangesWhatItsNameMeans) {
  const ModelProto original = net("c = Conv(x, w)" + bn("n", "c") + "r = Relu(n) y = Neg(r)", weights);
  EXPECT_THAT(comparable(original, net("c = Conv(x, w, b) r = Relu(c) y = Neg(r)", weights)), ElementsAre("r"));
  EXPECT_THAT(comparable(original, net("n = Conv(x, w, b) r = Relu(n) y = Neg(r)", weights)), ElementsAre("n", "r"));
}

TEST(ComparableValues, OneOfTwoBatchnormsFused) {
  const ModelProto original = net("c = Conv(x, w)" + bn("n", "c") + bn("n2", "n") + "r = Relu(n2) y = Neg(r)", weights);
  const ModelProto once = net("c = Conv(x, w, b)" + bn("n2", "c") + "r = Relu(n2) y = Neg(r)", weights);
  EXPECT_THAT(comparable(original, once), ElementsAre("n2", "r"));
  EXPECT_THAT(comparable(original, net("c = Conv(x, w, b) r = Relu(c) y = Neg(r)", weights)), ElementsAre("r"));
}

TEST(ComparableValues, ABiasAddedInsideTheConvolution) {
  const ModelProto original = net("c = Conv(x, w) n = Add(c, b) r = Relu(n) y = Neg(r)", weights);
  EXPECT_THAT(comparable(original, net("c = Conv(x, w, b) r = Relu(c) y = Neg(r)", weights)), ElementsAre("r"));
}

TEST(ComparableValues, TransposesThatBecameOne) {
  const ModelProto original =
      net("s = Transpose <perm = [0,1,3,2]> (x) t = Transpose <perm = [0,2,1,3]> (s) y = Neg(t)");
  EXPECT_THAT(comparable(original, net("t = Transpose <perm = [0,2,3,1]> (x) y = Neg(t)")), ElementsAre("t"));
  EXPECT_THAT(comparable(original, net("s = Transpose <perm = [0,2,3,1]> (x) y = Neg(s)")), IsEmpty());
}

TEST(ComparableValues, AnotherPlaceAttributeOrNumberOfConsumersIsAnotherMeaning) {
  const ModelProto original = net("a = Relu(x) y = Sub(a, x)");
  EXPECT_THAT(comparable(original, net("a = Relu(x) y = Sub(x, a)")), IsEmpty());
  EXPECT_THAT(comparable(original, net("a = Relu(x) z = Neg(a) y = Sub(a, x)")), IsEmpty());
  const ModelProto leaky = net("a = Relu(x) y = LeakyRelu <alpha = 0.1> (a)");
  EXPECT_THAT(comparable(leaky, net("a = Relu(x) y = LeakyRelu <alpha = 0.2> (a)")), IsEmpty());
  EXPECT_THAT(comparable(original, net("a = Relu(x) y = mine.Sub(a, x)")), IsEmpty());
}

TEST(ComparableValues, AConsumerInASubgraphCounts) {
  const auto with = [](const std::string& in_branch) {
    return parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x, bool c) => (float[2] y)
    {
      a = Relu(x)
      b = Exp(x)
      y = If (c) <then_branch = th () => (float[2] p) { p = Neg()" +
                       in_branch + R"() }, else_branch = el () => (float[2] q) { q = Exp(b) }>
    })");
  };
  EXPECT_THAT(comparable(with("a"), with("a")), ElementsAre("a", "b"));
  EXPECT_THAT(comparable(with("a"), with("b")), IsEmpty());
}

TEST(Expose, AddsOutputsBehindItsOwn) {
  ModelProto model = net("a = Relu(x) b = Neg(a) y = Exp(b)");
  auto* value = model.mutable_graph()->add_value_info();
  value->set_name("b");
  value->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  const std::vector<std::string> chosen = {"b", "a"};
  const ModelProto exposed = expose(model, chosen);
  ASSERT_EQ(exposed.graph().output_size(), 3);
  EXPECT_EQ(exposed.graph().output(0).name(), "y");
  EXPECT_EQ(exposed.graph().output(1).name(), "b");
  EXPECT_EQ(exposed.graph().output(1).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT);
  EXPECT_EQ(exposed.graph().output(2).name(), "a");
  EXPECT_FALSE(exposed.graph().output(2).has_type());
  EXPECT_EQ(model.graph().output_size(), 1);
}

}  // namespace
}  // namespace culprit
