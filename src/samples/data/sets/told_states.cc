#include "data/sets/told_states.h"

#include <algorithm>

#include "base/read_yaml.h"
#include "base/text.h"
#include "base/yaml_fields.h"
#include "data/data_beside.h"

namespace culprit {
namespace {

void expect_value(const std::vector<ValueInfo>& values, const YAML::Node& name, const char* kind) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const ValueInfo& value : values) names.push_back(value.name);
  if (name.IsScalar() && std::ranges::find(names, name.Scalar()) != names.end()) return;
  throw YamlFault(fmt::format("{}the model has no {} '{}'; it has {}", line_of(name), kind,
                              name.IsScalar() ? printable(name.Scalar(), 60) : "?", printable(join(names, ", "), 300)));
}

std::vector<StatePair> read_states(const YAML::Node& states, const Interface& interface) {
  if (states.IsScalar() && states.Scalar() == "none") return {};
  if (!states.IsMap()) throw YamlFault(line_of(states) + "'state' must be {INPUT: OUTPUT}, or none");
  std::vector<StatePair> pairs;
  for (const auto& entry : states) {
    expect_value(interface.inputs, entry.first, "input");
    expect_value(interface.outputs, entry.second, "output");
    pairs.push_back({entry.first.Scalar(), entry.second.Scalar()});
  }
  return pairs;
}

}  // namespace

Result<std::vector<StatePair>> states_of(const Model& model) {
  const auto beside = description_beside(model);
  if (!beside) return tl::unexpected(beside.error());
  if (!*beside) return state_pairs(model.interface);
  constexpr const char* hint = "docs/sounds.md tells how states are named";
  return read_yaml((*beside)->where, hint, [&] {
    const YAML::Node root = YAML::Load((*beside)->text);
    if (!root.IsMap() || !root["state"].IsDefined()) return state_pairs(model.interface);
    return read_states(root["state"], model.interface);
  });
}

}  // namespace culprit
