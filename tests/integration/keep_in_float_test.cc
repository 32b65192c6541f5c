// Targets that are rounded honestly and decide otherwise: are the layers found that must stay in float, and are there
// hardly fewer that would do?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "model/model.h"
#include "runtime/find_library.h"
#include "runtime/open_runner.h"
#include "support/stepped_net.h"
#include "support/tool.h"
#include "support/turn.h"
#include "tensor/npy.h"

namespace culprit::testing {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t side = 12, channels = 3, classes = 10, sample_count = 48;

struct QuantizedRow {
  std::string name;
  unsigned seed = 0;
  std::vector<int> stretched;  ///< of the convolutions: those with an output that is far larger than the others
};

/// A convolution, five pairs of depthwise and pointwise ones, each with a Clip, and a dense layer: 12 layers.
onnx::ModelProto mobile_net(unsigned seed) {
  NetBuilder net(seed);
  const auto clipped = [&](const std::string& x) { return net.op("Clip", {x, net.scalar(0), net.scalar(6)}); };
  std::string x = clipped(net.conv("x", {.in = channels, .out = 8, .stride = 2}));
  for (const auto& [in, out] : {std::array<std::int64_t, 2>{8, 12}, {12, 16}, {16, 16}, {16, 16}, {16, 24}}) {
    x = clipped(net.conv(x, {.in = in, .out = in, .groups = in}));
    x = clipped(net.conv(x, {.in = in, .out = out, .size = 1}));
  }
  x = net.op("Flatten", {net.op("GlobalAveragePool", {x})}, {{"axis", std::int64_t{1}}});
  return net.model({{"x", {1, channels, side, side}}}, {{net.dense(x, 24, classes), {1, classes}}});
}

/// Normal numbers, [count,3,12,12].
Tensor pictures(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Floats numbers(static_cast<std::size_t>(count * channels * side * side));
  for (float& number : numbers) number = normal(random);
  return Tensor::of<float>({count, channels, side, side}, numbers);
}

std::vector<std::int64_t> labels_of(const Tensor& scores) {
  std::vector<std::int64_t> labels;
  for (std::int64_t row = 0; row < scores.shape()[0]; ++row) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < classes; ++i)
      if (scores.number(row * classes + i) > scores.number(row * classes + best)) best = i;
    labels.push_back(best);
  }
  return labels;
}

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

class KeptLayers : public ::testing::Test {
 protected:
  KeptLayers() : folder_(scratch()), runner_(value_of(open_onnxruntime(value_of(find_onnxruntime(""))))) {}

  /// Runs all samples at once, whatever batch the model declares.
  std::unique_ptr<RunnerSession> load(onnx::ModelProto model) {
    for (auto* values : {model.mutable_graph()->mutable_input(), model.mutable_graph()->mutable_output()})
      for (auto& value : *values) {
        auto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
        if (shape.dim_size() > 0) shape.mutable_dim(0)->set_dim_param("N");
      }
    return value_of(runner_->load(ModelInMemory{model.SerializeAsString(), {}}, {}));
  }

  Tensor scores_of(const onnx::ModelProto& model, const Tensor& samples) {
    return value_of(load(model)->run({{"x", samples}})).at(0).value;
  }

  /// The smallest and the largest numbers that values have.
  std::map<std::string, ValueRange> ranges_of(onnx::ModelProto model, const std::vector<std::string>& values,
                                              const Tensor& samples) {
    std::map<std::string, ValueRange> ranges;
    const auto range_of = [](const Floats& numbers) {
      return ValueRange{*std::ranges::min_element(numbers), *std::ranges::max_element(numbers)};
    };
    for (const std::string& value : values) {
      if (value == "x") {
        ranges[value] = range_of(floats_of(samples));
        continue;
      }
      model.mutable_graph()->mutable_output(0)->set_name(value);
      model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
      ranges[value] = range_of(floats_of(value_of(load(model)->run({{"x", samples}})).at(0).value));
    }
    return ranges;
  }

  /// The bias of the dense layer is moved, so that no class is the largest of all samples.
  void balance(onnx::ModelProto& net, const Tensor& samples) {
    const std::string name = node_of_type(net, "Gemm").input(2);
    const Tensor scores = scores_of(net, samples);
    Floats bias = floats_of(weight(net, name));
    for (std::int64_t i = 0; i < scores.count(); ++i)
      bias[static_cast<std::size_t>(i % classes)] -=
          static_cast<float>(scores.number(i) / static_cast<double>(scores.shape()[0]));
    set_weight(net, name, Tensor::of<float>({classes}, bias));
  }

