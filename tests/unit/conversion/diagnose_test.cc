#include "conversion/diagnose.h"

#include "diagnose_bench.h"

namespace culprit {
namespace {

using testing::both;
using ::testing::ElementsAre;
using testing::Fault;
using ::testing::IsEmpty;
using testing::lost_operator;
using testing::Wholes;
using testing::wrong_attribute;
using testing::wrong_weight;

using Rewritings = std::vector<Fault>;

Tensor flipped_kernel(const Tensor& tensor) { return testing::flipped(testing::flipped(tensor, 2), 3); }

onnx::NodeProto node(const std::string& type, const std::string& output, const testing::Attributes& attributes = {}) {
  onnx::NodeProto made = testing::make_node(type, {}, output);
  for (const auto& [name, value] : attributes) testing::set_attribute(made, name, value);
  return made;
}

class Diagnose : public testing::DiagnoseBench {
 protected:
  /// Nothing is wrong, and all layers with parameters are found.
  void expect_clean(const onnx::ModelProto& net, const Rewritings& rewritings) {
    const Diagnosis found = diagnose_net(net, rewritings);
    EXPECT_EQ(found.status, DiagnosisStatus::same) << found.message;
    EXPECT_THAT(told(found), IsEmpty());
    EXPECT_EQ(found.map.counts.not_found, 0);
    EXPECT_GT(found.map.counts.with_parameters, 0);
  }

  /// This is told, however the converter writes the rest.
  void expect_told(const onnx::ModelProto& net, const std::vector<Rewritings>& all, const Fault& mistake,
                   const std::vector<std::string>& words) {
    int number = 0;
    for (const Rewritings& rewritings : all) {
      const Diagnosis found = diagnose_net(net, rewritings, mistake);
      EXPECT_EQ(found.status, DiagnosisStatus::faulty);
      EXPECT_EQ(told(found), words) << "rewritten in way " << number << ": " << found.message;
      ++number;
    }
  }

