#include "model/perturb_results.h"

#include <gmock/gmock.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

onnx::ModelProto parse_graph(const std::string& graph) {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph);
}

/// What stands behind what: "Rounding(MatMul)" by the value's first name.
std::vector<std::string> rounded(const onnx::GraphProto& graph) {
  std::vector<std::string> outputs;
  for (const auto& node : graph.node()) {
    if (node.op_type() == "Rounding") outputs.push_back(node.output(0));
  }
  return outputs;
}

std::vector<std::string> rounded_in(const std::string& graph) {
  onnx::ModelProto model = parse_graph(graph);
  EXPECT_EQ(perturbable_results(model), perturb_results(model, 1, 1));
  return rounded(model.graph());
}

std::int64_t first_attribute_of(const onnx::NodeProto& node) { return node.attribute(0).i(); }

TEST(PerturbResults, StandBehindWhatComputesUnderItsName) {
  onnx::ModelProto model = parse_graph(
      "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.1, 2.3, 3.1, 4.7}> { a = MatMul(x, w)  y = Relu(a) }");
  EXPECT_EQ(perturb_results(model, 7, 4), 1);
  const auto& nodes = model.graph().node();
  ASSERT_EQ(nodes.size(), 3);
  EXPECT_EQ(nodes[0].output(0), nodes[1].input(0));
  EXPECT_EQ(nodes[1].domain(), "culprit");
  EXPECT_EQ(nodes[1].output(0), "a") << "whatever takes it, takes what was moved";
  EXPECT_EQ(nodes[1].attribute(1).i(), 4);
  EXPECT_EQ(nodes[2].input(0), "a");
  EXPECT_EQ(model.opset_import().rbegin()->domain(), "culprit");
}

TEST(PerturbResults, EqualBranchesMoveApartAndSeedsTell) {
  const std::string graph = "g (float[2] x) => (float[2] y) { a = Exp(x)  b = Exp(x)  y = Max(a, b) }";
  onnx::ModelProto one = parse_graph(graph), other = parse_graph(graph), again = parse_graph(graph);
  perturb_results(one, 1, 1), perturb_results(other, 2, 1), perturb_results(again, 1, 1);
  EXPECT_NE(first_attribute_of(one.graph().node(1)), first_attribute_of(one.graph().node(3)));
  EXPECT_NE(first_attribute_of(one.graph().node(1)), first_attribute_of(other.graph().node(1)));
  EXPECT_EQ(first_attribute_of(one.graph().node(1)), first_attribute_of(again.graph().node(1)));
}

TEST(PerturbResults, WhatIsExactStays) {
  EXPECT_THAT(rounded_in("g (float[4] x) => (float[4] y) { a = Relu(x)  b = Neg(a)  y = Max(a, b) }"), IsEmpty());
  EXPECT_THAT(rounded_in("g (uint8[4] x) => (float[4] y) <int32 one = {1}> "
                         "{ a = Cast<to = 1>(x)  n = Cast<to = 1>(one)  b = Sub(a, n)  y = Sqrt(b) }"),
              ElementsAre("y"))
      << "whole numbers";
  EXPECT_THAT(rounded_in("g (float[4] x) => (float[n] y) { a = Shape(x)  b = Cast<to = 1>(a)  y = Sqrt(b) }"),
              IsEmpty())
      << "a shape is no data";
}

TEST(PerturbResults, WeightsMoveBehindTheCastThatMakesThemFloats) {
  onnx::ModelProto model = parse_graph(
      "g (float[2,2] x) => (float[2,2] y) <float16[2,2] w = {15872, 16640, 17152, 17536}> "
      "{ v = Transpose(w)  u = Cast<to = 1>(v)  y = MatMul(x, u) }");
  EXPECT_THAT(casted_weights(model), ElementsAre("w"));
  perturb_results(model, 1, 1);
  EXPECT_THAT(rounded(model.graph()), ElementsAre("u", "y"));
}

TEST(PerturbResults, ArePutIntoSubgraphsToo) {
  onnx::ModelProto model = parse_graph(
      "g (bool c, float[2] x) => (float[2] y) { y = If(c) <then_branch = t () => (float[2] u) { u = Exp(x) }, "
      "else_branch = e () => (float[2] v) { v = Relu(x) }> }");
  EXPECT_EQ(perturb_results(model, 1, 1), 1);
  EXPECT_EQ(perturbable_results(model), 1);
}

