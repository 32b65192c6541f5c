#include "network/tflite/read_tflite_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "network/tflite/tflite_roles.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

/// What an activation is in the words of ONNX; with limits of Clip.
void set_activation(NetworkLayer& layer, std::string_view word) {
  layer.type = onnx_type_of(word);
  const auto limits = [&](double low, double high) {
    layer.hyper["min"] = low;
    layer.hyper["max"] = high;
  };
  if (word == "RELU6") limits(0, 6);
  if (word == "RELU_N1_TO_1") limits(-1, 1);
  if (word == "RELU_0_TO_1") limits(0, 1);
}

class TfliteNetworkReader {
 public:
  explicit TfliteNetworkReader(const TfliteFile& file)
      : file_(std::make_shared<const TfliteFile>(file)), graph_(file_->graph().subgraphs.at(0)) {
    network_.format = "tflite";
  }

  Result<Network> read() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i)
      if (auto ok = tensor(i); !ok) return tl::unexpected(ok.error());
    network_.inputs.assign(graph_.inputs.begin(), graph_.inputs.end());
    network_.outputs.assign(graph_.outputs.begin(), graph_.outputs.end());
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) node(i);
    return std::move(network_);
  }

 private:
  NetworkValue& value(int id) { return network_.values[static_cast<std::size_t>(id)]; }

  Result<void> tensor(std::size_t number) {
    const TfliteTensor& from = graph_.tensors[number];
    NetworkValue& made = network_.values.emplace_back();
    made.name = from.name;
    made.dtype = dtype_of_tflite(from.type);
    made.has_rank = from.has_rank || !from.shape.empty();
    const auto& dims = from.shape_signature.empty() ? from.shape : from.shape_signature;
    made.dims.assign(dims.begin(), dims.end());
    made.native = static_cast<std::int64_t>(number);
    if (from.quantization && from.quantization->details.empty() && !from.quantization->scale.empty())
      made.quantization = Quantization{{from.quantization->scale.begin(), from.quantization->scale.end()},
                                       from.quantization->zero_point,
                                       from.quantization->dimension};
    const auto bytes = file_->buffer(from.buffer);
    if (bytes.empty() || from.is_sparse || made.dtype == DType::undefined || made.dtype == DType::string) return {};
    auto constant = Tensor::view(made.dtype, {from.shape.begin(), from.shape.end()}, bytes, file_);
    if (!constant)
      return fail(ErrorKind::bad_input,
                  fmt::format("{}: the tensor {}: {}", file_->where(), printable(from.name), constant.error().message));
    made.constant = std::move(*constant);
    return {};
  }

  void node(std::size_t number) {
    const TfliteOperator& from = graph_.operators[number];
    const std::string name = file_->operator_name(from);
    NetworkLayer layer;
    layer.native_type = name;
    layer.type = onnx_type_of(name);
    layer.native = static_cast<std::int64_t>(number);
    layer.inputs.assign(from.inputs.begin(), from.inputs.end());
    layer.outputs.assign(from.outputs.begin(), from.outputs.end());
    layer.is_channels_last = knows_channels(layer.type);
    if (!from.outputs.empty() && from.outputs[0] >= 0) layer.name = value(from.outputs[0]).name;
    if (name.starts_with("RELU")) set_activation(layer, name);
    take_inputs(name, layer);
    const std::string activation = take_options(from, layer);
    set_groups(name, layer);
    add(std::move(layer), activation);
  }

  void take_inputs(const std::string& name, NetworkLayer& layer) {
    for (std::size_t at = 0; at < layer.inputs.size(); ++at) {
      if (layer.inputs[at] < 0 || !value(layer.inputs[at]).constant) continue;
      const Tensor& constant = *value(layer.inputs[at]).constant;
      const InputRule* rule = tflite_input_rule(name, at);
      if (rule != nullptr && rule->is_hyper)
        layer.hyper[std::string(rule->role)] =
            layer.type == "Pad" && rule->role == "pads" ? pads_of(constant) : numbers_of(constant);
      else
        layer.parameters.push_back({layer.inputs[at], at, rule == nullptr ? "operand" : std::string(rule->role),
                                    rule == nullptr ? "" : std::string(rule->axes)});
    }
  }

  static Hyper numbers_of(const Tensor& tensor) {
    std::vector<std::int64_t> integers(static_cast<std::size_t>(std::min<std::int64_t>(tensor.count(), 1000)));
    std::vector<double> reals(integers.size());
    for (std::size_t i = 0; i < integers.size(); ++i) {
      reals[i] = tensor.number(static_cast<std::int64_t>(i));
      integers[i] = static_cast<std::int64_t>(std::clamp(reals[i], -9e18, 9e18));
    }
    const bool is_integer = tensor.dtype() == DType::i32 || tensor.dtype() == DType::i64;
    if (tensor.shape().empty() && !integers.empty()) return is_integer ? Hyper(integers[0]) : Hyper(reals[0]);
    return is_integer ? Hyper(std::move(integers)) : Hyper(std::move(reals));
  }

  /// TFLite has what comes before and behind an axis side by side, ONNX all that comes before first.
  static Hyper pads_of(const Tensor& tensor) {
    std::vector<std::int64_t> pads;
    for (const std::int64_t side : {0, 1})
      for (std::int64_t i = side; i < std::min<std::int64_t>(tensor.count(), 1000); i += 2)
        pads.push_back(static_cast<std::int64_t>(tensor.number(i)));
    return pads;
  }

  /// Gives the fused activation; "" where there is none.
  std::string take_options(const TfliteOperator& from, NetworkLayer& layer) const {
    std::map<std::string_view, std::int64_t> integers;
    std::string activation;
    const auto fields = tflite_option_fields(from.options_table);
    for (const TfliteOption& option : from.options) {
      const auto field = std::ranges::find(fields, option.name, &TfliteOptionField::name);
      std::string_view word;
      if (const auto* number = std::get_if<std::int64_t>(&option.value)) {
        integers[option.name] = *number;
        if (field != fields.end() && *number >= 0 && static_cast<std::size_t>(*number) < field->words.size())
          word = field->words[static_cast<std::size_t>(*number)];
      }
      if (option.name == "fused_activation_function")
        activation = word == "NONE" ? "" : std::string(word);
      else
        set_option(layer, option, word);
    }
    pair(integers, "stride_h", "stride_w", "strides", layer);
    pair(integers, "dilation_h_factor", "dilation_w_factor", "dilations", layer);
    pair(integers, "filter_height", "filter_width", "kernel_shape", layer);
    return activation;
  }

  static void set_option(NetworkLayer& layer, const TfliteOption& option, std::string_view word) {
    const auto is_one_of_a_pair = option.name.starts_with("stride_") || option.name.starts_with("dilation_") ||
                                  option.name.starts_with("filter_");
    if (is_one_of_a_pair) return;
    const std::string name(onnx_hyper_of(option.name));
    if (option.name == "padding")
      layer.hyper["auto_pad"] = std::string(word == "SAME" ? "SAME_UPPER" : word);
    else if (option.name == "mode" && !word.empty())
      layer.hyper[name] = word == "REFLECT" ? "reflect" : "symmetric";
    else if (!word.empty())
      layer.hyper[name] = std::string(word);
    else if (const auto* flag = std::get_if<bool>(&option.value))
      layer.hyper[name] = std::int64_t{*flag};
    else if (const auto* number = std::get_if<std::int64_t>(&option.value))
      layer.hyper[name] = *number;
    else if (const auto* real = std::get_if<double>(&option.value))
      layer.hyper[name] = *real;
    else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&option.value))
      layer.hyper[name] = *list;
  }

  static void pair(const std::map<std::string_view, std::int64_t>& integers, std::string_view height,
                   std::string_view width, const std::string& as, NetworkLayer& layer) {
    const auto high = integers.find(height), wide = integers.find(width);
    if (high != integers.end() && wide != integers.end())
      layer.hyper[as] = std::vector<std::int64_t>{high->second, wide->second};
  }

  /// How many groups of channels a convolution has, as its kernel tells.
  void set_groups(const std::string& name, NetworkLayer& layer) {
    const Parameter* kernel = parameter_of(layer, "kernel");
    if (layer.type != "Conv" || kernel == nullptr || layer.inputs.empty() || layer.inputs[0] < 0) return;
    const auto& input = value(layer.inputs[0]).dims;
    const Shape& shape = value(kernel->value).constant->shape();
    if (input.size() != 4 || shape.size() != 4) return;
    if (name == "DEPTHWISE_CONV_2D")
      layer.hyper["group"] = input[3];
    else if (shape[3] > 0 && input[3] > 0)
      layer.hyper["group"] = input[3] / shape[3];
  }

  void add(NetworkLayer layer, const std::string& activation) {
    const int number = static_cast<int>(network_.layers.size());
    std::vector<int> results = layer.outputs;
    if (!activation.empty() && !results.empty() && results[0] >= 0) {
      const int between = static_cast<int>(network_.values.size());
      NetworkValue hidden = value(results[0]);
      hidden.name.clear();
      hidden.is_visible = false;
      hidden.native = -1;
      hidden.made_by = number;
      network_.values.push_back(std::move(hidden));
      NetworkLayer after;
      after.name = layer.name;
      after.native_type = activation;
      after.native = layer.native;
      after.inputs = {between};
      after.outputs = {results[0]};
      set_activation(after, activation);
      layer.outputs[0] = between;
      network_.layers.push_back(std::move(layer));
      value(results[0]).made_by = number + 1;
      network_.layers.push_back(std::move(after));
      results.erase(results.begin());
    } else {
      network_.layers.push_back(std::move(layer));
    }
    for (const int output : results)
      if (output >= 0) value(output).made_by = number;
  }

  std::shared_ptr<const TfliteFile> file_;
  const TfliteSubgraph& graph_;
  Network network_;
};

}  // namespace

Result<Network> read_tflite_network(const TfliteFile& file) {
  if (file.graph().subgraphs.empty()) return fail(ErrorKind::bad_input, file.where() + " holds no graph");
  return TfliteNetworkReader(file).read();
}

}  // namespace culprit