  const std::vector<Rewritings> of_cnn{
      {},
      {testing::fold_normalizations, testing::split_gemms, testing::channels_last_input},
      {testing::permute_channels},
  };
  const std::vector<Rewritings> of_residual{{}, {testing::prelus_as_relus, testing::channels_last_input}};
};

TEST_F(Diagnose, HonestConversionsAreClean) {
  for (const Rewritings& rewritings : of_cnn) expect_clean(testing::cnn_net(), rewritings);
  expect_clean(testing::cnn_net(), {testing::fold_normalizations});
  for (const Rewritings& rewritings : of_residual) expect_clean(testing::residual_net(), rewritings);
  expect_clean(testing::residual_net(), {testing::split_gemms});
  expect_clean(testing::attention_net(), {});
}

TEST_F(Diagnose, WrongNumbers) {
  const auto net = testing::cnn_net();
  expect_told(net, of_cnn, wrong_weight("Conv", 1, 1, testing::one_wrong), {"parameter Conv_4"});
  expect_told(net, of_cnn, wrong_weight("Conv", 2, 1, flipped_kernel), {"layout Conv_7"});
  expect_told(net, of_cnn, wrong_weight("Conv", 0, 1, [](const Tensor& t) { return testing::to_decimals(t, 1); }),
              {"precision Conv_1"});
}

TEST_F(Diagnose, HalfIsPrecisionThoughItLiesWithinTheTolerance) {
  expect_told(testing::cnn_net(), {{}, {testing::fold_normalizations}}, wrong_weight("Conv", 1, 1, testing::to_half),
              {"precision Conv_4"});
}

TEST_F(Diagnose, WrongNumbersOfOtherNets) {
  const auto residual = testing::residual_net();
  const auto larger = [](const Tensor& tensor) {
    return testing::each_number(tensor, [](float number) { return number * 1.5F; });
  };
  expect_told(residual, of_residual, wrong_weight("PRelu", 1, 1, larger), {"parameter PRelu_10"});
  expect_told(residual, of_residual, wrong_weight("Conv", 3, 1, [](const Tensor& t) { return testing::flipped(t, 0); }),
              {"layout Conv_7"});
  const auto attention = testing::attention_net();
  expect_told(attention, {{}}, wrong_weight("MatMul", 1, 1, testing::transposed_square), {"layout MatMul_14"});
  expect_told(attention, {{}}, wrong_weight("Add", 5, 1, testing::one_wrong), {"parameter Add_29"});
}

TEST_F(Diagnose, HyperParameters) {
  const auto net = testing::cnn_net();
  expect_told(net, of_cnn, wrong_attribute("Conv", 1, "pads", Wholes{0, 0, 2, 2}), {"hyperparameter Conv_4.pads"});
  const auto residual = testing::residual_net();
  expect_told(residual, of_residual, wrong_attribute("LeakyRelu", 0, "alpha", 0.01F),
              {"hyperparameter LeakyRelu_6.alpha"});
  expect_told(residual, of_residual, wrong_attribute("AveragePool", 0, "count_include_pad", std::int64_t{1}),
              {"hyperparameter AveragePool_15.count_include_pad"});
  expect_told(residual, of_residual, wrong_attribute("AveragePool", 0, "pads", Wholes{0, 0, 2, 2}),
              {"hyperparameter AveragePool_15.pads"});
  expect_told(testing::attention_net(), {{}}, wrong_attribute("Softmax", 0, "axis", std::int64_t{-2}),
              {"hyperparameter Softmax_24.axis"});
}

TEST_F(Diagnose, ThePoolsSizeAndItsPadsAreOneFault) {
  const auto wrong = both(wrong_attribute("MaxPool", 0, "kernel_shape", Wholes{3, 3}),
                          wrong_attribute("MaxPool", 0, "pads", Wholes{0, 0, 1, 1}));
  expect_told(testing::cnn_net(), of_cnn, wrong, {"hyperparameter MaxPool_10.kernel_shape, pads"});
}

TEST_F(Diagnose, Operators) {
  const auto net = testing::cnn_net();
  expect_told(net, of_cnn, lost_operator("Relu", 1), {"graph Relu_6"});
  expect_told(net, of_cnn, testing::exchanged_operator("Relu", 2, "Sigmoid"), {"graph Relu_9"});
  expect_told(net, of_cnn, testing::added_operators("Flatten", 0, {node("Sigmoid", "extra")}), {"graph + Sigmoid"});
  expect_told(net, of_cnn, lost_operator("Softmax", 0), {"graph Softmax_15"});
  expect_told(net, of_cnn, testing::exchanged_operator("Softmax", 0, "Relu"), {"graph Softmax_15"});
  expect_told(testing::attention_net(), {{}}, testing::exchanged_operator("Erf", 1, "Tanh"), {"graph Erf_92"});
}

TEST_F(Diagnose, AFlattenInAnotherOrderIsLayout) {
  const auto turned =
      testing::added_operators("Flatten", 0, {node("Transpose", "turned", {{"perm", Wholes{0, 2, 3, 1}}})});
  expect_told(testing::cnn_net(), of_cnn, turned, {"layout + Transpose"});
}

TEST_F(Diagnose, Edges) {
  expect_told(testing::attention_net(), {{}}, testing::swapped_inputs("Sub", 0), {"graph Sub_2"});
  const auto skipped = [](onnx::ModelProto& model) {
    const std::string older = testing::node_of_type(model, "Clip", 0).output(0);
    testing::node_of_type(model, "Add", 1).set_input(0, older);
  };
  expect_told(testing::residual_net(), {{}}, skipped, {"graph Add_14"});
}

TEST_F(Diagnose, AnEpsilonIsAHyperParameterWhereItStands) {
  expect_told(testing::cnn_net(), {{}, {testing::permute_channels}},
              wrong_attribute("BatchNormalization", 1, "epsilon", 0.1F),
              {"hyperparameter BatchNormalization_5.epsilon"});
}

TEST_F(Diagnose, TwoFaultsEachByItself) {
  const auto net = testing::cnn_net();
  const auto first = wrong_weight("Conv", 0, 1, testing::one_wrong);
  expect_told(net, of_cnn, both(first, wrong_weight("Conv", 2, 1, testing::one_wrong)),
              {"parameter Conv_1", "parameter Conv_7"});
  expect_told(net, of_cnn, both(first, lost_operator("Relu", 0)), {"parameter Conv_1", "graph Relu_3"});
}

/// Every run of the target on all of the samples, where only the last one shows it.
TEST_F(Diagnose, AFaultThatOneSampleShows) {
  sample_count = 7;
  small_samples = 6;
  const auto clipped = wrong_weight("Clip", 0, 2, [](const Tensor&) { return Tensor::of<float>({}, {1.5F}); });
  expect_told(testing::residual_net(), {{}}, clipped, {"hyperparameter Clip_2.max"});
}

/// No sample comes beyond 6.
TEST_F(Diagnose, AClipThatIsARelu) {
  const auto as_relu = testing::exchanged_operator("Clip", 0, "Relu");
  for (const Rewritings& rewritings : of_residual) {
    const Diagnosis found = diagnose_net(testing::residual_net(), rewritings, as_relu);
    EXPECT_THAT(told(found), ElementsAre("graph Clip_2"));
    ASSERT_EQ(found.faults.size(), 1U);
    EXPECT_FALSE(found.faults[0].is_reached);
    EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  }
}

/// The stride makes a size that the Reshape behind does not take.
TEST_F(Diagnose, ATargetThatStopsInTheMiddle) {
  auto net = testing::cnn_net();
  const auto fixed = [](onnx::ModelProto& model) {
    onnx::NodeProto& flatten = testing::node_of_type(model, "Flatten", 0);
    flatten.set_op_type("Reshape");
    flatten.clear_attribute();
    *model.mutable_graph()->add_initializer() = to_proto(Tensor::of<std::int64_t>({2}, {1, 256}), "fixed");
    flatten.add_input("fixed");
  };
  fixed(net);
  for (const Rewritings& rewritings : of_cnn) {
    const Diagnosis found = diagnose_net(net, rewritings, wrong_attribute("Conv", 1, "strides", Wholes{1, 1}));
    EXPECT_THAT(told(found), ElementsAre("hyperparameter Conv_4.strides")) << found.message;
    EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  }
}

/// Classify.StrideAndLostReluInAFoldedNet of the plan: the lost operator must not be put at a wrong place of its type.
TEST_F(Diagnose, AStrideAndALostRelu) {
  const auto wrong = both(wrong_attribute("MaxPool", 0, "strides", Wholes{1, 1}), lost_operator("Relu", 0));
  expect_told(testing::cnn_net(), of_cnn, wrong, {"graph Relu_3", "hyperparameter MaxPool_10.strides"});
}

TEST_F(Diagnose, NamesDoNotMatter) {
  const auto net = testing::cnn_net();
  auto target = net;
  wrong_weight("Conv", 1, 1, testing::one_wrong)(target);
  const Diagnosis with_names = diagnose_models(net, target);
  testing::rename_all(target);
  const Diagnosis without = diagnose_models(net, target);
  EXPECT_EQ(told(with_names), told(without));
  EXPECT_EQ(with_names.faults.at(0).repair.error_before, without.faults.at(0).repair.error_before);
  EXPECT_EQ(with_names.layers.size(), without.layers.size());
}

TEST_F(Diagnose, WhatIsTold) {
  const Diagnosis found =
      diagnose_net(testing::cnn_net(), {testing::fold_normalizations}, wrong_weight("Conv", 1, 1, testing::one_wrong));
  ASSERT_EQ(found.faults.size(), 1U);
  const ConversionFault& fault = found.faults[0];
  EXPECT_EQ(fault.id, "F1");
  ASSERT_EQ(fault.group.size(), 2U);
  EXPECT_EQ(fault.group[1].name, "BatchNormalization_5");
  EXPECT_EQ(fault.target.node.type, "Conv");
  EXPECT_EQ(fault.evidence.kind, "elements");
  EXPECT_EQ(fault.evidence.numbers.at("wrong"), 1);
  EXPECT_EQ(fault.evidence.numbers.at("of"), 864);
  ASSERT_EQ(fault.evidence.elements.size(), 1U);
  EXPECT_EQ(fault.evidence.elements[0].target, (std::vector<std::int64_t>{0, 0, 2, 1}));
  EXPECT_GT(fault.repair.error_before, 1e-2);
  EXPECT_LT(fault.repair.error_after, 1e-4);
  EXPECT_EQ(found.layers.size(), 15U);
  int marked = 0;
  for (const LayerRow& row : found.layers) marked += row.fault == "F1" ? 1 : 0;
  EXPECT_GE(marked, 1);
  EXPECT_GT(found.runs, 0);
}

}  // namespace
}  // namespace culprit
