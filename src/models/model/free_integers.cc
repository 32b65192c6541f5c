#include "model/free_integers.h"

#include <onnx/onnx_pb.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/graph_walk.h"
#include "model/input_use_table.h"
#include "tensor/dtype.h"

namespace culprit {
namespace {

struct Consumer {
  const onnx::NodeProto* node = nullptr;
  int slot = 0;
};

/// Knows the consumers in all graphs of a model; names are not told apart by scope.
class Consumers {
 public:
  explicit Consumers(const onnx::ModelProto& model) : opset_(opset_of(model)) {
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& node : graph.node()) add(node);
    });
  }

  [[nodiscard]] bool steers(const std::string& input) const {
    std::unordered_set<std::string> reached = {input};
    std::vector<std::string> open = {input};
    const auto reach = [&](const auto& values) {
      for (const std::string& value : values) {
        if (!value.empty() && reached.insert(value).second) open.push_back(value);
      }
    };
    while (!open.empty()) {
      const std::string value = std::move(open.back());
      open.pop_back();
      if (const auto owner = owners_.find(value); owner != owners_.end()) reach(owner->second->output());
      const auto its = by_value_.find(value);
      if (its == by_value_.end()) continue;
      for (const Consumer& consumer : its->second) {
        if (steers(consumer)) return true;
        const std::string& op = consumer.node->op_type();
        if (op != "Shape" && op != "Size") reach(consumer.node->output());
      }
    }
    return false;
  }

 private:
  void add(const onnx::NodeProto& node) {
    for (int i = 0; i < node.input_size(); ++i) by_value_[node.input(i)].push_back({&node, i});
    for (const auto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      for (const auto& output : attribute.g().output()) owners_[output.name()] = &node;
      if (node.op_type() == "If") continue;
      for_each_graph(attribute.g(), [&](const onnx::GraphProto& body) {  // what it captures goes into it
        for (const auto& inner : body.node()) {
          for (const std::string& value : inner.input()) by_value_[value].push_back({&node, 0});
        }
      });
    }
  }

  [[nodiscard]] bool steers(const Consumer& consumer) const {
    const onnx::NodeProto& node = *consumer.node;
    const bool is_known = domain_of(node.domain()).empty() || node.domain() == "ai.onnx.ml";
    if (!is_known || node.op_type() == "Loop" || node.op_type() == "Scan" || node.op_type() == "SequenceMap")
      return true;
    const SlotUse* use = use_of_slot(node, consumer.slot, opset_);
    return use != nullptr && use->kind != UseKind::condition && use->kind != UseKind::mask;
  }

  std::int64_t opset_;
  std::unordered_map<std::string, std::vector<Consumer>> by_value_;
  std::unordered_map<std::string, const onnx::NodeProto*> owners_;  // by output of a body
};

}  // namespace

std::set<std::string> integers_that_steer_nothing(const onnx::ModelProto& model) {
  const Consumers consumers(model);
  std::unordered_set<std::string> with_default;
  for (const auto& stored : model.graph().initializer()) with_default.insert(stored.name());
  std::set<std::string> inputs;
  for (const auto& input : model.graph().input()) {
    const auto type = dtype_from_onnx(input.type().tensor_type().elem_type());
    if (!type || !is_integer(*type)) continue;
    if (!with_default.contains(input.name()) && !consumers.steers(input.name())) inputs.insert(input.name());
  }
  return inputs;
}

}  // namespace culprit
