#include "conversion/coarse/weight_grids.h"

#include <algorithm>
#include <array>

#include "base/as_index.h"

namespace culprit {
namespace {

const NetworkValue* constant_at(const Network& network, const NetworkLayer& layer, std::size_t at) {
  if (at >= layer.inputs.size() || layer.inputs[at] < 0) return nullptr;
  const NetworkValue& value = network.values[as_index(layer.inputs[at])];
  return value.constant ? &value : nullptr;
}

std::int64_t hyper_or(const NetworkLayer& layer, const std::string& name, std::int64_t otherwise) {
  const auto found = layer.hyper.find(name);
  const auto* number = found == layer.hyper.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number == nullptr ? otherwise : *number;
}

int axis_in(std::int64_t axis, std::size_t rank) {
  return static_cast<int>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

/// An operator that works with integers, and the inputs of one of its weights.
struct IntegerRule {
  std::string_view type;
  std::size_t at;
  ScaleInputs scales;
  std::string_view role, axes;
};

constexpr std::array integer_rules{
    IntegerRule{"QLinearConv", 3, {4, 5}, "kernel", "OIHW"}, IntegerRule{"QLinearConv", 8, {4, 5, 1}, "bias", "O"},
    IntegerRule{"QLinearMatMul", 3, {4, 5}, "kernel", "IO"}, IntegerRule{"QGemm", 3, {4, 5}, "kernel", "IO"},
    IntegerRule{"QGemm", 6, {4, 5, 1}, "bias", "O"}};

class WeightGrids {
 public:
  WeightGrids(const Network& network, const std::vector<TargetParameter>& parameters)
      : network_(network), parameters_(parameters) {}

  std::vector<WeightGrid> find() {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (parameters_[i].is_stored() && parameters_[i].value >= 0) take_parameter(i);
    for (std::size_t layer = 0; layer < network_.layers.size(); ++layer)
      for (const IntegerRule& rule : integer_rules)
        if (plain_type(network_.layers[layer]) == rule.type) take_operand(static_cast<int>(layer), rule);
    return std::move(found_);
  }

 private:
  void take_parameter(std::size_t number) {
    const TargetParameter& parameter = parameters_[number];
    const NetworkValue& value = network_.values[as_index(parameter.value)];
    WeightGrid made{parameter.layer, parameter.at, parameter.value,  parameter.value, parameter.role,
                    parameter.axes,  {},           parameter.tensor, number};
    if (value.constant && value.quantization && is_integer(value.constant->dtype())) {
      made.grid = {value.constant->dtype(), *value.quantization};
    } else if (!take_dequantized(value, made)) {
      return;
    }
    found_.push_back(std::move(made));
  }

  bool take_dequantized(const NetworkValue& value, WeightGrid& made) const {
    if (value.made_by < 0) return false;
    const NetworkLayer& layer = network_.layers[as_index(value.made_by)];
    if (plain_type(layer) != "DequantizeLinear" || hyper_or(layer, "block_size", 0) != 0) return false;
    made.stored = layer.inputs.at(0);
    const NetworkValue& stored = network_.values[as_index(made.stored)];
    const NetworkValue* zero = constant_at(network_, layer, 2);
    made.grid.type = stored.constant ? stored.constant->dtype() : zero == nullptr ? DType::u8 : zero->constant->dtype();
    if (!is_integer(made.grid.type)) return false;
    const auto by =
        quantization_at(network_, layer, 1, 2, axis_in(hyper_or(layer, "axis", 1), made.numbers.shape.size()));
    if (by) made.grid.by = *by;
    return by.has_value();
  }

  void take_operand(int number, const IntegerRule& rule) {
    const NetworkLayer& layer = network_.layers[as_index(number)];
    const NetworkValue* stored = constant_at(network_, layer, rule.at);
    if (stored == nullptr || !is_integer(stored->constant->dtype())) return;
    const bool is_turned = hyper_or(layer, "transB", 0) == 1 && rule.axes == "IO";
    const std::string axes(is_turned ? "OI" : rule.axes);
    const auto axis = axes.find('O');
    auto by = quantization_at(network_, layer, rule.scales.scale, rule.scales.zero_point, static_cast<int>(axis));
    if (!by) return;
    if (rule.scales.taken_scale) {
      const auto taken = quantization_at(network_, layer, *rule.scales.taken_scale, layer.inputs.size(), 0);
      if (!taken || taken->scale.size() != 1) return;
      for (double& scale : by->scale) scale *= taken->scale.front();
      by->zero_point.assign(by->scale.size(), 0);
    }
    NetworkValue real = *stored;
    real.quantization = *by;
    const auto numbers = real_constant(real);
    if (!numbers) return;
    WeightGrid made{number,
                    rule.at,
                    layer.inputs[rule.at],
                    layer.inputs[rule.at],
                    std::string(rule.role),
                    axes,
                    {stored->constant->dtype(), *by},
                    {stored->name, stored->constant->shape(), {}, number}};
    made.numbers.numbers.assign(numbers->as<float>().begin(), numbers->as<float>().end());
    made.scale_inputs = rule.scales;
    found_.push_back(std::move(made));
  }

  const Network& network_;
  const std::vector<TargetParameter>& parameters_;
  std::vector<WeightGrid> found_;
};

}  // namespace

std::string_view plain_type(const NetworkLayer& layer) {
  constexpr std::string_view domain = "com.microsoft.";
  std::string_view type = layer.type;
  if (type.starts_with(domain)) type.remove_prefix(domain.size());
  return type;
}

std::optional<Quantization> quantization_at(const Network& network, const NetworkLayer& layer, std::size_t scale,
                                            std::size_t zero_point, int axis) {
  const NetworkValue* scales = constant_at(network, layer, scale);
  if (scales == nullptr || !is_float(scales->constant->dtype()) || scales->constant->shape().size() > 1)
    return std::nullopt;
  Quantization made{{}, {}, axis};
  for (std::int64_t i = 0; i < scales->constant->count(); ++i) made.scale.push_back(scales->constant->number(i));
  const bool has_zero = zero_point < layer.inputs.size() && layer.inputs[zero_point] >= 0;
  const NetworkValue* zeros = has_zero ? constant_at(network, layer, zero_point) : nullptr;
  if (has_zero && (zeros == nullptr || zeros->constant->count() != scales->constant->count())) return std::nullopt;
  for (std::int64_t i = 0; i < std::ssize(made.scale); ++i)
    made.zero_point.push_back(has_zero ? static_cast<std::int64_t>(zeros->constant->number(i)) : 0);
  return made;
}

std::vector<WeightGrid> weight_grids(const Network& network, const std::vector<TargetParameter>& parameters) {
  return WeightGrids(network, parameters).find();
}

}  // namespace culprit
