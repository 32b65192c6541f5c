#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/kernel_units.h"
#include "conversion/map/more_derived.h"

namespace culprit {
namespace {

constexpr std::size_t most_stacked = 4;

std::string name_in_stack(const Network& network, const KernelUnit& unit) {
  return "'" + printable(network.layers[as_index(unit.layer)].name) + "'";
}

ParameterNumbers bias_of(const KernelUnit& unit) {
  return {{std::ssize(unit.bias)}, {unit.bias.begin(), unit.bias.end()}, "O"};
}

DerivedTensor made_of(const Network& network, const KernelUnit& unit, ParameterNumbers numbers, const char* role,
                      std::string how) {
  DerivedTensor made;
  made.tensor = {network.values[as_index(unit.kernel_value)].name, std::move(numbers.shape), std::move(numbers.numbers),
                 unit.layer};
  made.role = role;
  made.axes = numbers.axes;
  made.how = std::move(how);
  return made;
}

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// Stacks units that take the same value, whose kernels differ in O alone.
void add_stack(std::vector<DerivedTensor>& found, const Network& network, const std::vector<KernelUnit>& units) {
  std::vector<ParameterNumbers> kernels, biases;
  std::string names;
  for (const KernelUnit& unit : units) {
    kernels.push_back(folded_kernel(unit));
    if (!unit.bias.empty()) biases.push_back(bias_of(unit));
    names += (names.empty() ? "" : ", ") + name_in_stack(network, unit);
  }
  const auto add = [&](const std::vector<ParameterNumbers>& parts, std::size_t axis, const char* role) {
    auto stacked = stacked_along(parts, axis);
    if (!stacked) return;
    DerivedTensor made =
        made_of(network, units[0], std::move(*stacked), role, fmt::format("{}s of {} in a row", role, names));
    const bool is_kernel = axis_of(parts[0], 'I').has_value();
    for (const KernelUnit& unit : units) {
      append(made.parameters, is_kernel ? unit.kernel_parameters : unit.bias_parameters);
      append(made.stands_for, is_kernel ? unit.kernel_stands_for : unit.bias_stands_for);
      append(made.layers, unit.layers);
    }
    found.push_back(std::move(made));
  };
  add(kernels, axis_of(kernels[0], 'O').value_or(0), "kernel");
  if (biases.size() == units.size()) add(biases, 0, "bias");
}

/// Into how many equal parts is what the unit gives cut? 0: it is not. A Reshape or Transpose may stand before.
std::int64_t parts_behind(const Network& network, const std::vector<std::vector<int>>& users, int value) {
  for (int step = 0; step < 3 && value >= 0; ++step) {
    const auto& behind = users[as_index(value)];
    const auto cuts = std::ranges::count_if(behind, [&](int layer) {
      const std::string& type = network.layers[as_index(layer)].type;
      return type == "Slice" || type == "Gather" || type == "StridedSlice";
    });
    if (cuts > 1) return cuts;
    if (behind.size() != 1) return 0;
    const NetworkLayer& layer = network.layers[as_index(behind[0])];
    if (layer.type == "Split") return std::ssize(layer.outputs);
    if (layer.type != "Reshape" && layer.type != "Transpose") return 0;
    value = layer.outputs.empty() ? -1 : layer.outputs[0];
  }
  return 0;
}

void add_parts(std::vector<DerivedTensor>& found, const Network& network, const KernelUnit& unit, std::int64_t parts) {
  const auto channels = std::ssize(unit.factors);
  if (parts < 2 || parts > static_cast<std::int64_t>(most_stacked) || channels % parts != 0) return;
  const ParameterNumbers kernel = folded_kernel(unit);
  const std::size_t axis = axis_of(kernel, 'O').value_or(0);
  const std::int64_t length = channels / parts;
  for (std::int64_t part = 0; part < parts; ++part) {
    const auto add = [&](const ParameterNumbers& whole, std::size_t along, const char* role,
                         const std::vector<int>& parameters, std::vector<ReplacedParameter> replaced) {
      DerivedTensor made =
          made_of(network, unit, slice_along(whole, along, part * length, length), role,
                  fmt::format("part {} of {} of the {} of {}", part + 1, parts, role, name_in_stack(network, unit)));
      made.parameters = parameters;
      made.layers = unit.layers;
      for (ReplacedParameter& one : replaced) {
        one.of = static_cast<int>(parts);
        one.part = static_cast<int>(part);
      }
      made.stands_for = std::move(replaced);
      found.push_back(std::move(made));
    };
    add(kernel, axis, "kernel", unit.kernel_parameters, unit.kernel_stands_for);
    if (!unit.bias.empty()) add(bias_of(unit), 0, "bias", unit.bias_parameters, unit.bias_stands_for);
  }
}

}  // namespace

void add_stacks(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed) {
  std::map<std::tuple<int, std::string, Shape>, std::vector<KernelUnit>> siblings;
  const auto users = users_of(network);
  for (KernelUnit& unit : with_additions(network, computed, kernel_units(network, computed))) {
    add_parts(found, network, unit, parts_behind(network, users, unit.output));
    const NetworkLayer& layer = network.layers[as_index(unit.layer)];
    Shape others = unit.kernel.shape;
    others[axis_of(unit.kernel, 'O').value_or(0)] = 1;
    siblings[{layer.inputs[0], layer.type, others}].push_back(std::move(unit));
  }
  for (const auto& [key, units] : siblings)
    if (units.size() > 1 && units.size() <= most_stacked) add_stack(found, network, units);
}

}  // namespace culprit
