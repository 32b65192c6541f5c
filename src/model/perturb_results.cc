#include "model/perturb_results.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/random.h"
#include "model/rounding_ops.h"
#include "model/walk.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

bool is_float_type(std::int32_t type) {
  return type == onnx::TensorProto::UNDEFINED || is_float(dtype_from_onnx(type).value_or(DType::f32));
}

template <class Visit>
void for_each_subgraph(onnx::NodeProto& node, const Visit& visit) {
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) visit(*attribute.mutable_g());
    for (auto& inner : *attribute.mutable_graphs()) visit(inner);
  }
}

void add_attribute(onnx::NodeProto& node, const char* name, std::int64_t value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

constexpr std::size_t largest_mask = 16 << 20;  // bytes; what is larger is taken for weights
constexpr std::size_t small_weight = 4096;      // bytes
constexpr double largest_whole = 1 << 20;       // sums of which are exact in float32

/// Goes through a model and puts nodes in, or only counts them. Names are not told apart by scope.
class Results {
 public:
  Results(std::uint64_t seed, unsigned ulps) : seed_(seed), ulps_(ulps) {}

  std::int64_t perturb(onnx::ModelProto& model) {
    perturb(*model.mutable_graph(), true);
    for (auto& function : *model.mutable_functions()) {
      for (const std::string& input : function.input()) data_.insert(input);
      const std::int64_t before = count_;
      perturb(*function.mutable_node());
      if (count_ > before) add_domain(*function.mutable_opset_import());
    }
    if (count_ > 0) add_domain(*model.mutable_opset_import());
    return count_;
  }

 private:
  static void add_domain(google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports) {
    auto& import = *imports.Add();
    import.set_domain("culprit");
    import.set_version(1);
  }

  void perturb(onnx::GraphProto& graph, bool is_main) {
    std::set<std::string> weights;
    for (const auto& tensor : graph.initializer()) {
      weights.insert(tensor.name());
      if (holds_whole_numbers(tensor)) whole_.insert(tensor.name());
    }
    for (const auto& input : graph.input()) {
      if (!is_float_type(input.type().tensor_type().elem_type())) whole_.insert(input.name());
      if (!is_main || !weights.contains(input.name())) data_.insert(input.name());
    }
    perturb(*graph.mutable_node());
  }

  void perturb(Nodes& nodes) {
    Nodes made;
    for (auto& node : nodes) {
      for_each_subgraph(node, [&](onnx::GraphProto& inner) { perturb(inner, false); });
      const bool is_data = is_of_data(node), is_whole = is_whole_number(node);
      for (const std::string& output : node.output()) {
        if (is_data) data_.insert(output);
        if (is_whole) whole_.insert(output);
      }
      Nodes behind;
      if (!is_whole && (is_data ? computes(node.op_type()) : casts_to_float(node))) put_behind(node, behind);
      *made.Add() = std::move(node);
      for (auto& rounding : behind) *made.Add() = std::move(rounding);
    }
    nodes.Swap(&made);
  }

  [[nodiscard]] bool is_of_data(const onnx::NodeProto& node) const {
    if (asks_for_shapes(node.op_type())) return false;
    return has_graph(node) ||
           std::ranges::any_of(node.input(), [&](const std::string& input) { return data_.contains(input); });
  }

  /// Sums and products of whole numbers are exact, and so are those of an int or a bool that was cast.
  [[nodiscard]] bool is_whole_number(const onnx::NodeProto& node) const {
    const std::string_view op = node.op_type();
    if (gives_whole_numbers(op)) return true;
    if (op == "Constant")
      return std::ranges::any_of(node.attribute(), [](const auto& attribute) {
        return attribute.has_t() && holds_whole_numbers(attribute.t());
      });
    const bool passes_on = only_moves(op) || passes_whole_numbers_on(op) || op == "Cast";
    return passes_on && std::ranges::all_of(node.input(), [&](const std::string& input) {
             return input.empty() || whole_.contains(input);
           });
  }

  void put_behind(onnx::NodeProto& node, Nodes& behind) {
    const int outputs = is_recurrent(node.op_type()) ? node.output_size() : std::min(node.output_size(), 1);
    for (int i = 0; i < outputs; ++i) {
      if (node.output(i).empty()) continue;
      onnx::NodeProto& rounding = *behind.Add();
      rounding.set_domain("culprit");
      rounding.set_op_type("Rounding");
      rounding.add_output(node.output(i));
      node.set_output(i, "culprit_exact_" + std::to_string(count_++));
      rounding.add_input(node.output(i));
      add_attribute(rounding, "seed", static_cast<std::int64_t>(Random(seed_, rounding.output(0)).next()));
      add_attribute(rounding, "ulps", ulps_);
    }
  }

  std::uint64_t seed_;
  unsigned ulps_;
  std::set<std::string> data_;   // values that follow from inputs, and not from their shapes alone
  std::set<std::string> whole_;  // that are whole numbers
  std::int64_t count_ = 0;
};

/// Input `i` of a node that only moves elements holds them; the others say where to.
bool holds_elements(const onnx::NodeProto& node, int i) {
  return only_moves(node.op_type()) && (i == 0 || node.op_type() == "Concat");
}

std::set<std::string> weights_of(const onnx::ModelProto& model) {
  std::set<std::string> weights;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) weights.insert(tensor.name());
    for (const auto& node : graph.node()) {
      if (node.op_type() == "Constant" && node.output_size() == 1) weights.insert(node.output(0));
    }
  });
  return weights;
}

}  // namespace

