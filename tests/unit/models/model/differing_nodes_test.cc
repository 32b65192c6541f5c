#include "model/differing_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "model/branch_conditions.h"
#include "parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

onnx::ModelProto model_of(const std::string& inputs, const std::string& stored, const std::string& nodes) {
  return parse_model("<ir_version: 8, opset_import: [\"\" : 19]> g (" + inputs + ") => (y) " + stored + " { " + nodes +
                     " }");
}

std::vector<std::string> operators(const std::vector<const onnx::NodeProto*>& nodes) {
  std::vector<std::string> found;
  for (const auto* node : nodes) found.push_back(node->op_type());
  return found;
}

TEST(DifferingNodes, ByOperatorAttributeAndSmallConstant) {
  const auto a = model_of("float[n] x", "<float k = {1}>", "a = Relu(x) b = Add(a, k) y = LeakyRelu<alpha = 0.5>(b)");
  EXPECT_THAT(differing_nodes(a, a).a, IsEmpty());
  const auto renamed =
      model_of("float[n] q", "<float z = {1}>", "r = Relu(q) s = Add(r, z) y = LeakyRelu<alpha = 0.5>(s)");
  EXPECT_THAT(differing_nodes(a, renamed).a, IsEmpty()) << "names do not count";
  const auto other =
      model_of("float[n] x", "<float k = {2}>", "a = Abs(x) b = Add(a, k) y = LeakyRelu<alpha = 0.25>(b)");
  const auto found = differing_nodes(a, other);
  EXPECT_THAT(operators(found.a), ElementsAre("Relu", "Add", "LeakyRelu"));
  EXPECT_THAT(operators(found.b), ElementsAre("Abs", "Add", "LeakyRelu"));
}

TEST(DifferingNodes, HowOftenCounts) {
  const auto one = model_of("float[n] x", "", "y = Relu(x)");
  const auto two = model_of("float[n] x", "", "a = Relu(x) y = Relu(a)");
  EXPECT_THAT(operators(differing_nodes(one, two).b), ElementsAre("Relu", "Relu"));
  EXPECT_THAT(differing_nodes(one, two).a, IsEmpty());
}

/// What all nodes of a model ask for.
Compared asked_in(const std::string& inputs, const std::string& stored, const std::string& nodes) {
  const auto model = model_of(inputs, stored, nodes);
  std::vector<const onnx::NodeProto*> all;
  for (const auto& node : model.graph().node()) all.push_back(&node);
  return asked_by(model, all);
}

TEST(AskedByNodes, LimitsAreSeenAsTheInputSeesThem) {
  const auto read = asked_in("float[n] x", "<float two = {2}, float low = {0}, float high = {6}>",
                             "a = Mul(x, two) y = Clip(a, low, high)");
  EXPECT_THAT(read.inputs.at("x").numbers, ElementsAre(0, 3));
  EXPECT_THAT(read.inputs.at("x").exact, IsEmpty()) << "arithmetic lies between";
}

TEST(AskedByNodes, SizesThatASliceCuts) {
  const std::string stored =
      "<int64[1] zero = {0}, int64[1] end = {512}, int64[1] one = {1}, int64[1] all = {9223372036854775807}>";
  EXPECT_THAT(asked_in("float[b,s] x", stored, "y = Slice(x, zero, end, one)").sizes.at("s"), ElementsAre(512));
  EXPECT_THAT(asked_in("float[b,s] x", stored, "y = Slice(x, zero, all, one)").sizes, IsEmpty()) << "to the end";
}

TEST(AskedByNodes, WholeNumbersThatACastDoesNotHold) {
  EXPECT_THAT(asked_in("int64[n] x", "", "y = Cast<to = 1>(x)").inputs.at("x").numbers, ElementsAre(16777217));
  EXPECT_THAT(asked_in("int64[n] x", "", "y = Cast<to = 6>(x)").inputs.at("x").numbers,
              ElementsAre(-2147483649.0, 2147483648.0));
  EXPECT_THAT(asked_in("float[n] x", "", "y = Cast<to = 6>(x)").inputs, IsEmpty()) << "floats are another matter";
}

TEST(AskedByNodes, IndicesWordsAndWhatIsNotFinite) {
  EXPECT_THAT(asked_in("float[5] t, int64[n] i", "", "y = Gather(t, i)").indices, ElementsAre("i"));
  const auto words = asked_in("string[n] s", "", "y = StringNormalizer<stopwords = [\"the\", \"of\"]>(s)").words;
  EXPECT_THAT(words.at("s"), ElementsAre("the", "of"));
  const auto read = compared_with(model_of("float[n] x, float[n] z", "", "y = IsNaN(x) b = Neg(z) w = IsInf(b)"));
  EXPECT_TRUE(read.inputs.at("x").asks_nan);
  EXPECT_FALSE(read.inputs.at("x").asks_infinite);
  EXPECT_TRUE(read.inputs.at("z").asks_infinite);
}

}  // namespace
}  // namespace culprit
