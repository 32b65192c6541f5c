#include <algorithm>
#include <iterator>

#include "base/as_index.h"
#include "conversion/map/kernel_units.h"
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
                        std::move(numbers->numbers), place},
                       {{place, parameter.value}}});
    }
  }
  return found;
}

bool shares_a_part(const TargetParameter& one, const TargetParameter& other) {
  return std::ranges::any_of(one.stands_for, [&](const ReplacedParameter& part) {
    return std::ranges::any_of(other.stands_for, [&](const ReplacedParameter& held) { return held.overlaps(part); });
  });
}

std::vector<TargetParameter> folded_parameters(const Network& network, const ComputedConstants& computed) {
  std::vector<DerivedTensor> forms;
  add_folded(forms, network, computed);
  std::vector<TargetParameter> found;
  found.reserve(forms.size());
  for (DerivedTensor& form : forms) {
    const auto kernel = std::ranges::find(form.folded, FoldedPart::Kind::kernel, &FoldedPart::kind);
    found.push_back({form.layers.front(), kernel->value, kernel->at, std::move(form.role), std::move(form.axes),
                     std::move(form.tensor), std::move(form.stands_for), std::move(form.folded)});
  }
  return found;
}

std::vector<TargetParameter> parameters_in_all_forms(const Network& network, const ComputedConstants& computed) {
  auto found = parameters_of(network, computed);
  auto folded = folded_parameters(network, computed);
  found.reserve(found.size() + folded.size());
  std::ranges::move(folded, std::back_inserter(found));
  return found;
}

}  // namespace culprit
