#include "conversion/faults/static_evidence.h"

#include <algorithm>

#include "base/as_index.h"
#include "conversion/faults/canonical_hyper.h"
#include "conversion/walk/kernel_mates.h"

namespace culprit {
namespace {

/// Is a real number that both name another one?
bool has_another_number(const NetworkLayer& one, const NetworkLayer& other) {
  return one.type == other.type && std::ranges::any_of(one.hyper, [&](const auto& named) {
           const auto found = other.hyper.find(named.first);
           return std::holds_alternative<double>(named.second) && found != other.hyper.end() &&
                  !same_hyper(named.second, found->second);
         });
}

}  // namespace

std::vector<bool> values_under_suspicion(const ConversionMap& map, const Network& source, const Network& target) {
  std::vector<bool> suspected(source.values.size());
  const auto suspect = [&](int layer) {
    for (const int output : source.layers[as_index(layer)].outputs)
      if (output >= 0) suspected[as_index(output)] = true;
  };
  for (const ParameterMatch& match : map.parameters) {
    if (match.kind == TensorMatch::Kind::same && match.is_order_expected) continue;
    const auto& layers = map.derived[match.source].layers;  // what was folded shows behind the last of them
    if (!layers.empty()) suspect(std::ranges::max(layers));
  }
  for (const KernelMate& mate : kernel_mates(map.derived, map.target_parameters, map.parameters))
    for (const int layer : mate.sources)
      if (has_another_number(source.layers[as_index(layer)], target.layers[as_index(mate.target)])) suspect(layer);
  return suspected;
}

}  // namespace culprit
