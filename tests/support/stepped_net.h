#pragma once
// A network in int8, layer by layer: what a quantizer makes of it that leaves some layers out, and one network in which
// each layer's rounding is switched by an input, so that all sets of layers run in one session.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/conversion_few_bits.h"

namespace culprit::testing {

struct ValueRange {
  float low = 0, high = 0;
};

/// A kernel in whole numbers.
struct SteppedKernel {
  Floats steps, scales, zeros;
};

/// `inner`: numbers of one output beside each other.
inline SteppedKernel in_steps(const Floats& numbers, std::int64_t channels, std::int64_t inner, bool is_unsigned,
                              float share) {
  std::vector<ValueRange> ranges(static_cast<std::size_t>(channels));
  const auto channel_of = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(i) / inner % channels);
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ValueRange& range = ranges[channel_of(i)];
    range.low = std::min(range.low, numbers[i]);
    range.high = std::max(range.high, numbers[i]);
  }
  SteppedKernel made;
  for (const ValueRange& range : ranges) {
    const float most = share * std::max(-range.low, range.high);
    made.scales.push_back(is_unsigned ? (range.high - range.low) / 255 : most / 127);
    made.zeros.push_back(is_unsigned ? std::nearbyint(-range.low / made.scales.back()) : 0);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float step = std::nearbyint(numbers[i] / made.scales[channel_of(i)]) + made.zeros[channel_of(i)];
    made.steps.push_back(is_unsigned ? std::clamp(step, 0.0F, 255.0F) : std::clamp(step, -127.0F, 127.0F));
  }
  return made;
}

struct StepForm {
  float calibrated_at = 1;   ///< the samples that ranges come of are so many times as large as the real ones
  bool by_channel = false;   ///< of kernels: a scale for each output
  bool is_unsigned = false;  ///< of kernels: uint8 with a zero point, else int8 without
  std::map<std::string, float> shares =
      {};  ///< by layer: of the kernel's range, what the steps reach; the whole where it is missing
};

/// Kernels get one scale each, symmetric, where the form does not say otherwise; what their layers take and give,
/// behind a Clip where one follows, goes through uint8 steps between its ends. A layer that is left out takes and gives
/// what its neighbours leave.
class SteppedNet {
 public:
  explicit SteppedNet(onnx::ModelProto net, StepForm form = {}) : net_(std::move(net)), form_(std::move(form)) {
    for (const auto& node : net_.graph().node()) {
      if (node.op_type() != "Conv" && node.op_type() != "Gemm") continue;
      layers_.push_back(node.name());
      layers_of_[node.input(0)].insert(node.name());
      layers_of_[behind_clip(node.output(0))].insert(node.name());
    }
  }

  [[nodiscard]] const std::vector<std::string>& layers() const { return layers_; }
  /// The values that are rounded, in no order.
  [[nodiscard]] std::vector<std::string> values() const {
    std::vector<std::string> names;
    for (const auto& [value, layers] : layers_of_) names.push_back(value);
    return names;
  }
  void calibrate(std::map<std::string, ValueRange> ranges) { ranges_ = std::move(ranges); }

  /// As a quantizer leaves it that rounds these layers.
  [[nodiscard]] onnx::ModelProto rounded(const std::set<std::string>& layers) const {
    Rewriting made{*this, net_, {}, layers, false};
    return made.run();
  }
  /// With an input more for each layer, a bool of this name: is it rounded?
  [[nodiscard]] onnx::ModelProto switched() const {
    Rewriting made{*this, net_, {}, {layers_.begin(), layers_.end()}, true};
    return made.run();
  }

 private:
  struct Rewriting {
    const SteppedNet& of;
    onnx::ModelProto model;
    std::vector<onnx::NodeProto> nodes;
    std::set<std::string> layers;
    bool is_switched;

    onnx::ModelProto run() {
      const auto old = all_nodes(model);
      const std::string input = model.graph().input(0).name();
      std::map<std::string, std::string> names;
      if (is_rounded(input)) {
        names[input] = input + "_stepped";
        round_value(input, names[input], input);
      }
      for (onnx::NodeProto node : old) {
        for (std::string& name : *node.mutable_input())
          if (names.contains(name)) name = names[name];
        if (layers.contains(node.name())) node.set_input(1, rounded_kernel(node.name(), node.input(1)));
        const std::string made = node.output(0);
        if (is_rounded(made)) node.set_output(0, made + "_exact");
        nodes.push_back(node);
        if (is_rounded(made)) round_value(made + "_exact", made, made);
      }
      set_nodes(model, nodes);
      drop_unused_weights(model);
      if (is_switched)
        for (const std::string& layer : layers) {
          auto& flag = *model.mutable_graph()->add_input();
          flag.set_name(layer);
          flag.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
          flag.mutable_type()->mutable_tensor_type()->mutable_shape();
        }
      return model;
    }

