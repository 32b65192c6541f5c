#include "localize/graph_cut.h"

#include <algorithm>

namespace culprit {
namespace {

bool alike(const onnx::GraphProto& one, const onnx::GraphProto& other);

/// Attributes in the same order, which is that of the export; graphs as nodes are.
bool alike(const onnx::AttributeProto& one, const onnx::AttributeProto& other) {
  if (one.name() != other.name() || one.has_g() != other.has_g()) return false;
  return one.has_g() ? alike(one.g(), other.g()) : one.SerializeAsString() == other.SerializeAsString();
}

/// But for what they read.
bool alike(const onnx::NodeProto& one, const onnx::NodeProto& other) {
  return one.op_type() == other.op_type() && one.domain() == other.domain() &&
         std::ranges::equal(one.output(), other.output()) && one.input_size() == other.input_size() &&
         std::ranges::equal(one.attribute(), other.attribute(),
                            [](const auto& a, const auto& b) { return alike(a, b); });
}

bool alike(const onnx::GraphProto& one, const onnx::GraphProto& other) {
  const auto same = [](const auto& a, const auto& b) { return a.SerializeAsString() == b.SerializeAsString(); };
  const auto name = [](const auto& value) { return value.name(); };
  return std::ranges::equal(one.initializer(), other.initializer(), same) &&
         std::ranges::equal(one.input(), other.input(), {}, name, name) &&
         std::ranges::equal(one.output(), other.output(), {}, name, name) &&
         std::ranges::equal(one.node(), other.node(), [](const auto& a, const auto& b) { return alike(a, b); });
}

class Cutter {
 public:
  Cutter(const onnx::GraphProto& before, const onnx::GraphProto& after) : before_(before), after_(after) {}

  GraphCut cut() {
    match();
    for (int i = 0; i < before_.node_size(); ++i) {
      const auto* node = &before_.node(i);
      const auto at = cut_.same.find(node);
      if (at == cut_.same.end()) {
        left_.push_back({node, nullptr, i});
      } else {
        compare_reads(*node, *at->second);
      }
    }
    for (int i = 0; i < after_.node_size(); ++i) {
      if (!matched_.contains(&after_.node(i))) right_.push_back({&after_.node(i), nullptr, i});
    }
    compare_initializers();
    exchange();
    return std::move(cut_);
  }

 private:
  void match() {
    std::map<std::string, const onnx::NodeProto*> makers;
    for (const auto& node : after_.node()) {
      if (node.output_size() > 0) makers.emplace(node.output(0), &node);
    }
    for (const auto& node : before_.node()) {
      const auto at = node.output_size() > 0 ? makers.find(node.output(0)) : makers.end();
      if (at == makers.end() || !alike(node, *at->second) || !matched_.insert(at->second).second) continue;
      cut_.same.emplace(&node, at->second);
    }
  }

  void compare_reads(const onnx::NodeProto& node, const onnx::NodeProto& counterpart) {
    for_each_pair(node, counterpart, [&](const onnx::NodeProto& one, const onnx::NodeProto& other) {
      for (int slot = 0; slot < one.input_size(); ++slot) {
        if (one.input(slot) == other.input(slot)) continue;
        const std::pair<std::string, std::string> names{one.input(slot), other.input(slot)};
        if (seen_.insert(names).second) cut_.replaced.emplace_back(names, &node);
      }
    });
  }

  void compare_initializers() {
    std::map<std::string, const onnx::TensorProto*> here, there;
    for (const auto& tensor : before_.initializer()) here.emplace(tensor.name(), &tensor);
    for (const auto& tensor : after_.initializer()) there.emplace(tensor.name(), &tensor);
    const auto differs = [](const auto& tensors, const onnx::TensorProto& tensor) {
      const auto at = tensors.find(tensor.name());
      return at == tensors.end() || at->second->SerializeAsString() != tensor.SerializeAsString();
    };
    for (const auto& [name, tensor] : here) {
      if (differs(there, *tensor)) left_.push_back({nullptr, tensor});
    }
    for (const auto& [name, tensor] : there) {
      if (differs(here, *tensor)) right_.push_back({nullptr, tensor});
    }
  }

  /// Nodes on either side that share names, directly or through others, change places together.
  void exchange() {
    std::map<std::string, std::size_t> groups;  // by name
    std::vector<Exchange> exchanges;
    const auto put = [&](const Definition& definition, bool is_before) {
      std::set<std::size_t> touched;
      for (const std::string& name : definition.names()) {
        if (const auto at = groups.find(name); at != groups.end()) touched.insert(at->second);
      }
      const std::size_t group = touched.empty() ? exchanges.size() : *touched.begin();
      if (touched.empty()) exchanges.emplace_back();
      for (const std::size_t other : touched) {
        if (other != group) merge(exchanges, groups, other, group);
      }
      for (const std::string& name : definition.names()) groups[name] = group;
      (is_before ? exchanges[group].before : exchanges[group].after).push_back(definition);
    };
    for (const Definition& definition : left_) put(definition, true);
    for (const Definition& definition : right_) put(definition, false);
    for (Exchange& exchange : exchanges) {
      if (exchange.after.empty()) {
        std::ranges::move(exchange.before, std::back_inserter(cut_.removed));
      } else if (exchange.before.empty()) {
        std::ranges::move(exchange.after, std::back_inserter(cut_.added));
      } else {
        cut_.exchanged.push_back(std::move(exchange));
      }
    }
  }

  static void merge(std::vector<Exchange>& exchanges, std::map<std::string, std::size_t>& groups, std::size_t from,
                    std::size_t to) {
    std::ranges::move(exchanges[from].before, std::back_inserter(exchanges[to].before));
    std::ranges::move(exchanges[from].after, std::back_inserter(exchanges[to].after));
    exchanges[from] = {};
    for (auto& [name, group] : groups) {
      if (group == from) group = to;
    }
  }

  const onnx::GraphProto& before_;
  const onnx::GraphProto& after_;
  GraphCut cut_;
  std::set<const onnx::NodeProto*> matched_;  // of those after
  std::set<std::pair<std::string, std::string>> seen_;
  std::vector<Definition> left_, right_;
};

}  // namespace

std::vector<std::string> Definition::names() const {
  std::vector<std::string> names;
  if (initializer != nullptr) names.push_back(initializer->name());
  if (node == nullptr) return names;
  for (const auto& name : node->output()) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

GraphCut cut(const onnx::GraphProto& before, const onnx::GraphProto& after) { return Cutter(before, after).cut(); }

}  // namespace culprit
