#include "conversion/sides/onnx_whole.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/as_index.h"
#include "model/graph_walk.h"
#include "model/values_of_node.h"

namespace culprit {
namespace {

constexpr std::int64_t first_ir_with_hidden_tensors = 4;

/// Inner graphs included: a name that a body has of its own is not told apart, and stays used.
std::set<std::string> used_names(const onnx::GraphProto& graph) {
  std::set<std::string> used;
  for (const auto& node : graph.node())
    for (const std::string_view name : used_values(node)) used.emplace(name);
  for (const auto& output : graph.output()) used.insert(output.name());
  used.erase("");
  return used;
}

/// In all graphs, outputs of the main one but for their list.
void rename_value(onnx::GraphProto& graph, const std::string& from, const std::string& to, bool is_main = true) {
  for (auto& node : *graph.mutable_node()) {
    std::ranges::replace(*node.mutable_input(), from, to);
    std::ranges::replace(*node.mutable_output(), from, to);
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) rename_value(*attribute.mutable_g(), from, to, false);
      for (auto& inner : *attribute.mutable_graphs()) rename_value(inner, from, to, false);
    }
  }
  for (auto& tensor : *graph.mutable_initializer())
    if (tensor.name() == from) tensor.set_name(to);
  if (!is_main)
    for (auto& output : *graph.mutable_output())
      if (output.name() == from) output.set_name(to);
}

class WholeModel {
 public:
  WholeModel(onnx::ModelProto& made, const onnx::GraphProto& given)
      : ir_version_(made.ir_version()), graph_(*made.mutable_graph()), given_(given), used_before_(used_names(given)) {}

  void finish(const WholeChanges& changes) {
    for (const auto& [output, shown] : changes.outputs)
      if (output != shown) give_name_back(output, shown);
    drop_unused();
    for (const auto& [was, is] : changes.replaced) take_name(was, is);
    drop_inputs_without_tensor();
    if (ir_version_ < first_ir_with_hidden_tensors) list_tensors_among_inputs();
    if (changes.moves_shapes)
      graph_.clear_value_info();
    else
      forget_what_is_gone();
    for (const SeenOutput& one : changes.seen)
      if (one.output >= 0 && one.output < graph_.output_size()) declare(one, *graph_.mutable_output(one.output));
  }

 private:
  [[nodiscard]] bool is_made_by_node(const std::string& name) const {
    return std::ranges::any_of(graph_.node(), [&](const onnx::NodeProto& node) {
      return std::ranges::find(node.output(), name) != node.output().end();
    });
  }

  [[nodiscard]] bool is_output(const std::string& name) const {
    return std::ranges::any_of(given_.output(), [&](const auto& output) { return output.name() == name; });
  }

  /// What is shown in the place of an output becomes the output.
  void give_name_back(const std::string& output, const std::string& shown) {
    std::string aside = output + "_before";
    while (is_made_by_node(aside)) aside += "_";
    rename_value(graph_, output, aside);
    if (is_made_by_node(shown) && !is_output(shown)) return rename_value(graph_, shown, output);
    onnx::NodeProto& copy = *graph_.add_node();  // an input, a constant, or an output under another name as well
    copy.set_op_type("Identity");
    copy.set_name(output + "_copy");
    copy.add_input(shown);
    copy.add_output(output);
  }

  /// A node goes if all that it gives is unused now, and something of it was used before, or an edit made it.
  void drop_unused() {
    std::set<std::string> old_names;
    for (const auto& node : given_.node()) old_names.insert(node.output().begin(), node.output().end());
    for (bool goes_on = true; goes_on;) {
      const std::set<std::string> used = used_names(graph_);
      auto& nodes = *graph_.mutable_node();
      const int before = nodes.size();
      int kept = 0;
      for (int i = 0; i < before; ++i) {
        const auto& outputs = nodes.Get(i).output();
        const bool is_needed = std::ranges::any_of(outputs, [&](const auto& name) { return used.contains(name); });
        const bool was_unused = std::ranges::none_of(outputs, [&](const auto& name) {
          return !name.empty() && (used_before_.contains(name) || !old_names.contains(name));
        });
        if (is_needed || was_unused) nodes.SwapElements(kept++, i);
      }
      nodes.DeleteSubrange(kept, before - kept);
      goes_on = kept < before;
    }
    drop_unused_tensors();
  }

