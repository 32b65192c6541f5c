#include "conversion/sides/onnx_whole.h"

#include <algorithm>
#include <set>

#include "base/as_index.h"
#include "conversion/sides/onnx_names.h"
#include "model/rename_values.h"
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

class WholeModel {
 public:
  WholeModel(onnx::ModelProto& made, const onnx::GraphProto& given)
      : ir_version_(made.ir_version()), graph_(*made.mutable_graph()), given_(given), used_before_(used_names(given)) {}

  void finish(const WholeChanges& changes) {
    give_names_back(changes.outputs);
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
  [[nodiscard]] std::string name_aside(const std::string& output) const {
    std::string aside = output + "_before";
    while (is_made_by_node(graph_, aside)) aside += "_";
    return aside;
  }

  /// What is shown in the place of an output becomes the output. An input, a constant, or what is an output under
  /// another name as well is copied.
  void give_names_back(const std::vector<std::pair<std::string, std::string>>& outputs) {
    NewNames names;
    std::set<std::string> given_away;  // outputs that give something else now
    std::vector<std::pair<std::string, std::string>> copied;
    for (const auto& [output, shown] : outputs)
      if (output != shown && given_away.insert(output).second) names[output] = name_aside(output);
    std::set<std::string> shown_once;
    for (const auto& [output, shown] : outputs) {
      if (output == shown) continue;
      const bool is_free =
          is_made_by_node(graph_, shown) && (given_away.contains(shown) || !has_name(given_.output(), shown));
      if (is_free && shown_once.insert(shown).second)
        names[shown] = output;
      else
        copied.emplace_back(output, shown);
    }
    rename_values(graph_, names);
    for (int i = 0; i < graph_.output_size(); ++i) {
      onnx::ValueInfoProto& output = *graph_.mutable_output(i);
      output.set_name(given_.output(i).name());
      // What another output gave is declared as that was.
      const auto other = std::ranges::find(given_.output(), outputs[as_index(i)].second, &onnx::ValueInfoProto::name);
      if (other != given_.output().end()) *output.mutable_type() = other->type();
    }
    for (const auto& [output, shown] : copied) {
      const auto renamed = names.find(shown);
      onnx::NodeProto& copy = *graph_.add_node();
      copy.set_op_type("Identity");
      copy.set_name(output + "_copy");
      copy.add_input(renamed == names.end() ? shown : renamed->second);
      copy.add_output(output);
    }
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

  [[nodiscard]] bool is_stored(const std::string& name) const { return has_name(graph_.initializer(), name); }
  [[nodiscard]] bool was_stored(const std::string& name) const { return has_name(given_.initializer(), name); }

  /// An input goes whose stored tensor went.
  void drop_inputs_without_tensor() {
    auto& inputs = *graph_.mutable_input();
    for (int i = inputs.size() - 1; i >= 0; --i)
      if (was_stored(inputs.Get(i).name()) && !is_stored(inputs.Get(i).name())) inputs.DeleteSubrange(i, 1);
  }

  /// Until version 4 of the format each tensor that is stored is among the inputs.
  void list_tensors_among_inputs() {
    for (const auto& tensor : graph_.initializer()) {
      if (has_name(graph_.input(), tensor.name())) continue;
      onnx::ValueInfoProto& input = *graph_.add_input();
      input.set_name(tensor.name());
      auto& type = *input.mutable_type()->mutable_tensor_type();
      type.set_elem_type(tensor.data_type());
      type.mutable_shape();
      for (const std::int64_t size : tensor.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
    }
  }

  /// A constant that nobody uses any more leaves its name to what stands in its place.
  void take_name(const std::string& was, const std::string& is) {
    if (was.empty() || !is_stored(is) || is_stored(was) || is_made_by_node(graph_, was)) return;
    if (has_name(graph_.input(), was) && !was_stored(was)) return;
    rename_values(graph_, {{is, was}});
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