/// Which edges into sums move: the first output of the sum, and the number of the input.
std::vector<std::pair<std::string, int>> summed_in(const std::string& graph) {
  onnx::ModelProto model = parse_graph(graph);
  perturb_results(model, 1, 1);
  std::vector<std::pair<std::string, int>> edges;
  for (const auto& node : model.graph().node()) {
    for (int i = 0; i < node.input_size(); ++i) {
      if (node.op_type() != "Rounding" && node.input(i).starts_with("culprit_term"))
        edges.emplace_back(node.op_type(), i);
    }
  }
  return edges;
}

TEST(SummedEdges, AreThoseOfInputsThatASumTakesAsTheyAre) {
  using testing::Pair;
  EXPECT_THAT(summed_in("g (float[2,2] x) => (float[2,2] y) { a = Transpose(x)  y = Softmax(a) }"),
              ElementsAre(Pair("Softmax", 0)));
  EXPECT_THAT(summed_in("g (float[2,2] x) => (float[2,2] y) { a = Sub(x, x)  y = Softmax(a) }"), IsEmpty())
      << "what was computed moves already";
  EXPECT_THAT(summed_in("g (float[2,2] x) => (float[2,2] y) { a = Sub(x, x)  y = ReduceSum(a) }"),
              ElementsAre(Pair("ReduceSum", 0)))
      << "but not as partial sums do";
  EXPECT_THAT(
      summed_in("g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.1, 2.2, 3.3, 4.4}> { y = MatMul(x, w) }"),
      IsEmpty())
      << "the weights move";
  EXPECT_THAT(summed_in("g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 1, 1, 1}> { y = MatMul(x, w) }"),
              ElementsAre(Pair("MatMul", 0)))
      << "ones do not";
  EXPECT_THAT(summed_in("g (float[2,2] x, float[2,2] z) => (float[2,2] y) { y = MatMul(x, z) }"),
              ElementsAre(Pair("MatMul", 0), Pair("MatMul", 1)));
}

/// Which edges into a recurrent node move: two units, one of input, weights of a state [1, 2, 2].
std::vector<std::pair<std::string, int>> moved_into(const std::string& node, const std::string& weight) {
  return summed_in("g (float[3,1,1] x) => (float[3,1,1,2] y) <float[1,2,1] w = {" + weight +
                   ", 2}, float[1,2,2] r = {" + weight + ", 2, 3, 4}> { y = " + node + " }");
}

TEST(SummedEdges, OfARecurrentNodeBringInWhatItRoundsAtEveryStep) {
  using testing::Pair;
  EXPECT_THAT(moved_into("RNN<hidden_size = 2>(x, w, r)", "1"), ElementsAre(Pair("RNN", 0), Pair("RNN", 2)))
      << "weights that are round numbers do not move by themselves";
  EXPECT_THAT(moved_into("RNN<hidden_size = 2>(x, w, r)", "1.1"), IsEmpty()) << "others do";
}

TEST(SummedEdges, IntoARecurrentNodeStayExactWhereItsStateMayBe) {
  const auto may_be_exact = [](const std::string& activation) {
    onnx::ModelProto model = parse_graph(
        "g (float[3,1,1] x) => (float[3,1,1,2] y) <float[1,2,1] w = {1, 2}, float[1,2,2] r = {1, 0, 0, 1}> "
        "{ y = RNN<hidden_size = 2, activations = [\"" +
        activation + "\"]>(x, w, r) }");
    perturb_results(model, 1, 1);
    const auto& into_state = model.graph().node(1);
    EXPECT_EQ(into_state.input(0), "r");
    return into_state.attribute(2).i() != 0;
  };
  EXPECT_TRUE(may_be_exact("Relu")) << "it may count";
  EXPECT_FALSE(may_be_exact("Tanh"));
}

TEST(SummedEdges, MoveForTheSumAlone) {
  onnx::ModelProto model =
      parse_graph("g (float[2,2] x) => (float[2,2] y, float[2,2] z) { y = ReduceSum(x)  z = Relu(x) }");
  perturb_results(model, 1, 1);
  EXPECT_EQ(model.graph().node().rbegin()->input(0), "x");
}

}  // namespace
}  // namespace culprit
