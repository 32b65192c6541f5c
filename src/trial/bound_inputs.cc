#include "trial/bound_inputs.h"

#include <algorithm>

namespace culprit {
namespace {

bool takes(const Interface& interface, const std::string& name) {
  const auto has = [&](const std::vector<ValueInfo>& values) {
    return std::ranges::find(values, name, &ValueInfo::name) != values.end();
  };
  return has(interface.inputs) || has(interface.optional_inputs);
}

}  // namespace

std::vector<BoundInput> bound_inputs(const Binding& binding, const Interface& variant,
                                     const std::vector<std::string>& fed) {
  std::vector<BoundInput> inputs = binding.inputs;
  for (const std::string& name : fed) {
    const bool is_bound = std::ranges::find(inputs, name, &BoundInput::original) != inputs.end();
    if (!is_bound && takes(variant, name)) inputs.push_back({name, name});
  }
  return inputs;
}

}  // namespace culprit
