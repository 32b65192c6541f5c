#pragma once
// Networks in integers, as static quantizers leave them, and what such quantizers get wrong.

#include <algorithm>
#include <string>
#include <vector>

#include "model/model.h"
#include "support/conversion_faults.h"
#include "support/outputs.h"
#include "support/stepped_net.h"
#include "support/tool.h"

namespace culprit::testing {

/// What these values are between, on the samples that the tool makes up.
inline std::map<std::string, ValueRange> ranges_on_samples(onnx::ModelProto model,
                                                           const std::vector<std::string>& values) {
  constexpr int samples = 10;
  const std::string input = model.graph().input(0).name();
  model.mutable_graph()->clear_output();
  for (const std::string& value : values) {
    std::string shown = value;
    if (value == input) {
      shown = input + "_shown";
      *model.mutable_graph()->add_node() = make_node("Identity", {input}, shown);
    }
    auto& output = *model.mutable_graph()->add_output();
    output.set_name(shown);
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  }
  const TemporaryFolder folder = scratch();
  demand(save_model(model, folder.path() / "net.onnx").has_value(), "no place for a network");
  std::map<std::string, ValueRange> ranges;
  for (const auto& sample : outputs_of(folder.path() / "net.onnx", samples))
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const float number : floats_of(sample.at(i).value)) {
        ranges[values[i]].low = std::min(ranges[values[i]].low, number);
        ranges[values[i]].high = std::max(ranges[values[i]].high, number);
      }
  return ranges;
}

/// The network as quantize_static of ONNX Runtime writes it with QuantizeLinear and DequantizeLinear.
inline Fault quantized(const StepForm& form = {}) {
  return [=](onnx::ModelProto& model) {
    SteppedNet stepped(model, form);
    auto ranges = ranges_on_samples(model, stepped.values());
    for (auto& [value, range] : ranges) range = {form.calibrated_at * range.low, form.calibrated_at * range.high};
    stepped.calibrate(std::move(ranges));
    model = stepped.rounded({stepped.layers().begin(), stepped.layers().end()});
  };
}

/// Changes an input of the DequantizeLinear that makes what a layer takes at `at`: its scales (1), its zero points (2).
inline Fault wrong_dequantized(const std::string& type, int number, int at, int input,
                               const std::function<Tensor(const Tensor&)>& change) {
  return [=](onnx::ModelProto& model) {
    const onnx::NodeProto real = *maker_of(model, node_of_type(model, type, number).input(at));
    const std::string name = real.input(input);
    set_weight(model, name, change(weight(model, name)));
  };
}

/// The grid of a layer's weight is another one.
inline Fault wrong_grid(const std::string& type, int number, int input,
                        const std::function<Tensor(const Tensor&)>& change) {
  return wrong_dequantized(type, number, 1, input, change);
}

inline Tensor one_times(const Tensor& scales, float times) {
  Floats numbers = floats_of(scales);
  numbers.at(1) *= times;
  return Tensor::of<float>(scales.shape(), numbers);
}

/// The value that a layer takes goes through other steps: QuantizeLinear shares what is changed.
inline Fault wrong_steps(const std::string& type, int number, int input,
                         const std::function<Tensor(const Tensor&)>& change) {
  return wrong_dequantized(type, number, 0, input, change);
}

}  // namespace culprit::testing