  void diagnose(const onnx::ModelProto& source, const onnx::ModelProto& target, const Tensor& samples) {
    const fs::path data = folder_.path() / "x.npy", run = folder_.path() / "run";
    ASSERT_TRUE(write_npy(data, samples));
    ASSERT_TRUE(save_model(source, folder_.path() / "source.onnx"));
    ASSERT_TRUE(save_model(target, folder_.path() / "target.onnx"));
    const Ran ran = culprit({"diagnose", folder_.path() / "source.onnx", folder_.path() / "target.onnx", "--data", data,
                             "--samples", std::to_string(sample_count), "--run-dir", run});
    said_ = ran.out + ran.err;
    const auto text = read_file(run / "report.json");
    ASSERT_TRUE(text) << said_;
    report_ = Json::parse(*text);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Runner> runner_;
  std::string said_;
  Json report_;
};

/// All sets of layers, run by one network.
class AllSets {
 public:
  AllSets(std::unique_ptr<RunnerSession> session, std::vector<std::string> layers, const Tensor& samples,
          std::vector<std::int64_t> right)
      : session_(std::move(session)), layers_(std::move(layers)), samples_(samples), right_(std::move(right)) {}

  /// How many samples are decided otherwise where these layers stay in float?
  std::size_t changed(unsigned kept) {
    std::vector<NamedTensor> inputs{{"x", samples_}};
    for (std::size_t i = 0; i < layers_.size(); ++i)
      inputs.push_back(
          {layers_[i],
           cast(Tensor::of<std::uint8_t>({}, {static_cast<std::uint8_t>((kept >> i & 1U) == 0)}), DType::boolean)
               .value()});
    const auto labels = labels_of(value_of(session_->run(inputs)).at(0).value);
    std::size_t count = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) count += labels[i] != right_[i] ? 1 : 0;
    return count;
  }

  int smallest() {
    for (int size = 0;; ++size)
      for (unsigned kept = 0; kept < 1U << layers_.size(); ++kept)
        if (std::popcount(kept) == size && changed(kept) == 0) return size;
  }

 private:
  std::unique_ptr<RunnerSession> session_;
  std::vector<std::string> layers_;
  Tensor samples_;
  std::vector<std::int64_t> right_;
};

/// The first output of this convolution has numbers that are so many times larger: one scale for the whole kernel suits
/// the others badly.
void stretch_output(onnx::ModelProto& net, int conv, float times) {
  const std::string name = node_of_type(net, "Conv", conv).input(1);
  const Tensor kernel = weight(net, name);
  Floats numbers = floats_of(kernel);
  for (std::size_t i = 0; i < numbers.size() / static_cast<std::size_t>(kernel.shape()[0]); ++i) numbers[i] *= times;
  set_weight(net, name, Tensor::of<float>(kernel.shape(), numbers));
}

class QuantizedNet : public KeptLayers, public ::testing::WithParamInterface<QuantizedRow> {};

TEST_P(QuantizedNet, KeepsHardlyMoreLayersThanTheFewest) {
  CULPRIT_ONE_OF(3);
  onnx::ModelProto net = mobile_net(GetParam().seed);
  for (const int conv : GetParam().stretched) stretch_output(net, conv, 12);
  const Tensor samples = pictures(sample_count, 3);
  balance(net, samples);
  SteppedNet stepped(net);
  const auto& layers = stepped.layers();
  ASSERT_EQ(layers.size(), 12U);
  stepped.calibrate(ranges_of(net, stepped.values(), samples));
  AllSets sets(load(stepped.switched()), layers, samples, labels_of(scores_of(net, samples)));
  ASSERT_GT(sets.changed(0), 0U) << "nothing to find";
  ASSERT_EQ(sets.changed(4095), 0U) << "the switches change something else";
  onnx::ModelProto target = stepped.rounded({layers.begin(), layers.end()});
  rename_all(target);
  diagnose(net, target, samples);
  EXPECT_EQ(report_.at("status"), "same") << said_;
  const Json keep = report_.at("keep");
  ASSERT_FALSE(keep.is_null()) << said_;
  EXPECT_EQ(keep.at("proven"), true);
  EXPECT_EQ(keep.at("changed_by_target"), sets.changed(0));
  EXPECT_EQ(keep.at("layers").size(), layers.size());
  unsigned kept = 0;
  for (const Json& one : keep.at("kept"))
    kept |= 1U << (std::ranges::find(layers, one.at("name").get<std::string>()) - layers.begin());
  EXPECT_EQ(sets.changed(kept), 0U) << "the quantizer's own network with these in float decides otherwise";
  const int size = std::popcount(kept), smallest = sets.smallest();
  EXPECT_LE(size, smallest + 2);
  EXPECT_LE(keep.at("runs").get<double>(), 4 * size * std::log2(12.0));
  std::cout << size << " layers kept, the fewest are " << smallest << "; " << keep.at("runs") << " sets tried\n";
  EXPECT_THAT(on_one_line(said_), ::testing::HasSubstr("quantize with nodes_to_exclude=["));
}

