// Regions of a model as models of their own.
#include "model/extract_part.h"

#include <gmock/gmock.h>

#include "model/values_of_node.h"
#include "parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

onnx::ModelProto chain() {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[2] z) => (float[2] y) <float[2] w = {1, 2}, float[2] v = {3, 4}> {
      a = Relu(x)  b = Mul(a, w)  c = Add(b, z)  d = Mul(c, v)  y = Neg(d) })");
}

FedValue vector(const std::string& name) { return {name, DType::f32, {{2, ""}}}; }

std::vector<std::string> ops(const onnx::ModelProto& model) {
  std::vector<std::string> names;
  for (const auto& node : model.graph().node()) names.push_back(node.op_type());
  return names;
}

std::vector<std::string> inputs(const onnx::ModelProto& model) {
  std::vector<std::string> names;
  for (const auto& input : model.graph().input()) names.push_back(input.name());
  return names;
}

TEST(Extract, LeavesWhatLiesBetweenWhatIsFedAndWhatIsWanted) {
  onnx::ModelProto model = chain();
  const std::vector<FedValue> fed = {vector("b")};
  const std::vector<std::string> wanted = {"d"};
  const Extract part = extract(model, fed, wanted);
  EXPECT_THAT(ops(model), ElementsAre("Add", "Mul"));
  EXPECT_THAT(inputs(model), ElementsAre("z", "b"));
  EXPECT_THAT(part.inputs, ElementsAre("z", "b"));
  EXPECT_THAT(part.outputs, ElementsAre("d"));
  ASSERT_EQ(model.graph().initializer_size(), 1);
  EXPECT_EQ(model.graph().initializer(0).name(), "v");
}

TEST(Extract, AValueThatIsFedAndWantedComesOutAsItsOwnNodeMakesIt) {
  onnx::ModelProto model = chain();
  const std::vector<FedValue> fed = {vector("a"), vector("b"), vector("c")};
  const std::vector<std::string> wanted = {"b", "c", "d"};
  const Extract part = extract(model, fed, wanted);
  EXPECT_THAT(ops(model), ElementsAre("Mul", "Add", "Mul"));
  EXPECT_THAT(part.outputs, ElementsAre("b@made", "c@made", "d"));
  EXPECT_EQ(model.graph().node(0).output(0), "b@made");
  EXPECT_EQ(model.graph().node(1).input(0), "b") << "its consumer gets what is fed";
}

TEST(Extract, WhatNoNodeMakesIsSaid) {
  onnx::ModelProto model = chain();
  const std::vector<std::string> wanted = {"x", "nowhere", "a"};
  const Extract part = extract(model, {}, wanted);
  EXPECT_THAT(part.unknown, ElementsAre("x", "nowhere"));
  EXPECT_THAT(part.outputs, ElementsAre("a"));
}

TEST(Extract, WhatSubgraphsTakeFromAroundCountsAsUsed) {
  onnx::ModelProto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
      a = Relu(x)  b = Abs(x)
      y = If (c) <then_branch = t () => (float[2] p) { q = Mul(a, w)  p = Neg(q) },
                  else_branch = e () => (float[2] r) { r = Identity(a) }> })");
  EXPECT_THAT(used_values(model.graph().node(2)), ElementsAre("c", "a", "w"));
  const std::vector<FedValue> fed = {vector("a")};
  const std::vector<std::string> wanted = {"y"};
  const Extract part = extract(model, fed, wanted);
  EXPECT_THAT(ops(model), ElementsAre("If"));
  EXPECT_THAT(part.inputs, ElementsAre("c", "a"));
  EXPECT_EQ(model.graph().initializer_size(), 1);
}

TEST(Extract, ALoopInABrokenGraphEnds) {
  onnx::ModelProto model = chain();
  model.mutable_graph()->mutable_node(0)->set_input(0, "y");
  const std::vector<std::string> wanted = {"y"};
  EXPECT_THAT(extract(model, {}, wanted).unknown, IsEmpty());
}

}  // namespace
}  // namespace culprit
