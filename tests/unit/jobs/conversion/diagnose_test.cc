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

  void expect_told(const onnx::ModelProto& net, const Rewritings& rewritings, const Fault& mistake,
                   const std::vector<std::string>& words) {
    const Diagnosis found = diagnose_net(net, rewritings, mistake);
    EXPECT_EQ(found.status, DiagnosisStatus::faulty);
    EXPECT_EQ(told(found), words) << found.message;
  }

  const Rewritings of_residual{testing::prelus_as_relus, testing::channels_last_input};
};

TEST_F(Diagnose, PermutedIsClean) {
  expect_clean(testing::cnn_net(), {testing::permute_channels});
  expect_clean(testing::residual_net(), of_residual);
}

/// Its kernel is wrong and permuted at once: nothing but its order of channels tells where it is.
TEST_F(Diagnose, PermutedChannelsAndOneWrongKernel) {
  expect_told(testing::cnn_net(), {testing::permute_channels}, wrong_weight("Conv", 0, 1, testing::one_wrong),
              {"parameter Conv_1"});
}

TEST_F(Diagnose, HalfIsPrecisionThoughItLiesWithinTheTolerance) {
  expect_told(testing::cnn_net(), {testing::fold_normalizations}, wrong_weight("Conv", 1, 1, testing::to_half),
              {"precision Conv_4"});
}

/// What it changes lies within the tolerance, but no rounding does it.
TEST_F(Diagnose, AnotherEpsilonIsTold) {
  expect_told(testing::cnn_net(), {}, wrong_attribute("BatchNormalization", 1, "epsilon", 1e-5F),
              {"hyperparameter BatchNormalization_5.epsilon"});
}

TEST_F(Diagnose, ThePoolsSizeAndItsPadsAreOneFault) {
  const auto wrong = both(wrong_attribute("MaxPool", 0, "kernel_shape", Wholes{3, 3}),
                          wrong_attribute("MaxPool", 0, "pads", Wholes{0, 0, 1, 1}));
  expect_told(testing::cnn_net(), {}, wrong, {"hyperparameter MaxPool_10.kernel_shape, pads"});
}

/// The lost operator must not be put at another place of its type, and the target stops behind both.
TEST_F(Diagnose, AStrideAndALostReluInAFoldedNet) {
  const auto wrong = both(wrong_attribute("MaxPool", 0, "strides", Wholes{1, 1}), lost_operator("Relu", 0));
  expect_told(testing::cnn_net(), {testing::fold_normalizations}, wrong,
              {"graph Relu_3", "hyperparameter MaxPool_10.strides"});
}

/// Every run of the target on all of the samples, where only the last one shows it.
TEST_F(Diagnose, AFaultThatOneSampleShows) {
  sample_count = 4;
  small_samples = 3;
  options.map_samples = 2;
  const auto clipped = wrong_weight("Clip", 0, 2, [](const Tensor&) { return Tensor::of<float>({}, {1.5F}); });
  expect_told(testing::residual_net(), {}, clipped, {"hyperparameter Clip_2.max"});
}

/// No sample comes beyond 6.
TEST_F(Diagnose, AClipThatIsARelu) {
  const auto as_relu = testing::exchanged_operator("Clip", 0, "Relu");
  const Diagnosis found = diagnose_net(testing::residual_net(), of_residual, as_relu);
  EXPECT_THAT(told(found), ElementsAre("graph Clip_2"));
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_FALSE(found.faults[0].is_reached);
  EXPECT_EQ(found.status, DiagnosisStatus::faulty);
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
  const Diagnosis found =
      diagnose_net(net, {testing::fold_normalizations}, wrong_attribute("Conv", 1, "strides", Wholes{1, 1}));
  EXPECT_THAT(told(found), ElementsAre("hyperparameter Conv_4.strides")) << found.message;
  EXPECT_EQ(found.status, DiagnosisStatus::faulty);
}

/// The source turns its input first, the target takes it turned: the numbers of the Transpose are those of an input.
TEST_F(Diagnose, TheFirstKernelBehindAnInputThatStandsForATranspose) {
  onnx::ModelProto source = testing::cnn_net();
  testing::channels_last_input(source);
  onnx::ModelProto target = testing::cnn_net();
  wrong_weight("Conv", 0, 1, testing::one_wrong)(target);
  const Diagnosis found = diagnose_models(source, target);
  EXPECT_EQ(told(found), std::vector<std::string>{"parameter Conv_1"}) << found.message;
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