  void drop_unused_tensors() {
    const std::set<std::string> used = used_names(graph_);
    auto& tensors = *graph_.mutable_initializer();
    for (int i = tensors.size() - 1; i >= 0; --i) {
      const std::string& name = tensors.Get(i).name();
      const bool was_used = used_before_.contains(name) || !was_stored(name);
      if (!used.contains(name) && was_used) tensors.DeleteSubrange(i, 1);
    }
  }

  [[nodiscard]] bool is_stored(const std::string& name) const {
    return std::ranges::any_of(graph_.initializer(), [&](const auto& tensor) { return tensor.name() == name; });
  }

  /// Inputs whose tensor went, for nobody is left to take it.
  void drop_inputs_without_tensor() {
    auto& inputs = *graph_.mutable_input();
    for (int i = inputs.size() - 1; i >= 0; --i)
      if (was_stored(inputs.Get(i).name()) && !is_stored(inputs.Get(i).name())) inputs.DeleteSubrange(i, 1);
  }

  /// Until version 4 of the format each tensor that is stored is among the inputs.
  void list_tensors_among_inputs() {
    for (const auto& tensor : graph_.initializer()) {
      const auto is_it = [&](const auto& input) { return input.name() == tensor.name(); };
      if (std::ranges::any_of(graph_.input(), is_it)) continue;
      onnx::ValueInfoProto& input = *graph_.add_input();
      input.set_name(tensor.name());
      auto& type = *input.mutable_type()->mutable_tensor_type();
      type.set_elem_type(tensor.data_type());
      type.mutable_shape();
      for (const std::int64_t size : tensor.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
    }
  }

  [[nodiscard]] bool was_stored(const std::string& name) const {
    return std::ranges::any_of(given_.initializer(), [&](const auto& tensor) { return tensor.name() == name; });
  }

  /// A constant that nobody uses any more leaves its name to what stands in its place.
  void take_name(const std::string& was, const std::string& is) {
    if (was.empty() || !is_stored(is) || is_stored(was) || is_made_by_node(was)) return;
    const auto is_it = [&](const auto& input) { return input.name() == was; };
    if (std::ranges::any_of(graph_.input(), is_it) && !was_stored(was)) return;
    rename_value(graph_, is, was);
  }

  void forget_what_is_gone() {
    std::set<std::string> names;
    for (const auto& node : graph_.node()) names.insert(node.output().begin(), node.output().end());
    auto& infos = *graph_.mutable_value_info();
    for (int i = infos.size() - 1; i >= 0; --i)
      if (!names.contains(infos.Get(i).name()) && !was_stored(infos.Get(i).name())) infos.DeleteSubrange(i, 1);
  }

  /// Sizes with a name, or with none, say nothing that could be wrong.
  static void declare(const SeenOutput& seen, onnx::ValueInfoProto& output) {
    if (seen.shapes.empty() || !output.type().has_tensor_type() || !output.type().tensor_type().has_shape()) return;
    auto& shape = *output.mutable_type()->mutable_tensor_type()->mutable_shape();
    const std::size_t rank = seen.shapes.front().size();
    if (std::ranges::any_of(seen.shapes, [&](const Shape& one) { return one.size() != rank; })) {
      output.mutable_type()->mutable_tensor_type()->clear_shape();
      return;
    }
    const bool is_of_rank = as_index(shape.dim_size()) == rank;
    if (!is_of_rank) shape.clear_dim();
    for (std::size_t axis = 0; axis < rank; ++axis) {
      auto& dim = is_of_rank ? *shape.mutable_dim(static_cast<int>(axis)) : *shape.add_dim();
      if (is_of_rank && !dim.has_dim_value()) continue;
      const std::int64_t size = seen.shapes.front()[axis];
      if (std::ranges::all_of(seen.shapes, [&](const Shape& one) { return one[axis] == size; }))
        dim.set_dim_value(size);
      else
        dim.clear_value();
    }
  }

  std::int64_t ir_version_;
  onnx::GraphProto& graph_;
  const onnx::GraphProto& given_;
  std::set<std::string> used_before_;
};

}  // namespace

void finish_whole(onnx::ModelProto& made, const onnx::GraphProto& given, const WholeChanges& changes) {
  WholeModel(made, given).finish(changes);
}

}  // namespace culprit
