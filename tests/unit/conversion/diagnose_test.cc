#include "conversion/diagnose.h"

#include "diagnose_bench.h"

namespace culprit {
namespace {

using testing::both;
using testing::exchanged;
using testing::ints;
using testing::lost;
using testing::ModelChange;
using testing::with_numbers;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Rewritings = std::vector<ModelChange>;

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
  void expect_told(const onnx::ModelProto& net, const std::vector<Rewritings>& all, const ModelChange& mistake,
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
      {testing::fold, testing::gemm_as_matmul, testing::channels_last},
      {testing::permute_channels},
  };
  const std::vector<Rewritings> of_residual{{}, {testing::prelu_as_relus, testing::channels_last}};
};

TEST_F(Diagnose, HonestConversionsAreClean) {
  for (const Rewritings& rewritings : of_cnn) expect_clean(testing::cnn(), rewritings);
  expect_clean(testing::cnn(), {testing::fold});
  for (const Rewritings& rewritings : of_residual) expect_clean(testing::residual(), rewritings);
  expect_clean(testing::residual(), {testing::gemm_as_matmul});
  expect_clean(testing::attention(), {});
}

TEST_F(Diagnose, WrongNumbers) {
  const auto net = testing::cnn();
  expect_told(net, of_cnn, with_numbers("Conv", 1, 1, testing::one_wrong), {"parameter Conv_4"});
  expect_told(net, of_cnn, with_numbers("Conv", 2, 1, testing::flipped), {"layout Conv_7"});
  expect_told(net, of_cnn, with_numbers("Conv", 0, 1, testing::to_one_decimal), {"precision Conv_1"});
}

TEST_F(Diagnose, HalfIsPrecisionThoughItLiesWithinTheTolerance) {
  expect_told(testing::cnn(), {{}, {testing::fold}}, with_numbers("Conv", 1, 1, testing::to_half), {"precision Conv_4"});
}

TEST_F(Diagnose, WrongNumbersOfOtherNets) {
  const auto residual = testing::residual();
  const auto larger = [](testing::Numbers& numbers, const Shape&) {
    for (float& number : numbers) number *= 1.5F;
  };
  expect_told(residual, of_residual, with_numbers("PRelu", 1, 1, larger), {"parameter PRelu_10"});
  expect_told(residual, of_residual, with_numbers("Conv", 3, 1, testing::rows_reversed), {"layout Conv_7"});
  const auto attention = testing::attention();
  expect_told(attention, {{}}, with_numbers("MatMul", 1, 1, testing::turned_square), {"layout MatMul_14"});
  expect_told(attention, {{}}, with_numbers("Add", 5, 1, testing::one_wrong), {"parameter Add_29"});
}

TEST_F(Diagnose, HyperParameters) {
  const auto net = testing::cnn();
  expect_told(net, of_cnn, ints("Conv", 1, "pads", {0, 0, 2, 2}), {"hyperparameter Conv_4.pads"});
  const auto residual = testing::residual();
  expect_told(residual, of_residual, testing::real("LeakyRelu", 0, "alpha", 0.01F), {"hyperparameter LeakyRelu_6.alpha"});
  expect_told(residual, of_residual, testing::whole("AveragePool", 0, "count_include_pad", 1),
              {"hyperparameter AveragePool_15.count_include_pad"});
  expect_told(residual, of_residual, ints("AveragePool", 0, "pads", {0, 0, 2, 2}), {"hyperparameter AveragePool_15.pads"});
  expect_told(testing::attention(), {{}}, testing::whole("Softmax", 0, "axis", -2), {"hyperparameter Softmax_24.axis"});
}

TEST_F(Diagnose, ThePoolsSizeAndItsPadsAreOneFault) {
  const auto wrong = both(ints("MaxPool", 0, "kernel_shape", {3, 3}), ints("MaxPool", 0, "pads", {0, 0, 1, 1}));
  expect_told(testing::cnn(), of_cnn, wrong, {"hyperparameter MaxPool_10.kernel_shape, pads"});
}

TEST_F(Diagnose, Operators) {
  const auto net = testing::cnn();
  expect_told(net, of_cnn, lost("Relu", 1), {"graph Relu_6"});
  expect_told(net, of_cnn, exchanged("Relu", 2, "Sigmoid"), {"graph Relu_9"});
  expect_told(net, of_cnn, testing::one_too_many, {"graph + Sigmoid"});
  expect_told(net, of_cnn, lost("Softmax", 0), {"graph Softmax_15"});
  expect_told(net, of_cnn, exchanged("Softmax", 0, "Relu"), {"graph Softmax_15"});
  expect_told(testing::attention(), {{}}, exchanged("Erf", 1, "Tanh"), {"graph Erf_92"});
}

TEST_F(Diagnose, AFlattenInAnotherOrderIsLayout) {
  expect_told(testing::cnn(), of_cnn, testing::flattened_otherwise, {"layout + Transpose"});
}

TEST_F(Diagnose, TwoFaultsEachByItself) {
  const auto net = testing::cnn();
  const auto first = with_numbers("Conv", 0, 1, testing::one_wrong);
  expect_told(net, of_cnn, both(first, with_numbers("Conv", 2, 1, testing::one_wrong)),
              {"parameter Conv_1", "parameter Conv_7"});
  expect_told(net, of_cnn, both(first, lost("Relu", 0)), {"parameter Conv_1", "graph Relu_3"});
}

/// Every run of the target on all of the samples, where only the last one shows it.
TEST_F(Diagnose, AFaultThatOneSampleShows) {
  sample_count = 7;
  shown_samples = 6;
  const auto clipped = [](onnx::ModelProto& model) {
    const std::string most = testing::node_of(model, "Clip", 0).input(2);
    testing::set_weight(model, most, {}, {1.5F});
  };
  expect_told(testing::residual(), {{}}, clipped, {"hyperparameter Clip_2.max"});
}

/// No sample comes beyond 6.
TEST_F(Diagnose, AClipThatIsARelu) {
  const auto as_relu = [](onnx::ModelProto& model) {
    onnx::NodeProto& clip = testing::node_of(model, "Clip", 0);
    clip.mutable_input()->DeleteSubrange(1, 2);
    clip.set_op_type("Relu");
  };
  for (const Rewritings& rewritings : of_residual) {
    const Diagnosis found = diagnose_net(testing::residual(), rewritings, as_relu);
    EXPECT_THAT(told(found), ElementsAre("graph Clip_2"));
    ASSERT_EQ(found.faults.size(), 1U);
    EXPECT_FALSE(found.faults[0].is_reached);
    EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  }
}

/// The stride makes a size that the Reshape behind does not take.
TEST_F(Diagnose, ATargetThatStopsInTheMiddle) {
  auto net = testing::cnn();
  const auto fixed = [](onnx::ModelProto& model) {
    onnx::NodeProto& flatten = testing::node_of(model, "Flatten", 0);
    flatten.set_op_type("Reshape");
    flatten.clear_attribute();
    *model.mutable_graph()->add_initializer() = to_proto(Tensor::of<std::int64_t>({2}, {1, 256}), "fixed");
    flatten.add_input("fixed");
  };
  fixed(net);
  for (const Rewritings& rewritings : of_cnn) {
    const Diagnosis found = diagnose_net(net, rewritings, ints("Conv", 1, "strides", {1, 1}));
    EXPECT_THAT(told(found), ElementsAre("hyperparameter Conv_4.strides")) << found.message;
    EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  }
}

/// Classify.StrideAndLostReluInAFoldedNet of the plan: the lost operator must not be put at a wrong place of its type.
TEST_F(Diagnose, AStrideAndALostRelu) {
  const auto wrong = both(ints("MaxPool", 0, "strides", {1, 1}), lost("Relu", 0));
  expect_told(testing::cnn(), of_cnn, wrong, {"graph Relu_3", "hyperparameter MaxPool_10.strides"});
}

TEST_F(Diagnose, NamesDoNotMatter) {
  const auto net = testing::cnn();
  auto target = net;
  with_numbers("Conv", 1, 1, testing::one_wrong)(target);
  const Diagnosis with_names = diagnose_models(net, target);
  testing::rename_all(target);
  const Diagnosis without = diagnose_models(net, target);
  EXPECT_EQ(told(with_names), told(without));
  EXPECT_EQ(with_names.faults.at(0).repair.error_before, without.faults.at(0).repair.error_before);
  EXPECT_EQ(with_names.layers.size(), without.layers.size());
}

TEST_F(Diagnose, WhatIsTold) {
  const Diagnosis found = diagnose_net(testing::cnn(), {testing::fold}, with_numbers("Conv", 1, 1, testing::one_wrong));
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
