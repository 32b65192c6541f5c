#include "model/use_signatures.h"

#include <algorithm>

namespace culprit {
namespace {

Hash128 hash_of(std::vector<Hash128>& uses) {
  std::sort(uses.begin(), uses.end());
  Hasher hasher;
  for (const Hash128& use : uses) hasher.add(use);
  return hasher.finish();
}

/// What a node does with its constants: attributes, and constant inputs by place.
Hash128 setting_of(const GraphIndex& graph, const GraphIndex::Node& node, const std::vector<Hash128>& constants) {
  Hasher hasher;
  hasher.add(node.meaning);
  for (std::size_t place = 0; place < node.uses.size(); ++place) {
    const int used = node.uses[place];
    if (used < 0 || !graph.values[static_cast<std::size_t>(used)].is_constant) continue;
    hasher.add(static_cast<std::int64_t>(place)).add(constants[static_cast<std::size_t>(used)]);
  }
  return hasher.finish();
}

}  // namespace

Signatures signatures_of(const GraphIndex& graph, const std::vector<int>& outputs,
                         const std::vector<Hash128>& constants) {
  std::vector<Hash128> settings;
  settings.reserve(graph.nodes.size());
  for (const auto& node : graph.nodes) settings.push_back(setting_of(graph, node, constants));
  std::vector<std::vector<Hash128>> marks(graph.values.size());
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    if (graph.outputs[i] < 0 || outputs[i] < 0) continue;
    marks[static_cast<std::size_t>(graph.outputs[i])].push_back(
        Hasher().add("output").add(std::int64_t{outputs[i]}).finish());
  }
  Signatures signatures;
  for (std::size_t value = 0; value < graph.values.size(); ++value) {
    std::vector<Hash128> loose = marks[value], strict = marks[value];
    for (const auto& use : graph.values[value].uses) {
      const auto node = static_cast<std::size_t>(use.node);
      loose.push_back(Hasher().add(graph.nodes[node].kind).add(std::int64_t{use.place}).finish());
      strict.push_back(Hasher().add(settings[node]).add(std::int64_t{use.place}).finish());
    }
    signatures.loose.push_back(hash_of(loose));
    signatures.strict.push_back(hash_of(strict));
  }
  return signatures;
}

}  // namespace culprit
