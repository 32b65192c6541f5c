#include "conversion/coarse/coarse_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/as_index.h"
#include "conversion/coarse/weight_grids.h"
#include "conversion/sides/ways.h"

namespace culprit {
namespace {

constexpr std::int64_t least_weight = 4;  // elements: less are sizes and zero points

bool is_narrow_float(DType type) { return is_float(type) && bits_of(type) < 32; }

bool is_narrow_integer(DType type) {
  constexpr std::array types{DType::i4, DType::u4, DType::i8, DType::u8, DType::i16, DType::u16};
  return std::ranges::find(types, type) != types.end();
}

/// Operators of ONNX and of com.microsoft that take or give integers for real numbers.
bool quantizes(const NetworkLayer& layer) {
  const std::string_view type = plain_type(layer);
  constexpr std::array names{"QuantizeLinear", "DequantizeLinear",     "DynamicQuantizeLinear",
                             "ConvInteger",    "MatMulInteger",        "DynamicQuantizeMatMul",
                             "MatMulNBits",    "MatMulIntegerToFloat", "DynamicQuantizeLSTM",
                             "QGemm",          "QAttention",           "GatherBlockQuantized"};
  return type.starts_with("QLinear") || type.starts_with("QEmbed") || std::ranges::find(names, type) != names.end();
}

void take_narrower(DType& narrowest, DType type) {
  if (narrowest == DType::undefined || bits_of(type) < bits_of(narrowest)) narrowest = type;
}

/// A scale for each channel: of what the file tells of the value, or what stands beside it in its layer.
bool has_many_scales(const Network& network, const NetworkLayer& layer, const NetworkValue& value) {
  if (value.quantization) return value.quantization->scale.size() > 1;
  return std::ranges::any_of(layer.inputs, [&](int input) {
    if (input < 0) return false;
    const auto& beside = network.values[as_index(input)].constant;
    return beside && is_float(beside->dtype()) && beside->count() > 1;
  });
}

void take_weights(const Network& network, const NetworkLayer& layer, CoarseTypes& types) {
  for (const int input : layer.inputs) {
    if (input < 0) continue;
    const NetworkValue& value = network.values[as_index(input)];
    if (!value.constant || value.constant->count() < least_weight) continue;
    const DType type = value.constant->dtype();
    const bool is_integer = is_narrow_integer(type) && (value.quantization || quantizes(layer));
    if (!is_narrow_float(type) && !is_integer) continue;
    take_narrower(types.weights, type);
    if (is_integer && has_many_scales(network, layer, value)) types.is_by_channel = true;
  }
}

void take_values(const Network& network, const NetworkLayer& layer, const std::map<int, ValueSketch>& sketches,
                 CoarseTypes& types) {
  for (const int output : layer.outputs) {
    if (output < 0) continue;
    const NetworkValue& value = network.values[as_index(output)];
    const auto sketch = sketches.find(output);
    const bool was_seen = sketch != sketches.end() && !sketch->second.by_sample.empty();
    const DType type = was_seen ? sketch->second.by_sample.front().dtype : value.dtype;
    const bool is_real = is_narrow_float(type) || (is_narrow_integer(type) && (value.quantization || quantizes(layer)));
    if (is_real) take_narrower(types.values, type);
  }
}

}  // namespace

std::string to_string(const CoarseTypes& types) {
  const auto words = [](DType type, const char* what) { return fmt::format("{} {}", name_of(type), what); };
  if (types.weights == DType::undefined) return words(types.values, "values");
  if (types.values == DType::undefined) return words(types.weights, "weights");
  return words(types.weights, "weights") + " and " + words(types.values, "values");
}

CoarseTypes coarse_types_of(const Network& network, const std::map<int, ValueSketch>& sketches) {
  CoarseTypes types;
  const auto constant = follows_from_constants(network);
  for (const NetworkLayer& layer : network.layers) {
    take_weights(network, layer, types);
    const bool is_computed =
        std::ranges::any_of(layer.outputs, [&](int output) { return output >= 0 && !constant[as_index(output)]; });
    if (is_computed) take_values(network, layer, sketches, types);
  }
  return types;
}

}  // namespace culprit
