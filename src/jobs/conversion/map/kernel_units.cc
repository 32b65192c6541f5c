#include "conversion/map/kernel_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/match_parameters.h"
#include "conversion/map/more_derived.h"

namespace culprit {
namespace {

double real_hyper(const NetworkLayer& layer, const std::string& name, double otherwise) {
  const auto found = layer.hyper.find(name);
  if (found == layer.hyper.end()) return otherwise;
  if (const auto* real = std::get_if<double>(&found->second)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  return otherwise;
}

std::string named(const NetworkLayer& layer) { return layer.type + " '" + printable(layer.name) + "'"; }

/// Layers behind which the channels are what they were.
bool passes_channels_on(const NetworkLayer& layer) {
  static const std::set<std::string, std::less<>> types{"Identity", "Dropout", "Squeeze", "Unsqueeze"};
  return types.contains(layer.type);
}

bool has_channels_last(const NetworkLayer& layer) {
  return layer.is_channels_last || layer.type == "Gemm" || layer.type == "MatMul";
}

/// What comes behind multiplies all that was folded before.
void multiply_parts(KernelUnit& unit, const std::vector<double>& factors) {
  for (FoldedPart& part : unit.parts)
    for (std::size_t i = 0; i < part.behind.size(); ++i) part.behind[i] *= factors[i];
}

std::size_t place_among_inputs(const NetworkLayer& layer, int value) {
  return static_cast<std::size_t>(std::ranges::find(layer.inputs, value) - layer.inputs.begin());
}

class UnitFolder {
 public:
  UnitFolder(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed)
      : found_(found), network_(network), computed_(computed), users_(users_of(network)) {}

  void fold(KernelUnit unit) {
    if (std::ranges::any_of(unit.factors, [](double factor) { return factor != 1; }))
      add(unit, fmt::format("kernel times alpha of {}", named(layer_of(unit.layer))), {});
    fold_before(unit);
    for (int folded = 0; folded < most_folded; ++folded) {
      const int next = only_user(unit.output);
      if (next < 0) return;
      const NetworkLayer& layer = layer_of(next);
      if (!passes_channels_on(layer) && !fold_layer(unit, next)) return;
      if (layer.outputs.empty() || layer.outputs[0] < 0) return;
      unit.output = layer.outputs[0];
    }
  }

  /// Only an addition right behind it.
  void fold_bias(KernelUnit& unit) {
    const int next = only_user(unit.output);
    if (next >= 0 && layer_of(next).type == "Add" && fold_addition(unit, next)) unit.output = layer_of(next).outputs[0];
  }

 private:
  static constexpr int most_folded = 8;

  [[nodiscard]] const NetworkLayer& layer_of(int layer) const { return network_.layers[as_index(layer)]; }

  /// -1: there are others, or the value is an output of the network.
  [[nodiscard]] int only_user(int value) const {
    if (value < 0 || std::ranges::find(network_.outputs, value) != network_.outputs.end()) return -1;
    const auto& users = users_[as_index(value)];
    return users.size() == 1 ? users[0] : -1;
  }

  /// The number that a layer multiplies its other input with; nullopt where it is none, or no such layer.
  [[nodiscard]] std::optional<double> scalar_factor(const NetworkLayer& layer, int& value) const {
    if ((layer.type != "Mul" && layer.type != "Div") || layer.inputs.size() != 2) return std::nullopt;
    for (std::size_t at = 0; at < 2; ++at) {
      const auto numbers = numbers_of_constant(network_, layer.inputs[at], computed_);
      if (!numbers || numbers->numbers.size() != 1 || (layer.type == "Div" && at == 0)) continue;
      value = layer.inputs[at];
      const auto number = static_cast<double>(numbers->numbers[0]);
      return layer.type == "Div" ? 1 / number : number;
    }
    return std::nullopt;
  }

  /// The input is multiplied with a number: so may be the kernel.
  void fold_before(KernelUnit unit) {
    const NetworkLayer& layer = layer_of(unit.layer);
    const int input = layer.inputs.empty() ? -1 : layer.inputs[0];
    if (only_user(input) != unit.layer) return;
    const int maker = network_.values[as_index(input)].made_by;
    int value = -1;
    const auto factor = maker < 0 ? std::nullopt : scalar_factor(layer_of(maker), value);
    if (!factor) return;
    for (double& by_channel : unit.factors) by_channel *= *factor;
    unit.parts.front().behind = unit.factors;  // the bias is not multiplied
    const bool is_divided = layer_of(maker).type == "Div";
    unit.parts.insert(unit.parts.begin(),
                      {is_divided ? FoldedPart::Kind::divisor : FoldedPart::Kind::factor, maker, value,
                       place_among_inputs(layer_of(maker), value),
                       std::vector<double>(unit.factors.size(), is_divided ? 1 / *factor : *factor)});
    unit.layers.push_back(maker);
    unit.kernel_parameters.push_back(value);
    unit.kernel_stands_for.push_back({maker, value});
    add(unit, fmt::format("kernel times {}", named(layer_of(maker))), {});
  }

  bool fold_layer(KernelUnit& unit, int number) {
    const NetworkLayer& layer = layer_of(number);
    if (layer.type == "BatchNormalization") return fold_normalization(unit, number);
    if (layer.type == "Mul" || layer.type == "Div") return fold_factor(unit, number);
    if (layer.type == "Add" || layer.type == "Sub") return fold_addition(unit, number);
    return false;
  }

  bool fold_normalization(KernelUnit& unit, int number) {
    const auto by = normalization_factors(network_, number, computed_);
    if (!by || by->factor.size() != unit.factors.size()) return false;
    if (unit.bias.empty()) unit.bias.assign(unit.factors.size(), 0);
    add_parts_of(unit, number, *by);
    for (std::size_t i = 0; i < unit.factors.size(); ++i) {
      unit.factors[i] *= by->factor[i];
      unit.bias[i] = unit.bias[i] * by->factor[i] + by->shift[i];
    }
    unit.layers.push_back(number);
    for (const int value : {by->scale, by->variance}) {
      unit.kernel_parameters.push_back(value);
      unit.kernel_stands_for.push_back({number, value});
    }
    for (const int value : {by->bias, by->mean}) {
      unit.bias_parameters.push_back(value);
      unit.bias_stands_for.push_back({number, value});
    }
    const std::string name = named(layer_of(number));
    add(unit, "kernel times scale of " + name, "bias with that of " + name);
    return true;
  }

  void add_parts_of(KernelUnit& unit, int number, const NormalizationFactors& by) const {
    const auto numbers = [&](int value) {
      const auto constant = numbers_of_constant(network_, value, computed_);
      return std::vector<double>(constant->numbers.begin(), constant->numbers.end());
    };
    const std::vector<double> once(by.factor.size(), 1);
    unit.parts.push_back(
        {FoldedPart::Kind::summand, number, by.mean, 3, numbers(by.mean), std::vector<double>(by.factor.size(), -1)});
    multiply_parts(unit, by.factor);
    unit.parts.push_back({FoldedPart::Kind::scale, number, by.scale, 1, numbers(by.scale)});
    unit.parts.push_back({FoldedPart::Kind::variance, number, by.variance, 4, numbers(by.variance), {}, by.epsilon});
    unit.parts.push_back({FoldedPart::Kind::summand, number, by.bias, 2, numbers(by.bias), once});
  }

  /// The constant of a layer with two inputs, by slice of O; empty where it is none, or lies along another axis.
  [[nodiscard]] std::vector<double> by_channel(const KernelUnit& unit, const NetworkLayer& layer, int& value) const {
    if (layer.inputs.size() != 2) return {};
    const std::size_t at = layer.inputs[0] == unit.output ? 1 : 0;
    if (at == 0 && (layer.type == "Div" || layer.type == "Sub")) return {};
    value = layer.inputs[at];
    const auto constant = numbers_of_constant(network_, value, computed_);
    const std::size_t channels = unit.factors.size();
    if (!constant || constant->numbers.empty()) return {};
    if (constant->numbers.size() == 1) return std::vector<double>(channels, static_cast<double>(constant->numbers[0]));
    const Shape& shape = constant->shape;
    const auto axis = std::ranges::find(shape, static_cast<std::int64_t>(channels));
    const bool is_last = axis != shape.end() && axis + 1 == shape.end();
    if (constant->numbers.size() != channels || is_last != has_channels_last(layer_of(unit.layer))) return {};
    return {constant->numbers.begin(), constant->numbers.end()};
  }

  bool fold_factor(KernelUnit& unit, int number) {
    const NetworkLayer& layer = layer_of(number);
    int value = -1;
    const auto factors = by_channel(unit, layer, value);
    if (factors.empty()) return false;
    const bool is_divided = layer.type == "Div";
    std::vector<double> multiplied = factors;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (is_divided) multiplied[i] = 1 / factors[i];
      unit.factors[i] *= multiplied[i];
      if (!unit.bias.empty()) unit.bias[i] *= multiplied[i];
    }
    multiply_parts(unit, multiplied);
    unit.parts.push_back({is_divided ? FoldedPart::Kind::divisor : FoldedPart::Kind::factor, number, value,
                          place_among_inputs(layer, value), factors});
    unit.layers.push_back(number);
    unit.kernel_parameters.push_back(value);
    unit.kernel_stands_for.push_back({number, value});
    unit.bias_parameters.push_back(value);
    add(unit, "kernel times " + named(layer), unit.bias.empty() ? "" : "bias times " + named(layer));
    return true;
  }

  bool fold_addition(KernelUnit& unit, int number) {
    const NetworkLayer& layer = layer_of(number);
    int value = -1;
    const auto summands = by_channel(unit, layer, value);
    if (summands.empty()) return false;
    const bool is_first = unit.bias.empty();
    if (is_first) unit.bias.assign(summands.size(), 0);
    unit.parts.push_back({FoldedPart::Kind::summand, number, value, place_among_inputs(layer, value), summands,
                          std::vector<double>(summands.size(), layer.type == "Sub" ? -1 : 1)});
    for (std::size_t i = 0; i < summands.size(); ++i) unit.bias[i] += layer.type == "Sub" ? -summands[i] : summands[i];
    unit.layers.push_back(number);
    unit.bias_parameters.push_back(value);
    unit.bias_stands_for.push_back({number, value});
    if (!is_first || layer.type == "Sub") add(unit, "", "bias with that of " + named(layer));
    return true;
  }

  void add(const KernelUnit& unit, const std::string& of_kernel, const std::string& of_bias) {
    const std::string name = network_.values[as_index(unit.kernel_value)].name;
    if (!of_kernel.empty()) {
      ParameterNumbers kernel = folded_kernel(unit);
      found_.push_back({{name, std::move(kernel.shape), std::move(kernel.numbers), unit.layer},
                        unit.kernel_parameters,
                        unit.layers,
                        "kernel",
                        kernel.axes,
                        of_kernel,
                        {unit.factors.begin(), unit.factors.end()},
                        unit.kernel_stands_for,
                        unit.parts});
    }
    if (of_bias.empty()) return;
    found_.push_back({{name, {std::ssize(unit.bias)}, {unit.bias.begin(), unit.bias.end()}, unit.layer},
                      unit.bias_parameters,
                      unit.layers,
                      "bias",
                      "O",
                      of_bias,
                      {},
                      unit.bias_stands_for,
                      unit.parts});
  }

  std::vector<DerivedTensor>& found_;
  const Network& network_;
  const ComputedConstants& computed_;
  std::vector<std::vector<int>> users_;
};

std::optional<KernelUnit> unit_of(const Network& network, int number, const TargetParameter& parameter,
                                  const ComputedConstants& computed) {
  const NetworkLayer& layer = network.layers[as_index(number)];
  if (layer.outputs.empty() || real_hyper(layer, "group", 1) > (layer.type == "ConvTranspose" ? 1 : 1e9))
    return std::nullopt;
  KernelUnit unit;
  unit.layer = number;
  unit.kernel_value = parameter.value;
  unit.kernel = {parameter.tensor.shape, parameter.tensor.numbers, parameter.axes};
  const auto outputs = axis_of(unit.kernel, 'O');
  if (!outputs) return std::nullopt;
  const auto channels = static_cast<std::size_t>(unit.kernel.shape[*outputs]);
  unit.factors.assign(channels, layer.type == "Gemm" ? real_hyper(layer, "alpha", 1) : 1);
  unit.layers = {number};
  unit.kernel_parameters = {parameter.value};
  unit.kernel_stands_for = {{number, parameter.value}};
  unit.parts = {{FoldedPart::Kind::kernel, number, parameter.value, parameter.at, {}, unit.factors}};
  unit.output = layer.outputs[0];
  const Parameter* bias = parameter_of(layer, "bias");
  const auto numbers = bias == nullptr ? std::nullopt : numbers_of_constant(network, bias->value, computed);
  if (!numbers) return unit;
  if (numbers->numbers.size() != channels) return std::nullopt;
  const double beta = layer.type == "Gemm" ? real_hyper(layer, "beta", 1) : 1;
  for (const float number_of_bias : numbers->numbers) unit.bias.push_back(beta * static_cast<double>(number_of_bias));
  unit.bias_parameters = {bias->value};
  unit.bias_stands_for = {{number, bias->value}};
  unit.parts.push_back({FoldedPart::Kind::summand,
                        number,
                        bias->value,
                        bias->at,
                        {numbers->numbers.begin(), numbers->numbers.end()},
                        std::vector<double>(channels, beta)});
  return unit;
}

}  // namespace

std::vector<KernelUnit> kernel_units(const Network& network, const ComputedConstants& computed) {
  static const std::set<std::string, std::less<>> types{"Conv", "ConvTranspose", "Gemm", "MatMul"};
  std::vector<KernelUnit> units;
  for (const TargetParameter& parameter : parameters_of(network, computed)) {
    if (parameter.role != "kernel" || !types.contains(network.layers[as_index(parameter.layer)].type)) continue;
    if (auto unit = unit_of(network, parameter.layer, parameter, computed)) units.push_back(std::move(*unit));
  }
  return units;
}

std::vector<KernelUnit> with_additions(const Network& network, const ComputedConstants& computed,
                                       std::vector<KernelUnit> units) {
  std::vector<DerivedTensor> unused;
  UnitFolder folder(unused, network, computed);
  for (KernelUnit& unit : units) folder.fold_bias(unit);
  return units;
}

ParameterNumbers folded_kernel(const KernelUnit& unit) {
  return times_along(unit.kernel, axis_of(unit.kernel, 'O').value_or(0), unit.factors);
}

void add_folded(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed) {
  UnitFolder folder(found, network, computed);
  for (KernelUnit& unit : kernel_units(network, computed)) folder.fold(std::move(unit));
}

}  // namespace culprit
