#pragma once
// Walks over networks of which a test says what is right and what is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conversion/walk/walk.h"
#include "side_bench.h"

namespace culprit {

/// Two networks, and which of the target's values are right when nothing wrong comes in: the fake of what runs show.
class WalkBench : public ::testing::Test {
 protected:
  void take(const std::string& source_graph, const std::string& target_graph) {
    source = network_of(source_graph);
    target = network_of(target_graph);
    source_ways.emplace(source);
    target_ways.emplace(target);
    for (const int value : source_ways->values()) sketches_source[value] = sketch(value % 7 + 1);
    for (const int value : target_ways->values()) sketches_target[value] = sketch(value % 5 + 1);
    inputs = {bound(source.inputs[0], target.inputs[0])};
    outputs = {bound(source.outputs[0], target.outputs[0])};
  }

  /// The target's layer that makes it computes something else.
  void breaks(const std::string& value) { wrong.insert(value_named(target, value)); }
  /// What the target's value is when all before it is right.
  void stands_for(const std::string& in_target, const std::string& in_source) {
    mates[value_named(target, in_target)] = value_named(source, in_source);
  }

  static ValueSketch sketch(int seed) {
    std::vector<float> numbers;
    for (int i = 0; i < 16; ++i) numbers.push_back(static_cast<float>((i * seed) % 16));
    return sketch_of(std::vector<Tensor>{Tensor::of<float>({1, 16}, numbers)});
  }

  static ValueMatch bound(int one, int other) {
    ValueMatch match;
    match.source = one;
    match.target = other;
    match.by = FoundBy::binding;
    return match;
  }

  /// A value is right where its maker is and all that comes in is; what is fed is right if it is fed at its own place.
  FedTarget ran(const std::vector<ValueMatch>& cuts) {
    ++runs;
    std::map<int, bool> is_right, is_used_right;
    FedTarget fed;
    fed.sketches = sketches_target;
    for (const int value : target_ways->values()) {
      bool right = !wrong.contains(value);
      for (const int before : target_ways->before(value)) right = right && is_used_right.at(before);
      is_right[value] = is_used_right[value] = right;
      for (const ValueMatch& cut : cuts)
        if (cut.target == value) is_used_right[value] = mates.contains(value) && mates.at(value) == cut.source;
    }
    fed.found[inputs[0].source] = inputs[0];
    for (const auto& [value, mate] : mates)
      if (is_right.at(value)) fed.found[mate] = {mate, value, {}, FoundBy::numbers};
    for (const ValueMatch& cut : cuts) fed.found[cut.source] = cut;
    const int last = outputs[0].target;
    if (!is_right.at(last)) fed.bad_outputs.push_back(outputs[0].source);
    return fed;
  }

  WalkResult go() {
    const WalkTask task{*source_ways, *target_ways, sketches_source, map, inputs, outputs};
    const auto run = [this](const std::vector<ValueMatch>& cuts) -> Result<std::optional<FedTarget>> {
      return ran(cuts);
    };
    return walk(task, {run, run}).value();
  }

  [[nodiscard]] std::vector<std::string> cuts(const WalkResult& result) const {
    std::vector<std::string> told;
    for (const WalkStep& step : result.steps)
      told.push_back(source.values[static_cast<std::size_t>(step.region.source)].name + "@" +
                     target.values[static_cast<std::size_t>(step.region.target)].name +
                     (step.cut.is_settled ? "" : "?"));
    return told;
  }

  /// A kernel of the source and the target's layer that holds it.
  void kernel(const std::vector<std::string>& sources, const std::string& in_target) {
    DerivedTensor derived;
    derived.tensor.numbers.assign(16, 1);
    derived.tensor.numbers[0] = 2;
    for (const std::string& value : sources) derived.layers.push_back(layer_making(source, value));
    TargetParameter parameter;
    parameter.layer = layer_making(target, in_target);
    parameter.tensor.numbers.assign(16, 1);
    ParameterMatch match;
    match.source = map.derived.size();
    match.target = map.target_parameters.size();
    map.derived.push_back(derived);
    map.target_parameters.push_back(parameter);
    map.parameters.push_back(match);
  }

  Network source, target;
  std::optional<Ways> source_ways, target_ways;
  std::map<int, ValueSketch> sketches_source, sketches_target;
  std::vector<ValueMatch> inputs, outputs;
  ConversionMap map;
  std::set<int> wrong;
  std::map<int, int> mates;
  int runs = 0;
};

inline constexpr const char* five_layers = R"(g (float[1,16] x) => (float[1,16] e) {
  a = Relu (x)  b = Sigmoid (a)  c = Tanh (b)  d = Exp (c)  e = Abs (d) })";

}  // namespace culprit
