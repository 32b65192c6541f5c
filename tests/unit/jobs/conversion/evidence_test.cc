#include "record/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion/walk/kernel_mates.h"
#include "evidence_bench.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class Evidence : public EvidenceBench {};

std::string dense(const std::string& numbers, const std::string& behind = "") {
  return "g (float[2,3] x) => (float[2,3] y) <float[3,3] w = {" + numbers + "}> { y = MatMul (x, w) " + behind + "}";
}
constexpr const char* nine = "1.5,-2,3.25,4,5.5,-6,7,8.125,9";

TEST_F(Evidence, NothingWhereNothingIsWrong) {
  take(dense(nine), dense(nine));
  EXPECT_THAT(of_parameters(), IsEmpty());
  EXPECT_THAT(of_hyper(), IsEmpty());
  EXPECT_THAT(of_graph(), IsEmpty());
}

TEST_F(Evidence, OrderAgainstLetters) {
  take(dense(nine), dense("1.5,4,7,-2,5.5,8.125,3.25,-6,9"));
  const auto proposals = parameter_evidence(task());
  EXPECT_THAT(words(proposals), ElementsAre("layout order"));
  ASSERT_EQ(proposals.size(), 1U);
  const auto& edit = std::get<SetConstant>(proposals[0].edits.at(0));
  EXPECT_EQ(edit.tensor.as<float>()[1], -2);
  EXPECT_EQ(edit.layer, 0);
  EXPECT_EQ(edit.at, 1U);
}

TEST_F(Evidence, ANumberIsWrong) {
  take(dense(nine), dense("1.5,-2,3.25,4,5.5,-6,7,8.125,19"));
  const auto proposals = parameter_evidence(task());
  EXPECT_THAT(words(proposals), ElementsAre("parameter elements"));
  ASSERT_EQ(proposals[0].evidence.elements.size(), 1U);
  EXPECT_EQ(proposals[0].evidence.elements[0].wrong, 19);
  EXPECT_EQ(proposals[0].evidence.elements[0].right, 9);
}

/// [C*M,1,H,W] with more than one result of each channel: nothing moves.
TEST_F(Evidence, DepthwiseMultiplier) {
  const std::string numbers = "1,-2,3,4.5,5,6.25,-7,8.5,9,10,11.5,12,13,-14,15.5,16";
  const std::string graph = "g (float[1,2,4,4] x) => (float[1,4,3,3] y) <float[4,1,2,2] k = {" + numbers +
                            "}> { y = Conv <group = 2> (x, k) }";
  take(graph, graph);
  EXPECT_THAT(of_parameters(), IsEmpty());
  EXPECT_THAT(of_hyper(), IsEmpty());
}

TEST_F(Evidence, ABiasThatIsLost) {
  const auto graph = [](const std::string& bias) {
    return "g (float[2,3] x) => (float[2,3] y) <float[3,3] w = {" + std::string(nine) +
           "}, float[3] b = {1,2,-3}> { y = Gemm (x, w" + bias + ") }";
  };
  take(graph(", b"), graph(""));
  const auto proposals = parameter_evidence(task());
  EXPECT_THAT(words(proposals), ElementsAre("parameter elements"));
  const auto& edit = std::get<SetConstant>(proposals.at(0).edits.at(0));
  EXPECT_EQ(edit.at, 2U);
  EXPECT_EQ(edit.tensor.as<float>()[2], -3);
}

TEST_F(Evidence, HyperParametersAndSingleNumbers) {
  take("g (float[1,8] x) => (float[1,8] y) <float e = {0.001}> { a = LeakyRelu <alpha = 0.1> (x) y = Add (a, e) }",
       "g (float[1,8] x) => (float[1,8] y) <float e = {0.1}> { a = LeakyRelu (x) y = Add (a, e) }");
  const auto proposals = hyper_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("hyperparameter hyper alpha", "hyperparameter hyper operand"));
  EXPECT_EQ(proposals.at(0).repair.wrong, "0.01");
  EXPECT_EQ(proposals.at(1).repair.right, "0.001");
}

