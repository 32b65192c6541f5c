#include "conversion/map/coverage.h"

#include <algorithm>
#include <set>

#include "base/as_index.h"

namespace culprit {
namespace {

constexpr int layers_to_a_consumer = 2;

class CoverageCount {
 public:
  CoverageCount(ConversionMap& map, const Ways& source, const Ways& target)
      : map_(map), source_(source), target_(target) {
    for (const auto& [value, match] : map.values) known_.insert(value);
    const auto layers = source.network().layers.size();
    has_parameters_.resize(layers);
    parameters_.resize(layers);
    for (const DerivedTensor& derived : map.derived)
      if (derived.is_stored() && derived.tensor.numbers.size() > 1) has_parameters_[as_index(derived.layers[0])] = true;
    for (std::size_t i = 0; i < map.parameters.size(); ++i)
      for (const int layer : map.derived[map.parameters[i].source].layers) parameters_[as_index(layer)].push_back(i);
  }

  void count() {
    map_.layers.clear();
    map_.counts = {};
    for (std::size_t layer = 0; layer < source_.network().layers.size(); ++layer) count_layer(static_cast<int>(layer));
  }

 private:
  [[nodiscard]] std::vector<int> outputs_of(int layer) const {
    std::vector<int> outputs;
    for (const int value : source_.network().layers[as_index(layer)].outputs)
      if (value >= 0 && !source_.is_constant(value)) outputs.push_back(value);
    return outputs;
  }

  void count_layer(int layer) {
    LayerMatch match;
    match.source = layer;
    const auto outputs = outputs_of(layer);
    if (!outputs.empty()) {
      match.found = found_of(outputs);
      match.parameters = parameters_[as_index(layer)];
      match.targets = targets_of(outputs, match.parameters);
      MapCounts& counts = map_.counts;
      ++counts.layers;
      counts.values += std::ssize(outputs);
      counts.values_found += std::ranges::count_if(outputs, [&](int value) { return known_.contains(value); });
      if (has_parameters_[as_index(layer)]) {
        ++counts.with_parameters;
        ++(match.found == LayerFound::itself        ? counts.found
           : match.found == LayerFound::by_consumer ? counts.by_consumer
                                                    : counts.not_found);
      }
    }
    map_.layers.push_back(std::move(match));
  }

  [[nodiscard]] LayerFound found_of(const std::vector<int>& outputs) const {
    for (const int value : outputs)
      if (known_.contains(value)) return LayerFound::itself;
    for (const int value : outputs)
      for (const auto& [behind, layers] : source_.behind(value, layers_to_a_consumer))
        if (layers > 0 && known_.contains(behind)) return LayerFound::by_consumer;
    return LayerFound::no;
  }

  /// Between the mates of what it takes and of what it makes; where that is not found, those that hold its parameters.
  [[nodiscard]] std::vector<int> targets_of(const std::vector<int>& outputs,
                                            const std::vector<std::size_t>& parameters) const {
    std::set<int> layers;
    for (const int value : outputs) {
      const auto mate = map_.values.find(value);
      if (mate == map_.values.end()) continue;
      std::set<int> stop;
      for (const int before : source_.before(value)) {
        if (known_.contains(before)) {
          stop.insert(map_.values.at(before).target);
          continue;
        }
        for (const int border : source_.borders(before, known_)) stop.insert(map_.values.at(border).target);
      }
      for (const int between : target_.back_to(mate->second.target, stop))
        if (target_.maker(between) >= 0) layers.insert(target_.maker(between));
    }
    if (layers.empty())
      for (const std::size_t parameter : parameters)
        layers.insert(map_.target_parameters[map_.parameters[parameter].target].layer);
    return {layers.begin(), layers.end()};
  }

  ConversionMap& map_;
  const Ways& source_;
  const Ways& target_;
  std::set<int> known_;
  std::vector<bool> has_parameters_;                  // by layer: one of more than one number
  std::vector<std::vector<std::size_t>> parameters_;  // by layer, into the map's
};

}  // namespace

void count_coverage(ConversionMap& map, const Ways& source, const Ways& target) {
  CoverageCount(map, source, target).count();
}

}  // namespace culprit
