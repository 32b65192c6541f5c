#include "model/perturb_quantized.h"

#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <vector>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

onnx::ModelProto model(const std::string& graph) {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph);
}

const onnx::NodeProto& quantizer_in(const onnx::ModelProto& model) {
  for (const auto& node : model.graph().node()) {
    if (node.op_type().ends_with("QuantizeLinear")) return node;
  }
  return model.graph().node(0);
}

TEST(PerturbSteps, MoveWhatIsQuantizedInsideAndStayValid) {
  auto moved = model("g (float[4] x) => (uint8[4] y) <float s = {0.5}> { a = Relu(x)  y = QuantizeLinear(a, s) }");
  EXPECT_TRUE(quantizes(moved));
  EXPECT_EQ(perturb_steps(moved, 1), 1);
  EXPECT_NE(quantizer_in(moved).input(0), "a");
  EXPECT_EQ(quantizer_in(moved).input(1), "s") << "the scale itself stays";
  EXPECT_NO_THROW(onnx::checker::check_model(moved));
}

TEST(PerturbSteps, TakeTheSmallestOfManyScales) {
  auto moved =
      model("g (float[2,2] x) => (uint8[2,2] y) <float[2] s = {0.5, 0.25}> { y = QuantizeLinear<axis = 0>(x, s) }");
  EXPECT_EQ(perturb_steps(moved, 1), 1);
  bool found = false;
  for (const auto& tensor : moved.graph().initializer())
    found = found || (tensor.float_data_size() == 1 && tensor.float_data(0) == 0.25F);
  EXPECT_TRUE(found);
}

std::int64_t seed_of(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == "seed") return attribute.i();
  }
  return 0;
}

std::vector<std::int64_t> seeds_in(const onnx::ModelProto& model) {
  std::vector<std::int64_t> seeds;
  for (const auto& node : model.graph().node()) {
    if (node.domain() == "culprit") seeds.push_back(seed_of(node));
  }
  return seeds;
}

TEST(PerturbSteps, MoveEachNodeAndEachDrawByCoinsOfTheirOwn) {
  const auto twice = model(R"(g (float[4] x) => (uint8[4] y, uint8[4] z) <float s = {0.5}>
    { y = QuantizeLinear(x, s)  z = QuantizeLinear(x, s) })");
  auto first = twice, second = twice;
  perturb_steps(first, 1);
  perturb_steps(second, 2);
  const auto one = seeds_in(first), other = seeds_in(second);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_NE(one[0], one[1]);
  EXPECT_NE(one, other);
}

TEST(PerturbSteps, KnowRangesThatAreFoundOutAtRunTime) {
  auto moved = model("g (float[4] x) => (uint8[4] y, float s) { y, s, z = DynamicQuantizeLinear(x) }");
  EXPECT_EQ(perturb_steps(moved, 1), 1);
  EXPECT_NO_THROW(onnx::checker::check_model(moved));
}

TEST(PerturbSteps, LeaveWeightsAndOtherModelsAlone) {
  auto weights =
      model("g (float[4] x) => (uint8[2] y) <float[2] w = {1, 2}, float s = {0.5}> { y = QuantizeLinear(w, s) }");
  EXPECT_EQ(perturb_steps(weights, 1), 0);
  auto plain = model("g (float[4] x) => (float[4] y) { y = Relu(x) }");
  const std::string before = plain.SerializeAsString();
  EXPECT_FALSE(quantizes(plain));
  EXPECT_EQ(perturb_steps(plain, 1), 0);
  EXPECT_EQ(plain.SerializeAsString(), before);
}

TEST(PerturbSteps, GoIntoBranches) {
  auto moved = model(R"(g (float[2] x, bool c) => (uint8[2] y) <float s = {0.5}>
    { y = If(c) <then_branch = t () => (uint8[2] a) { r = Relu(x)  a = QuantizeLinear(r, s) },
                 else_branch = e () => (uint8[2] b) { n = Neg(x)  b = QuantizeLinear(n, s) }> })");
  EXPECT_EQ(perturb_steps(moved, 3), 2);
  EXPECT_NO_THROW(onnx::checker::check_model(moved));
}

}  // namespace
}  // namespace culprit
