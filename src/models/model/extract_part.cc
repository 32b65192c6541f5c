#include "model/extract_part.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/values_of_node.h"

namespace culprit {
namespace {

using NameSet = std::unordered_set<std::string>;

class Extraction {
 public:
  Extraction(onnx::ModelProto& model, std::span<const FedValue> fed) : graph_(*model.mutable_graph()) {
    for (const FedValue& value : fed) fed_.emplace(value.name, &value);
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const auto& output : graph_.node(i).output()) {
        if (!output.empty()) makers_.emplace(output, i);
      }
    }
    needed_.assign(static_cast<std::size_t>(graph_.node_size()), false);
  }

  Extract run(std::span<const std::string> wanted) {
    Extract made;
    std::vector<std::string> known;
    for (const std::string& value : wanted) {
      const auto maker = makers_.find(value);
      (maker == makers_.end() ? made.unknown : known).push_back(value);
      if (maker != makers_.end()) need_node(maker->second);
    }
    follow();
    set_outputs(known, made);
    drop_nodes();
    drop_initializers();
    set_inputs(made);
    graph_.clear_quantization_annotation();
    return made;
  }

 private:
  void need_node(int node) {
    if (needed_[static_cast<std::size_t>(node)]) return;
    needed_[static_cast<std::size_t>(node)] = true;
    open_.push_back(node);
  }

  void follow() {
    while (!open_.empty()) {
      const int node = open_.back();
      open_.pop_back();
      for (const std::string_view name : used_values(graph_.node(node))) {
        const std::string value(name);
        if (value.empty() || !used_.insert(value).second || fed_.contains(value)) continue;
        if (const auto maker = makers_.find(value); maker != makers_.end()) need_node(maker->second);
      }
    }
  }

  std::string new_name(const std::string& value) const {
    std::string name = value + "@made";
    while (makers_.contains(name) || used_.contains(name)) name += "'";
    return name;
  }

  /// What is fed and made here as well gets another name where it is made.
  void rename_made() {
    for (std::size_t i = 0; i < needed_.size(); ++i) {
      if (!needed_[i]) continue;
      for (auto& output : *graph_.mutable_node(static_cast<int>(i))->mutable_output()) {
        if (fed_.contains(output)) output = renamed_.emplace(output, new_name(output)).first->second;
      }
    }
  }

  void set_outputs(const std::vector<std::string>& known, Extract& made) {
    rename_made();
    std::unordered_map<std::string, onnx::TypeProto> types;
    for (const auto& value : graph_.value_info()) types.emplace(value.name(), value.type());
    for (const auto& value : graph_.output()) types.emplace(value.name(), value.type());
    graph_.clear_output();
    graph_.clear_value_info();
    NameSet listed;
    for (const std::string& value : known) {
      const auto other = renamed_.find(value);
      made.outputs.push_back(other == renamed_.end() ? value : other->second);
      if (!listed.insert(value).second) continue;
      auto& output = *graph_.add_output();
      output.set_name(made.outputs.back());
      if (const auto type = types.find(value); type != types.end()) *output.mutable_type() = type->second;
    }
  }

  void drop_nodes() {
    auto& nodes = *graph_.mutable_node();
    int kept = 0;
    for (int i = 0; i < nodes.size(); ++i) {
      if (needed_[static_cast<std::size_t>(i)]) nodes.SwapElements(kept++, i);
    }
    nodes.DeleteSubrange(kept, nodes.size() - kept);
  }

  template <class Tensors, class NameOf>
  void drop(Tensors& tensors, const NameOf& name_of) {
    int kept = 0;
    for (int i = 0; i < tensors.size(); ++i) {
      const std::string& name = name_of(tensors.Get(i));
      if (used_.contains(name) && !fed_.contains(name)) tensors.SwapElements(kept++, i);
    }
    tensors.DeleteSubrange(kept, tensors.size() - kept);
  }

  void drop_initializers() {
    drop(*graph_.mutable_initializer(), [](const auto& tensor) -> const std::string& { return tensor.name(); });
    drop(*graph_.mutable_sparse_initializer(),
         [](const auto& tensor) -> const std::string& { return tensor.values().name(); });
  }

  void set_inputs(Extract& made) {
    NameSet defaults;
    for (const auto& tensor : graph_.initializer()) defaults.insert(tensor.name());
    drop(*graph_.mutable_input(), [](const auto& input) -> const std::string& { return input.name(); });
    for (const auto& input : graph_.input()) {
      if (!defaults.contains(input.name())) made.inputs.push_back(input.name());
    }
    std::vector<const FedValue*> taken;
    for (const auto& [name, value] : fed_) {
      if (used_.contains(name)) taken.push_back(value);
    }
    std::ranges::sort(taken, {}, &FedValue::name);
    for (const FedValue* value : taken) {
      add_input(*value);
      made.inputs.push_back(value->name);
    }
  }

  void add_input(const FedValue& value) {
    auto& input = *graph_.add_input();
    input.set_name(value.name);
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(static_cast<int>(value.dtype));
    type.mutable_shape();
    for (const Dim& dim : value.dims) {
      auto& added = *type.mutable_shape()->add_dim();
      if (dim.value) added.set_dim_value(*dim.value);
      if (!dim.value && !dim.name.empty()) added.set_dim_param(dim.name);
    }
  }

  onnx::GraphProto& graph_;
  std::unordered_map<std::string, const FedValue*> fed_;
  std::unordered_map<std::string, int> makers_;
  std::unordered_map<std::string, std::string> renamed_;
  std::vector<bool> needed_;
  std::vector<int> open_;
  NameSet used_;
};

}  // namespace

Extract extract(onnx::ModelProto& model, std::span<const FedValue> fed, std::span<const std::string> wanted) {
  return Extraction(model, fed).run(wanted);
}

}  // namespace culprit