bool holds_whole_numbers(const onnx::TensorProto& tensor) {
  if (!is_float_type(tensor.data_type())) return tensor.data_type() != onnx::TensorProto::STRING;
  if (tensor.ByteSizeLong() > largest_mask) return false;
  const auto elements = from_proto(tensor);
  if (!elements || !is_float(elements->dtype())) return false;
  for (std::int64_t i = 0; i < elements->count(); ++i) {
    const double number = elements->number(i);
    if (number != std::floor(number) || std::abs(number) > largest_whole) return false;
  }
  return true;
}

std::int64_t perturb_results(onnx::ModelProto& model, std::uint64_t seed, unsigned ulps) {
  return Results(seed, ulps).perturb(model);
}

std::int64_t perturbable_results(const onnx::ModelProto& model) {
  onnx::ModelProto copy;  // graphs without their large weights are small
  *copy.mutable_graph()->mutable_node() = model.graph().node();
  *copy.mutable_graph()->mutable_input() = model.graph().input();
  *copy.mutable_functions() = model.functions();
  for (const auto& tensor : model.graph().initializer()) {
    auto& weight = *copy.mutable_graph()->add_initializer();
    if (tensor.ByteSizeLong() <= small_weight) weight = tensor;
    weight.set_name(tensor.name());
  }
  return perturb_results(copy, 0, 1);
}

std::set<std::string> summed_inputs(const onnx::ModelProto& model) {
  const std::set<std::string> weights = weights_of(model);
  const auto is_summed = [&](const onnx::NodeProto& node, int i) {
    if (is_sum(node.op_type())) return i == 0 || node.op_type() == "Sum" || node.op_type() == "Mean";
    if (is_recurrent(node.op_type())) return false;  // with weights
    if (!is_product(node.op_type()) || i > 1 || node.input_size() < 2) return false;
    return !weights.contains(node.input(1 - i));
  };
  std::set<std::string> names;
  collect_leading(model.graph().node(), is_summed, holds_elements, names);
  std::set<std::string> inputs;
  for (const auto& input : model.graph().input()) {
    if (names.contains(input.name())) inputs.insert(input.name());
  }
  return inputs;
}

std::set<std::string> summed_values(const onnx::ModelProto& model) {
  std::set<std::string> names;
  const auto is_summed = [](const onnx::NodeProto& node, int) {
    return !only_moves(node.op_type()) && !is_plain(node.op_type());
  };
  collect_leading(model.graph().node(), is_summed, holds_elements, names);
  for (const auto& function : model.functions()) collect_leading(function.node(), is_summed, holds_elements, names);
  return names;
}

std::set<std::string> casted_weights(const onnx::ModelProto& model) {
  std::set<std::string> names;
  const auto is_cast = [](const onnx::NodeProto& node, int) { return casts_to_float(node); };
  collect_leading(model.graph().node(), is_cast, holds_elements, names);
  std::set<std::string> casted;
  for (const std::string& weight : weights_of(model)) {
    if (names.contains(weight)) casted.insert(weight);
  }
  return casted;
}

}  // namespace culprit