INSTANTIATE_TEST_SUITE_P(All, QuantizedNet,
                         ::testing::Values(QuantizedRow{"spread", 12, {}}, QuantizedRow{"two_stretched", 21, {1, 6}},
                                           QuantizedRow{"two_others_stretched", 12, {3, 7}}),
                         [](const auto& row) { return row.param.name; });

/// As a converter to half precision leaves it that blocks all other nodes: these get and give halves, with a Cast on
/// either side.
onnx::ModelProto halved(const onnx::ModelProto& net, const std::set<std::string>& layers) {
  onnx::ModelProto made = net;
  std::vector<onnx::NodeProto> nodes;
  const auto cast_to = [&](DType type, const std::string& from, const std::string& to) {
    nodes.push_back(make_node("Cast", {from}, to));
    set_attribute(nodes.back(), "to", static_cast<std::int64_t>(type));
  };
  for (onnx::NodeProto node : all_nodes(net)) {
    const bool is_half = layers.contains(node.name());
    const std::string output = node.output(0);
    for (std::string& input : *node.mutable_input()) {
      if (!is_half) continue;
      const std::string half = node.name() + "_takes_" + input;
      const auto stored = std::ranges::find(net.graph().initializer(), input, &onnx::TensorProto::name);
      if (stored == net.graph().initializer().end())
        cast_to(DType::f16, input, half);
      else
        *made.mutable_graph()->add_initializer() = to_proto(cast(weight(net, input), DType::f16).value(), half);
      input = half;
    }
    if (is_half) node.set_output(0, output + "_half");
    nodes.push_back(node);
    if (is_half) cast_to(DType::f32, output + "_half", output);
  }
  set_nodes(made, nodes);
  drop_unused_weights(made);
  return made;
}

/// Rows of a tensor.
Tensor rows_of(const Tensor& tensor, const std::vector<std::size_t>& rows) {
  const Floats all = floats_of(tensor);
  const auto size = product_of(tensor.shape(), 1, tensor.shape().size());
  Floats some;
  for (const std::size_t row : rows) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row) * size;
    some.insert(some.end(), begin, begin + size);
  }
  Shape shape = tensor.shape();
  shape[0] = std::ssize(rows);
  return Tensor::of<float>(shape, some);
}

/// Half precision changes few labels: of many pictures those that it changes are taken, and others beside them.
TEST_F(KeptLayers, OfANetInHalfAreFoundAndHold) {
  onnx::ModelProto net = mobile_net(12);
  const Tensor many = pictures(1500, 3);
  balance(net, many);
  std::set<std::string> layers;
  for (const auto& node : net.graph().node()) layers.insert(node.name());
  onnx::ModelProto target = halved(net, layers);
  const auto right = labels_of(scores_of(net, many)), found = labels_of(scores_of(target, many));
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < right.size(); ++row)
    if (right[row] != found[row] || row < 16) rows.push_back(row);
  const Tensor samples = rows_of(many, rows);
  const auto labels = labels_of(scores_of(net, samples));
  const auto changed = [&](const std::set<std::string>& in_half) {
    const auto others = labels_of(scores_of(halved(net, in_half), samples));
    std::size_t count = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) count += labels[i] != others[i] ? 1 : 0;
    return count;
  };
  ASSERT_GT(changed(layers), 0U) << "nothing to find";
  ASSERT_EQ(changed({}), 0U);
  rename_all(target);
  diagnose(net, target, samples);
  EXPECT_EQ(report_.at("status"), "same") << said_;
  const Json keep = report_.at("keep");
  ASSERT_FALSE(keep.is_null()) << said_;
  EXPECT_EQ(keep.at("proven"), true);
  EXPECT_EQ(keep.at("changed_by_target"), changed(layers));
  std::set<std::string> in_half = layers;
  for (const Json& one : keep.at("kept")) in_half.erase(one.at("name").get<std::string>());
  EXPECT_EQ(changed(in_half), 0U) << "the converter's own network with these in float decides otherwise";
  const auto size = static_cast<double>(keep.at("kept").size());
  EXPECT_GT(size, 0);
  EXPECT_LE(keep.at("runs").get<double>(), 4 * size * std::log2(keep.at("layers").size()));
  std::cout << size << " layers kept of " << keep.at("layers").size() << "; " << keep.at("runs") << " sets tried\n";
  EXPECT_THAT(on_one_line(said_), ::testing::HasSubstr("quantize with node_block_list=["));
}

}  // namespace
}  // namespace culprit::testing
