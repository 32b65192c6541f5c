#pragma once
// Small TFLite files, made of the one in tests/golden/tflite: its operators go, and others come. CULPRIT_SOURCE says
// where the tree is.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/tflite/tflite_edit.h"
#include "network/tflite/tflite_types.h"
#include "tensor/tensor.h"

namespace culprit::testing {

class TfliteNet {
 public:
  using Options = std::vector<std::pair<std::string, TfliteValue>>;

  /// Its input is "x".
  explicit TfliteNet(const std::vector<std::int32_t>& input)
      : edit_(TfliteEdit::start(TfliteFile::open(CULPRIT_SOURCE "/tests/golden/tflite/small.tflite").value()).value()) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(edit_.remove_operator({0, 0}));
    EXPECT_TRUE(edit_.set_shape({0, 0}, input));
  }

  static constexpr std::int32_t x = 0;

  std::int32_t input(const std::string& name, const std::vector<std::int32_t>& shape) {
    const auto made = computed(name, shape);
    inputs_.emplace_back(name, static_cast<std::uint32_t>(made));
    return made;
  }
  std::int32_t constant(const Tensor& tensor) {
    const std::string data(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
    const std::vector<std::int32_t> shape(tensor.shape().begin(), tensor.shape().end());
    return static_cast<std::int32_t>(
        edit_.append_tensor(0, {"constant", *tflite_type_of(tensor.dtype()), shape, data}).value());
  }
  std::int32_t floats(const Shape& shape, const std::vector<float>& numbers) {
    return constant(Tensor::of<float>(shape, numbers));
  }
  std::int32_t wholes(const Shape& shape, const std::vector<std::int32_t>& numbers) {
    return constant(Tensor::of<std::int32_t>(shape, numbers));
  }
  /// The tensor that it gives, named so.
  std::int32_t node(const std::string& op, const std::vector<std::int32_t>& inputs, const std::string& name,
                    const std::vector<std::int32_t>& shape, const Options& options = {}, DType type = DType::f32) {
    const auto made = computed(name, shape, type);
    TfliteNewOperator wanted{tflite_operator(op)->code, 1, {}, inputs, {made}, options};
    EXPECT_TRUE(edit_.insert_operator({0, operators_++}, wanted));
    return made;
  }
  void quantize(std::int32_t tensor, float scale, std::int64_t zero) {
    TfliteQuantization by;
    by.scale = {scale};
    by.zero_point = {zero};
    EXPECT_TRUE(edit_.set_quantization({0, static_cast<std::size_t>(tensor)}, by));
  }
  TfliteEdit& edit() { return edit_; }

  /// Outputs are "y", "y1", ...
  TfliteFile file(const std::vector<std::int32_t>& outputs) {
    std::vector<std::pair<std::string, std::uint32_t>> named;
    for (const auto output : outputs)
      named.emplace_back(named.empty() ? "y" : "y" + std::to_string(named.size()), static_cast<std::uint32_t>(output));
    EXPECT_TRUE(edit_.set_graph_outputs(0, outputs));
    EXPECT_TRUE(edit_.set_signature_outputs(0, named));
    std::vector<std::int32_t> inputs;
    for (const auto& [name, tensor] : inputs_) inputs.push_back(static_cast<std::int32_t>(tensor));
    EXPECT_TRUE(edit_.set_graph_inputs(0, inputs));
    EXPECT_TRUE(edit_.set_signature_inputs(0, inputs_));
    auto made = edit_.finish();
    if (!made) throw std::runtime_error(made.error().text());
    return *made;
  }

 private:
  std::int32_t computed(const std::string& name, const std::vector<std::int32_t>& shape, DType type = DType::f32) {
    return static_cast<std::int32_t>(edit_.append_tensor(0, {name, *tflite_type_of(type), shape, {}}).value());
  }

  TfliteEdit edit_;
  std::size_t operators_ = 0;
  std::vector<std::pair<std::string, std::uint32_t>> inputs_{{"x", 0}};
};

/// x [1,4,4,1] -> convolution 3x3 with SAME and a fused RELU ("conv") -> largest of 2x2 ("pool") -> [1,4] ("flat") ->
/// [1,2] with weights 1 and 2 ("dense") -> softmax ("y").
inline TfliteFile small_cnn() {
  TfliteNet net({1, 4, 4, 1});
  const auto kernel = net.floats({1, 3, 3, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 0});
  const auto bias = net.floats({1}, {-1});
  const auto conv = net.node("CONV_2D", {TfliteNet::x, kernel, bias}, "conv", {1, 4, 4, 1},
                             {{"padding", std::int64_t{0}},
                              {"stride_h", std::int64_t{1}},
                              {"stride_w", std::int64_t{1}},
                              {"fused_activation_function", std::int64_t{1}}});
  const TfliteNet::Options window{{"padding", std::int64_t{1}},
                                  {"stride_h", std::int64_t{2}},
                                  {"stride_w", std::int64_t{2}},
                                  {"filter_height", std::int64_t{2}},
                                  {"filter_width", std::int64_t{2}}};
  const auto pool = net.node("MAX_POOL_2D", {conv}, "pool", {1, 2, 2, 1}, window);
  const auto flat = net.node("RESHAPE", {pool, net.wholes({2}, {1, 4})}, "flat", {1, 4});
  const auto weights = net.floats({2, 4}, {1, 1, 1, 1, 2, 2, 2, 2});
  const auto dense = net.node("FULLY_CONNECTED", {flat, weights, -1}, "dense", {1, 2});
  return net.file({net.node("SOFTMAX", {dense}, "probabilities", {1, 2}, {{"beta", 1.0}})});
}

/// Numbers in a network; of values the last of that name, for tensors of the file that was there stay in it.
inline int tflite_value(const Network& network, const std::string& name) {
  for (std::size_t i = network.values.size(); i-- > 0;)
    if (network.values[i].name == name) return static_cast<int>(i);
  return -1;
}
inline int tflite_layer(const Network& network, const std::string& native_type) {
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    if (network.layers[i].native_type == native_type) return static_cast<int>(i);
  return -1;
}
inline Tensor floats_in_order(const Shape& shape) {
  std::vector<float> numbers(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  return Tensor::of<float>(shape, numbers);
}

}  // namespace culprit::testing
