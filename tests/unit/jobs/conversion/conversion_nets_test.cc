// The networks, rewritings and faults that tests of the diagnosis are made of are what they say they are.
#include <gmock/gmock.h>

#include "side_bench.h"
#include "support/conversion_faults.h"

namespace culprit {
namespace {

using testing::Fault;

class ConversionNets : public SideBench {
 protected:
  /// What the model gives, all samples behind each other. Inputs have their channels first.
  std::vector<float> outputs_of(const onnx::ModelProto& model, bool has_channels_last = false) {
    samples.clear();
    for (auto sample : testing::samples_for(has_channels_last ? testing::cnn_net() : model)) {
      if (has_channels_last) sample[0].value = channels_last(sample[0].value);
      add_sample(sample);
    }
    const auto outcome = look(*side_of(model), {});
    EXPECT_TRUE(outcome.has_run) << outcome.why;
    std::vector<float> numbers;
    for (const auto& sample : outcome.outputs)
      for (const auto& tensor : sample)
        for (const float number : testing::floats_of(tensor.value)) numbers.push_back(number);
    return numbers;
  }

  static Tensor channels_last(const Tensor& tensor) {
    const auto numbers = testing::floats_of(tensor);
    const Shape& from = tensor.shape();
    const Shape to{from[0], from[2], from[3], from[1]};
    std::vector<float> made;
    testing::each_index(to, [&](const testing::Wholes& at) {
      made.push_back(numbers[testing::offset_of({at[0], at[3], at[1], at[2]}, from)]);
    });
    return Tensor::of<float>(to, made);
  }

  static double apart(const std::vector<float>& one, const std::vector<float>& other) {
    if (one.empty() || one.size() != other.size()) return INFINITY;
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i) most = std::max<double>(most, std::fabs(one[i] - other[i]));
    return most;
  }

  void expect_kept(const onnx::ModelProto& source, const std::vector<Fault>& rewrites, bool has_channels_last = false) {
    onnx::ModelProto target = source;
    for (const Fault& rewrite : rewrites) rewrite(target);
    EXPECT_LT(apart(outputs_of(source), outputs_of(target, has_channels_last)), 1e-4);
  }
};

TEST_F(ConversionNets, RewritingsKeepWhatIsComputed) {
  using testing::cnn_net, testing::residual_net, testing::attention_net;
  expect_kept(cnn_net(), {testing::rename_all});
  expect_kept(cnn_net(), {testing::fold_normalizations, testing::rename_all});
  expect_kept(cnn_net(), {testing::fold_normalizations, testing::split_gemms, testing::channels_last_input}, true);
  expect_kept(cnn_net(), {testing::permute_channels});
  expect_kept(residual_net(), {testing::prelus_as_relus, testing::rename_all});
  expect_kept(residual_net(), {testing::split_gemms});
  expect_kept(attention_net(), {testing::rename_all});
}

TEST_F(ConversionNets, RewritingsChangeWhatTheySay) {
  const auto count = [](const onnx::ModelProto& model, const std::string& type) {
    return std::ranges::count(model.graph().node(), type, &onnx::NodeProto::op_type);
  };
  onnx::ModelProto folded = testing::cnn_net();
  testing::fold_normalizations(folded);
  EXPECT_EQ(count(folded, "BatchNormalization"), 0);
  testing::split_gemms(folded);
  EXPECT_EQ(count(folded, "Gemm"), 0);
  EXPECT_EQ(count(folded, "MatMul"), 2);
  onnx::ModelProto split = testing::residual_net();
  testing::prelus_as_relus(split);
  EXPECT_EQ(count(split, "PRelu"), 0);
  onnx::ModelProto permuted = testing::cnn_net();
  testing::permute_channels(permuted);
  EXPECT_FALSE(testing::weight(permuted, "w0").identical(testing::weight(testing::cnn_net(), "w0")));
}

TEST_F(ConversionNets, FaultsShow) {
  const auto sigmoid = testing::make_node("Sigmoid", {}, "more");
  const std::vector<std::pair<onnx::ModelProto, Fault>> faulty{
      {testing::cnn_net(), testing::wrong_weight("Conv", 1, 1, testing::one_wrong)},
      {testing::cnn_net(), testing::wrong_weight("Conv", 2, 1, [](const Tensor& t) { return testing::flipped(t, 2); })},
      {testing::cnn_net(), testing::wrong_weight("Conv", 2, 1, testing::transposed_square)},
      {testing::cnn_net(),
       testing::wrong_weight("Conv", 0, 1, [](const Tensor& t) { return testing::to_decimals(t, 1); })},
      {testing::cnn_net(), testing::wrong_weight("Gemm", 0, 1, testing::to_half)},
      {testing::cnn_net(), testing::wrong_attribute("Conv", 1, "pads", testing::Wholes{0, 0, 2, 2})},
      {testing::cnn_net(), testing::lost_operator("Relu", 1)},
      {testing::cnn_net(), testing::lost_operator("Softmax", 0)},
      {testing::cnn_net(), testing::exchanged_operator("Relu", 2, "Sigmoid")},
      {testing::cnn_net(), testing::added_operators("Flatten", 0, {sigmoid})},
      {testing::residual_net(), testing::wrong_attribute("LeakyRelu", 0, "alpha", 0.01F)},
      {testing::attention_net(), testing::exchanged_operator("Erf", 1, "Tanh")},
      {testing::attention_net(), testing::swapped_inputs("Sub", 0)},
  };
  for (std::size_t i = 0; i < faulty.size(); ++i) {
    onnx::ModelProto target = faulty[i].first;
    faulty[i].second(target);
    EXPECT_GT(apart(outputs_of(faulty[i].first), outputs_of(target)), 1e-6) << i;
  }
}

}  // namespace
}  // namespace culprit