TEST_F(Evidence, PadsInFrontThatAreTooManyAreSetThere) {
  const std::string head = "g (float[1,1,6,6] x) => (float[N] y) <float[1,1,3,3] k = {1.5,-2,3,4,5,-6,7,8,9}";
  take(head + "> { y = Conv <pads = [0,0,1,1], strides = [2,2]> (x, k) }",
       head + ", int64[8] p = {0,0,1,1,0,0,1,1}> { z = Pad (x, p) y = Conv <strides = [2,2]> (z, k) }");
  const auto proposals = hyper_evidence(task(), paired_layers(task()));
  ASSERT_THAT(words(proposals), ElementsAre("hyperparameter hyper pads"));
  const auto& edit = std::get<SetHyper>(proposals[0].edits.at(0));
  EXPECT_EQ(edit.layer, 0);
  EXPECT_EQ(edit.hyper, Hyper(std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 1, 1}));
}

/// Slopes of channels and an axis of channels, where the target has channels last.
TEST_F(Evidence, WhatIsLostComesAsTheTargetLies) {
  const std::string slopes = "<float[3,1,1] s = {0.25, 0.5, 0.75}> ";
  take("g (float[1,3,2,4] x) => (float[1,3,2,4] y) " + slopes + "{ y = PRelu (x, s) }",
       "g (float[1,2,4,3] x) => (float[1,2,4,3] y) { y = Sin (x) }");
  const std::vector<Tensor> seen{Tensor::of<float>({1, 3, 2, 4}, std::vector<float>(24))};
  sketches_source[source.inputs[0]] = sketch_of(seen);
  known[source.inputs[0]].order.axes = AxisOrder{{0, 2, 3, 1}};
  const auto lost = graph_evidence(task(), paired_layers(task()));
  ASSERT_FALSE(lost.empty());
  const auto& edit = std::get<InsertBehind>(lost.front().edits.at(0));
  EXPECT_EQ(edit.constants.at(0).shape(), (Shape{1, 1, 3}));
  EXPECT_EQ(edit.constants.at(0).as<float>()[2], 0.75F);
  take("g (float[1,3,2,4] x) => (float[1,3,2,4] y) { y = Softmax <axis = 1> (x) }",
       "g (float[1,2,4,3] x) => (float[1,2,4,3] y) { y = Sin (x) }");
  sketches_source[source.inputs[0]] = sketch_of(seen);
  known[source.inputs[0]].order.axes = AxisOrder{{0, 2, 3, 1}};
  const auto exchanged = graph_evidence(task(), paired_layers(task()));
  ASSERT_FALSE(exchanged.empty());
  EXPECT_EQ(std::get<SetType>(exchanged.front().edits.at(0)).hyper.at("axis"), Hyper(std::int64_t{3}));
}

