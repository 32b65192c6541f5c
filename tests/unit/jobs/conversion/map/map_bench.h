#pragma once
// Small networks with all of their values computed, for tests of what maps one to another.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "conversion/map/match_values.h"
#include "network/onnx/read_onnx_network.h"
#include "support/tensor_ops.h"
#include "tensor/tensor_proto.h"

namespace culprit {

using NamedWeights = std::map<std::string, Tensor>;

/// Normal numbers.
inline Tensor normal_tensor(const Shape& shape, std::uint64_t seed, double scale = 1, double mean = 0) {
  Random random(seed);
  std::vector<float> numbers(static_cast<std::size_t>(element_count(shape).value()));
  for (float& number : numbers) number = static_cast<float>(mean + scale * random.normal());
  return Tensor::of<float>(shape, numbers);
}

/// The tensor with its axes in another order.
inline Tensor with_axes(const Tensor& tensor, const std::vector<int>& axes) {
  const ValueOrder order{{axes}};
  return laid_out(tensor, order, laid_out_shape(tensor.shape(), order)).value();
}

/// Along an axis: slice i is what was slice order[i].
inline Tensor with_slices(const Tensor& tensor, int axis, const std::vector<std::int64_t>& order) {
  return laid_out(tensor, {{}, order, axis}, tensor.shape()).value();
}

inline std::vector<float> numbers_in(const Tensor& tensor) {
  return {tensor.as<float>().begin(), tensor.as<float>().end()};
}

class ComputedNet : public Elements {
 public:
  ComputedNet(const std::string& graph, const NamedWeights& weights) : model_(parsed(graph)) {
    for (const auto& [name, tensor] : weights) *model_.mutable_graph()->add_initializer() = to_proto(tensor, name);
    network = read_onnx_network(model_).value();
    ways.emplace(network);
  }

  explicit ComputedNet(const onnx::ModelProto& model) : model_(model) {
    network = read_onnx_network(model_).value();
    ways.emplace(network);
  }

  /// Computes all values of one more sample.
  void add_sample(const std::map<std::string, Tensor>& inputs) {
    std::map<std::string, Tensor> values = inputs;
    for (const auto& weight : model_.graph().initializer()) values[weight.name()] = from_proto(weight).value();
    for (const auto& node : model_.graph().node()) {
      std::vector<const Tensor*> taken;
      for (const std::string& input : node.input()) taken.push_back(input.empty() ? nullptr : &values.at(input));
      values[node.output(0)] = testing::NodeOnTensors(node, taken).computed();
    }
    for (const int value : ways->values()) by_value[value].push_back(values.at(name(value)));
  }

  [[nodiscard]] const std::string& name(int value) const {
    return network.values[static_cast<std::size_t>(value)].name;
  }
  [[nodiscard]] int operator()(const std::string& wanted) const {
    for (std::size_t i = 0; i < network.values.size(); ++i)
      if (network.values[i].name == wanted) return static_cast<int>(i);
    return -1;
  }
  [[nodiscard]] int layer(const std::string& output) const {
    return network.values[static_cast<std::size_t>((*this)(output))].made_by;
  }

  Result<std::vector<Tensor>> of(int value) override {
    ++asked;
    const auto found = by_value.find(value);
    return found == by_value.end() ? std::vector<Tensor>() : found->second;
  }

  [[nodiscard]] std::map<int, ValueSketch> sketches() const {
    std::map<int, ValueSketch> made;
    for (const auto& [value, tensors] : by_value) made[value] = sketch_of(std::span<const Tensor>(tensors));
    return made;
  }

  Network network;
  std::optional<Ways> ways;
  std::map<int, std::vector<Tensor>> by_value;
  int asked = 0;

 private:
  static onnx::ModelProto parsed(const std::string& graph) {
    onnx::ModelProto model;
    const auto status =
        onnx::OnnxParser::Parse(model, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
    EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
    return model;
  }

  onnx::ModelProto model_;
};

/// Two networks, matched by a judge that runs nothing.
struct NetPair {
  ComputedNet& source;
  ComputedNet& target;
  std::vector<bool> must_be_equal = {};
  ValueMatches known = {};

  void bind(const std::string& one, const std::string& other, const ValueOrder& order = {},
            FoundBy by = FoundBy::binding) {
    known[source(one)] = {source(one), target(other), order, by};
  }

  /// By names: "relu" -> "t_relu".
  std::map<std::string, std::string> match() {
    const auto sketches_source = source.sketches(), sketches_target = target.sketches();
    PlainJudge judge({});
    const MatchTask task{*source.ways, *target.ways, sketches_source, sketches_target,
                         source,       target,       judge,           must_be_equal};
    matches = match_values(task, known).value();
    std::map<std::string, std::string> names;
    for (const auto& [value, match] : matches)
      if (match.by == FoundBy::numbers) names[source.name(value)] = target.name(match.target);
    return names;
  }
  [[nodiscard]] const ValueMatch& of(const std::string& name) const { return matches.at(source(name)); }

  ValueMatches matches = {};
};

}  // namespace culprit
