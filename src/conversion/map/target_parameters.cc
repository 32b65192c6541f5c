#include <algorithm>

#include "base/as_index.h"
#include "conversion/map/match_parameters.h"
#include "conversion/map/parameter_numbers.h"
#include "conversion/sides/ways.h"
#include "network/operator_rule.h"

namespace culprit {
namespace {

bool has_parameter_at(const NetworkLayer& layer, std::size_t at) {
  return std::ranges::any_of(layer.parameters, [&](const Parameter& parameter) { return parameter.at == at; });
}

/// Parameters that the file stores, and constants that a run computed where a parameter may stand, in the order of the
/// inputs.
std::vector<Parameter> parameters_in(const NetworkLayer& layer, const ComputedConstants& computed) {
  std::vector<Parameter> parameters = layer.parameters;
  for (std::size_t at = 0; at < layer.inputs.size(); ++at) {
    if (!computed.contains(layer.inputs[at]) || has_parameter_at(layer, at)) continue;
    const InputRule* rule = input_rule(layer.type, at);
    if (rule != nullptr && rule->is_hyper) continue;
    Parameter parameter{layer.inputs[at], at, "operand", ""};
    if (rule != nullptr) {
      parameter.role = rule->role;
      parameter.axes = rule->axes;
    }
    const auto turned = layer.hyper.find("transB");
    if (parameter.axes == "IO" && turned != layer.hyper.end() && turned->second == Hyper(std::int64_t{1}))
      parameter.axes = "OI";
    parameters.push_back(std::move(parameter));
  }
  std::ranges::stable_sort(parameters, {}, &Parameter::at);
  return parameters;
}

bool is_all_constant(const NetworkLayer& layer, const std::vector<bool>& constant) {
  return std::ranges::all_of(layer.outputs, [&](int value) { return value < 0 || constant[as_index(value)]; });
}

}  // namespace

std::vector<TargetParameter> parameters_of(const Network& network, const ComputedConstants& computed) {
  const std::vector<bool> constant = follows_from_constants(network);
  std::vector<TargetParameter> found;
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
    if (is_all_constant(network.layers[layer], constant)) continue;
    for (const Parameter& parameter : parameters_in(network.layers[layer], computed)) {
      auto numbers = numbers_of_constant(network, parameter.value, computed);
      if (!numbers) continue;
      const int place = static_cast<int>(layer);
      found.push_back({place,
                       parameter.value,
                       parameter.at,
                       parameter.role,
                       letters_for(parameter.axes, numbers->shape.size()),
                       {network.values[as_index(parameter.value)].name, std::move(numbers->shape),
                        std::move(numbers->numbers), place}});
    }
  }
  return found;
}

}  // namespace culprit
