#include "reduce/cut_out.h"

#include "fakes.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Tensor ones(const Shape& shape) {
  return Tensor::of<float>(shape, std::vector<float>(static_cast<std::size_t>(element_count(shape).value()), 1));
}

template <class Infos>
std::vector<std::string> names(const Infos& infos) {
  std::vector<std::string> found;
  for (const auto& info : infos) found.push_back(info.name());
  return found;
}

std::vector<std::string> operators(const onnx::GraphProto& graph) {
  std::vector<std::string> found;
  for (const auto& node : graph.node()) found.push_back(node.op_type());
  return found;
}

const char* const diamond = R"(<ir_version: 8, opset_import: ["" : 17]>
agraph (float[2,3] x, float[2,3] unused) => (float[2,3] y)
<float[3] w = {1, 2, 3}, float[3] only_left = {4, 5, 6}>
{
  a = Relu(x)
  left = Add(a, only_left)
  c = Constant<value = float[3] {1, 1, 1}>()
  right = Mul(a, w)
  scaled = Mul(right, c)
  y = Sub(left, scaled)
})";

class Region : public testing::Test {
 protected:
  Region() {
    a_case.model = std::make_shared<onnx::ModelProto>(parse_model(diamond));
    a_case.samples = {{{"x", ones({2, 3})}, {"unused", ones({2, 3})}}};
    values.resize(1);
    for (const char* name : {"a", "left", "right", "scaled", "y"}) values[0][name] = ones({2, 3});
  }
  std::optional<Case> keep(const std::vector<bool>& kept, StandIn stand_in = StandIn::input) {
    return cut({a_case, values}, kept, stand_in);
  }
  Case a_case;
  Captured values;
};

TEST_F(Region, IsFedWhatWasCapturedAndGivesWhatOthersUsed) {
  const auto part = keep({false, false, false, true, true, false});
  ASSERT_TRUE(part);
  const auto& graph = part->model->graph();
  EXPECT_THAT(operators(graph), ElementsAre("Constant", "Mul", "Mul"));
  EXPECT_THAT(names(graph.input()), ElementsAre("a"));
  EXPECT_THAT(names(graph.output()), ElementsAre("scaled"));
  EXPECT_THAT(names(graph.initializer()), ElementsAre("w"));
  ASSERT_EQ(part->samples[0].size(), 1U);
  EXPECT_EQ(part->samples[0][0].name, "a");
  EXPECT_EQ(graph.input(0).type().tensor_type().shape().dim(1).dim_value(), 3);
  EXPECT_EQ(part->model->opset_import(0).version(), 17);
}

TEST_F(Region, KeepsTheModelsOwnInputsAndOutputs) {
  const auto part = keep({true, true, false, false, false, true});
  ASSERT_TRUE(part);
  EXPECT_THAT(names(part->model->graph().input()), ElementsAre("x", "scaled"));
  EXPECT_THAT(names(part->model->graph().output()), ElementsAre("y", "a"));
  EXPECT_THAT(operators(part->model->graph()), ElementsAre("Relu", "Add", "Sub")) << "nobody uses the Constant";
}

TEST_F(Region, IsNoneWithoutTheValuesThatCross) {
  values[0].erase("a");
  EXPECT_FALSE(keep({false, true, false, false, false, false}));
  values.clear();
  EXPECT_FALSE(keep({false, false, false, false, false, true}));
  EXPECT_FALSE(keep({false, false, false, false, false, false}));
}

TEST_F(Region, SizesThatDifferBetweenSamplesAreOpen) {
  a_case.samples.push_back({{"x", ones({4, 3})}, {"unused", ones({4, 3})}});
  values.push_back({{"a", ones({4, 3})}, {"left", ones({4, 3})}});
  const auto part = keep({false, true, false, false, false, false});
  ASSERT_TRUE(part);
  const auto& shape = part->model->graph().input(0).type().tensor_type().shape();
  EXPECT_FALSE(shape.dim(0).has_dim_value());
  EXPECT_EQ(shape.dim(1).dim_value(), 3);
  EXPECT_EQ(part->samples[1][0].value.shape(), (Shape{4, 3}));
}

TEST_F(Region, FoldedNodesBecomeConstants) {
  const auto part = keep({true, true, true, false, true, true}, StandIn::initializer);
  ASSERT_TRUE(part);
  const auto& graph = part->model->graph();
  EXPECT_THAT(names(graph.initializer()), UnorderedElementsAre("right", "only_left"));
  EXPECT_THAT(names(graph.output()), ElementsAre("y"));
  EXPECT_THAT(names(graph.input()), ElementsAre("x"));
  a_case.samples.push_back(a_case.samples[0]);
  values.push_back(values[0]);
  EXPECT_FALSE(keep({true, true, true, false, true, true}, StandIn::initializer)) << "two samples, two values";
}

TEST_F(Region, SweepsWhatNobodyUses) {
  onnx::ModelProto model = *a_case.model;
  auto samples = a_case.samples;
  model.mutable_graph()->mutable_node(5)->set_input(0, "scaled");
  sweep(model, samples);
  EXPECT_THAT(operators(model.graph()), ElementsAre("Relu", "Constant", "Mul", "Mul", "Sub"));
  EXPECT_THAT(names(model.graph().initializer()), ElementsAre("w"));
  EXPECT_THAT(names(model.graph().input()), ElementsAre("x"));
  EXPECT_EQ(samples[0].size(), 1U);
}

TEST(UsedBy, TellsWhatBodiesTakeFromOutside) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
agraph (bool c, float[2] x) => (float[2] y)
<float[2] w = {1, 2}>
{
  y = If(c) <then_branch = yes () => (float[2] a) { t = Add(x, w) a = Neg(t) },
             else_branch = no () => (float[2] b) <float[2] x2 = {1, 1}> { b = Relu(x2) }>
})");
  EXPECT_THAT(used_by(model.graph().node(0)), ElementsAre("c", "w", "x"));
}

}  // namespace
}  // namespace culprit