    [[nodiscard]] bool is_rounded(const std::string& value) const {
      const auto found = of.layers_of_.find(value);
      return found != of.layers_of_.end() &&
             std::ranges::any_of(found->second, [&](const std::string& layer) { return layers.contains(layer); });
    }

    std::string add(const std::string& type, const std::vector<std::string>& inputs, const std::string& output) {
      nodes.push_back(make_node(type, inputs, output));
      return output;
    }

    /// Is one of these layers rounded?
    std::string flag_of(const std::set<std::string>& some, const std::string& name) {
      std::string flag = *some.begin();
      for (auto layer = std::next(some.begin()); layer != some.end(); ++layer)
        flag = add("Or", {flag, *layer}, name + "_on_" + *layer);
      return flag;
    }

    void round_value(const std::string& exact, const std::string& made, const std::string& value) {
      const ValueRange range = of.ranges_.at(value);
      const float low = std::min(range.low, 0.0F), step = (std::max(range.high, 0.0F) - low) / 255;
      const auto zero = static_cast<std::uint8_t>(std::lround(-low / step));
      const std::string scale = add_weight(model, Tensor::of<float>({}, {step}));
      const std::string zero_point = add_weight(model, Tensor::of<std::uint8_t>({}, {zero}));
      add("QuantizeLinear", {exact, scale, zero_point}, value + "_steps");
      const std::string real = is_switched ? value + "_real" : made;
      add("DequantizeLinear", {value + "_steps", scale, zero_point}, real);
      if (is_switched) add("Where", {flag_of(of.layers_of_.at(value), value), real, exact}, made);
    }

    /// The axis of the outputs of a kernel.
    [[nodiscard]] std::size_t axis_of(const std::string& layer) const {
      for (const auto& node : of.net_.graph().node()) {
        if (node.name() != layer || node.op_type() == "Conv") continue;
        for (const auto& attribute : node.attribute())
          if (attribute.name() == "transB" && attribute.i() == 1) return 0;
        return 1;
      }
      return 0;
    }

    std::string rounded_kernel(const std::string& layer, const std::string& name) {
      const Tensor kernel = weight(of.net_, name);
      const auto known = of.form_.shares.find(layer);
      const float share = known == of.form_.shares.end() ? 1.0F : known->second;
      const std::size_t axis = axis_of(layer);
      const std::int64_t channels = of.form_.by_channel ? kernel.shape()[axis] : 1;
      const std::int64_t inner = of.form_.by_channel ? product_of(kernel.shape(), axis + 1, kernel.shape().size()) : 1;
      const SteppedKernel made = in_steps(floats_of(kernel), channels, inner, of.form_.is_unsigned, share);
      const Shape shape = of.form_.by_channel ? Shape{channels} : Shape{};
      const std::string scale = add_weight(model, Tensor::of<float>(shape, made.scales));
      const auto stored = [&](const Shape& of_shape, const Floats& numbers) {
        const Tensor whole = Tensor::of<float>(of_shape, numbers);
        return add_weight(model, cast(whole, of.form_.is_unsigned ? DType::u8 : DType::i8).value());
      };
      onnx::NodeProto node = make_node(
          "DequantizeLinear", {stored(kernel.shape(), made.steps), scale, stored(shape, made.zeros)}, name + "_real");
      if (of.form_.by_channel) set_attribute(node, "axis", static_cast<std::int64_t>(axis));
      nodes.push_back(node);
      return is_switched ? add("Where", {layer, name + "_real", name}, name + "_chosen") : name + "_real";
    }
  };

  [[nodiscard]] std::string behind_clip(const std::string& value) const {
    for (const auto& node : net_.graph().node())
      if (node.op_type() == "Clip" && node.input(0) == value) return node.output(0);
    return value;
  }

  onnx::ModelProto net_;
  StepForm form_;
  std::vector<std::string> layers_;                         // with a kernel
  std::map<std::string, std::set<std::string>> layers_of_;  // by value: those that take or give it
  std::map<std::string, ValueRange> ranges_;
};

}  // namespace culprit::testing