TEST_F(Evidence, LostAddedAndExchanged) {
  take("g (float[8] x) => (float[8] y) { a = Relu (x) y = Exp (a) }", "g (float[8] x) => (float[8] y) { y = Exp (x) }");
  EXPECT_THAT(of_graph(), ElementsAre("graph operator_lost"));
  take("g (float[8] x) => (float[8] y) { y = Exp (x) }", "g (float[8] x) => (float[8] y) { a = Relu (x) y = Exp (a) }");
  EXPECT_THAT(of_graph(), ElementsAre("graph operator_added"));
  take("g (float[8] x) => (float[8] y) { a = Relu (x) y = Exp (a) }",
       "g (float[8] x) => (float[8] y) { a = Tanh (x) y = Exp (a) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  ASSERT_FALSE(proposals.empty());
  EXPECT_EQ(proposals[0].evidence.kind, "operator_exchanged");
  EXPECT_EQ(std::get<SetType>(proposals[0].edits.at(0)).type, "Relu");
}

/// Where a region ends before the target's own Softmax, the Softmax is not lost.
TEST_F(Evidence, WhatFollowsIsNotLost) {
  const auto ending_in = [&](const std::string& behind) {
    take("g (float[8] x) => (float[8] z) { a = Exp (x) y = Softmax (a) z = Abs (y) }",
         "g (float[8] x) => (float[8] z) { y = Exp (x) " + behind + " }");
    region.source = value_named(source, "y");
    region.target = value_named(target, "y");
    region.source_layers = {layer_making(source, "a"), layer_making(source, "y")};
    region.target_layers = {layer_making(target, "y")};
    return of_graph();
  };
  EXPECT_THAT(ending_in("z = Abs (y)"), Contains("graph operator_lost"));
  EXPECT_THAT(ending_in("s = Softmax (y) z = Abs (s)"), Not(Contains("graph operator_lost")));
}

TEST_F(Evidence, AnAdditionOfATableIsLost) {
  take("g (float[4] x) => (float[4] y) <float[4] t = {1,2,-3,4}> { a = Add (x, t) y = Exp (a) }",
       "g (float[4] x) => (float[4] y) { y = Exp (x) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("parameter operator_lost"));
  const auto& edit = std::get<InsertBehind>(proposals.at(0).edits.at(0));
  ASSERT_EQ(edit.constants.size(), 1U);
  EXPECT_EQ(edit.constants[0].number(2), -3);
}

TEST_F(Evidence, KinAreExchanged) {
  take("g (float[1,3,4] x) => (float[1,3] y) { y = ReduceMean <axes = [2], keepdims = 0> (x) }",
       "g (float[1,3,4] x) => (float[1,3] y) { y = ReduceMax <axes = [2], keepdims = 0> (x) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("graph operator_exchanged"));
  EXPECT_EQ(std::get<SetType>(proposals.at(0).edits.at(0)).type, "ReduceMean");
  take("g (float[1,3,4] x) => (float[1,3] y) { y = ReduceMean <axes = [2], keepdims = 0> (x) }",
       "g (float[1,3,4] x) => (float[1,3] y) { y = ArgMax <axis = 2, keepdims = 0> (x) }");
  EXPECT_THAT(of_graph(), IsEmpty());
}

/// What the target turns before it counts is counted otherwise: the Flatten is wrong.
TEST_F(Evidence, ATransposeBeforeAFlattenIsTheFlattens) {
  take("g (float[1,2,3,4] x) => (float[1,24] y) { a = Relu (x) y = Flatten (a) }",
       "g (float[1,2,3,4] x) => (float[1,24] y) { a = Relu (x) b = Transpose <perm = [0,2,3,1]> (a) y = Flatten (b) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("layout order"));
  EXPECT_EQ(proposals.at(0).source_layer, layer_making(source, "y"));
}

/// "{0.5,-1,...}" of so many numbers that are unlike each other, block `i` of equal blocks being block `order[i]`.
std::string numbers_in_blocks(int count, const std::vector<int>& order) {
  std::string words;
  const int block = count / static_cast<int>(order.size());
  for (const int from : order)
    for (int i = 0; i < block; ++i) {
      const int at = from * block + i;
      words += (words.empty() ? "" : ",") + std::to_string((at * 7 % 31) - 14.5 + 0.01 * at);
    }
  return "{" + words + "}";
}
/// The gates of an LSTM with one input and three cells.
std::string lstm(const std::vector<int>& gates, const std::string& type = "LSTM") {
  std::vector<int> of_bias = gates;
  for (const int gate : gates) of_bias.push_back(gate + 4);
  return "g (float[2,1,2] x) => (float[2,1,1,3] y) <float[1,12,2] w = " + numbers_in_blocks(24, gates) +
         ", float[1,12,3] r = " + numbers_in_blocks(36, gates) + ", float[1,24] b = " + numbers_in_blocks(24, of_bias) +
         "> { y = " + type + " <hidden_size = 3> (x, w, r, b) }";
}

/// Other operators may have their gates in any order. LSTM has one.
TEST_F(Evidence, GatesInTheOrderOfAnotherOperator) {
  const std::vector<int> own{0, 1, 2, 3}, of_keras{0, 2, 3, 1};
  take(lstm(own), lstm(own));
  EXPECT_THAT(of_parameters(), IsEmpty());
  take(lstm(own), lstm(of_keras));
  const auto proposals = parameter_evidence(task());
  EXPECT_THAT(words(proposals), ElementsAre("layout order", "layout order", "layout order"));
}

TEST_F(Evidence, ABiasThatAnLstmLost) {
  const std::vector<int> own{0, 1, 2, 3};
  std::string without = lstm(own);
  without.replace(without.find("r, b)"), 5, "r)");
  take(lstm(own), without);
  const auto proposals = parameter_evidence(task());
  EXPECT_THAT(words(proposals), ElementsAre("parameter elements"));
  const auto& edit = std::get<SetConstant>(proposals.at(0).edits.at(0));
  EXPECT_EQ(edit.at, 3U);
  EXPECT_EQ(edit.tensor.shape(), (Shape{1, 24}));
}

TEST_F(Evidence, AScaleThatStandsWhereTheBiasBelongs) {
  const auto graph = [](const std::string& constants) {
    return "g (float[1,3,2,2] x) => (float[1,3,2,2] y) <float[3] s = {1,1.5,-2}, float[3] b = {0.5,3,7}, float[3] m = "
           "{0.25,-1,0.75}, float[3] v = {1.25,2,0.5}> { y = BatchNormalization (x, " +
           constants + ") }";
  };
  take(graph("s, b, m, v"), graph("b, s, m, v"));
  const auto proposals = parameter_evidence(task());
  ASSERT_EQ(proposals.size(), 2U);
  std::map<std::size_t, double> last_by_place;
  for (const EditProposal& proposal : proposals) {
    const auto& edit = std::get<SetConstant>(proposal.edits.at(0));
    last_by_place[edit.at] = edit.tensor.number(2);
  }
  EXPECT_THAT(last_by_place, ElementsAre(std::pair(1U, -2), std::pair(2U, 7)));
}

/// A Pad before it adds more than all that should be.
TEST_F(Evidence, PadsOfALayerBefore) {
  const std::string kernel = "<float[1,1,2,2] k = {1,-2,3,4.5}";
  take("g (float[1,1,4,4] x) => (float[1,1,4,4] y) " + kernel + "> { y = Conv <pads = [0,0,1,1]> (x, k) }",
       "g (float[1,1,4,4] x) => (float[1,1,4,4] y) " + kernel +
           ", int64[8] p = {0,0,1,1,0,0,0,0}> { a = Pad (x, p) y = Conv (a, k) }");
  const auto proposals = hyper_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("hyperparameter hyper pads"));
  std::map<int, std::vector<std::int64_t>> pads;
  for (const Edit& edit : proposals[0].edits)
    if (const auto& set = std::get<SetHyper>(edit); set.name == "pads")
      pads[set.layer] = std::get<std::vector<std::int64_t>>(set.hyper);
  EXPECT_THAT(pads, ElementsAre(std::pair(0, std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 1, 1}),
                                std::pair(1, std::vector<std::int64_t>{0, 0, 0, 0})));
}

TEST_F(Evidence, ExchangedOperatorsOfTwoInputs) {
  take("g (float[8] x, float[8] z) => (float[8] y) { y = Add (x, z) }",
       "g (float[8] x, float[8] z) => (float[8] y) { y = Sub (x, z) }");
  EXPECT_THAT(of_graph().front(), "graph operator_exchanged");
}

/// Its users were given one of the two values, and nobody knows which.
TEST_F(Evidence, ALostOperatorOfTwoInputs) {
  take("g (float[8] x, float[8] z) => (float[8] y) { y = Add (x, z) }",
       "g (float[8] x, float[8] z) => (float[8] y) { y = Identity (z) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("graph operator_lost", "graph operator_lost"));
  const auto input = [&](const char* name) { return value_named(target, name); };
  std::vector<int> with;
  for (const EditProposal& proposal : proposals) with.push_back(std::get<InsertBehind>(proposal.edits.at(0)).with);
  EXPECT_THAT(with, ::testing::UnorderedElementsAre(input("x"), input("z")));
}

TEST_F(Evidence, SwappedInputsAreSetTogether) {
  take("g (float[8] x, float[8] z) => (float[8] y) { y = Sub (x, z) }",
       "g (float[8] x, float[8] z) => (float[8] y) { y = Sub (z, x) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("graph input_exchanged"));
  EXPECT_EQ(proposals.at(0).edits.size(), 2U);
}

TEST_F(Evidence, AConstantInTheOtherPlace) {
  take("g (float[8] x) => (float[8] y) <float k = {2}> { y = Sub (x, k) }",
       "g (float[8] x) => (float[8] y) <float k = {2}> { y = Sub (k, x) }");
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  EXPECT_THAT(words(proposals), ElementsAre("graph input_exchanged"));
  EXPECT_EQ(std::get<SetConstant>(proposals.at(0).edits.at(0)).at, 1U);
  EXPECT_EQ(std::get<SetInput>(proposals.at(0).edits.at(1)).at, 0U);
}

TEST_F(Evidence, AnOperatorThatNobodyKnows) {
  take("g (float[8] x) => (float[8] y) { y = Erf (x) }", "g (float[8] x) => (float[8] y) { y = Erfc (x) }");
  EXPECT_THAT(of_graph().front(), "graph operator_exchanged");
}

/// One axis of the source is two in the target.
TEST_F(Evidence, StridesOfALineThatIsAPicture) {
  const auto graph = [](int stride) {
    return "g (float[1,1,1,8] x) => (float[1,1,1,4] y) <float[1,1,1,3] k = {1,-2,3}> { y = Conv <strides = [1," +
           std::to_string(stride) + "], pads = [0,1,0,1]> (x, k) }";
  };
  const std::string line =
      "g (float[1,1,8] x) => (float[1,1,4] y) <float[1,1,3] k = {1,-2,3}> { y = Conv <strides = [2], pads = [1,1]> (x, "
      "k) }";
  take(line, graph(2));
  sketches_target[target.inputs[0]] =
      sketch_of(std::vector<Tensor>{Tensor::of<float>({1, 1, 1, 8}, std::vector<float>(8, 1))});
  EXPECT_THAT(of_hyper(), IsEmpty());
  take(line, graph(1));
  EXPECT_THAT(of_hyper(), ElementsAre("hyperparameter hyper strides"));
}

/// What is known of them is what the Transposes take.
TEST_F(Evidence, SwappedInputsBehindMovers) {
  const auto graph = [](const std::string& inputs) {
    return "g (float[3,3] x, float[3,3] z) => (float[3,3] y) { a = Transpose (x) b = Transpose (z) y = Sub (" + inputs +
           ") }";
  };
  take(graph("a, b"), graph("b, a"));
  for (std::size_t i = 0; i < 2; ++i) {
    const int made = value_named(source, i == 0 ? "a" : "b");
    known[made] = {made, target.inputs[i], {{{1, 0}}}, FoundBy::numbers, {}, true};
  }
  const auto proposals = graph_evidence(task(), paired_layers(task()));
  ASSERT_FALSE(proposals.empty());
  EXPECT_EQ(proposals[0].evidence.kind, "input_exchanged");
  ASSERT_EQ(proposals[0].edits.size(), 2U);
  EXPECT_EQ(std::get<SetInput>(proposals[0].edits[0]).value, value_named(target, "a"));
}

}  // namespace
}  // namespace culprit
