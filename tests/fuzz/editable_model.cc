#include "fuzz/editable_model.h"

#include <cmath>
#include <limits>

namespace culprit::fuzz {
namespace {

constexpr int deepest = 8;

void collect(onnx::GraphProto* graph, int depth, std::vector<onnx::GraphProto*>& found) {
  found.push_back(graph);
  if (depth >= deepest) return;
  for (auto& node : *graph->mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) collect(attribute.mutable_g(), depth + 1, found);
      for (auto& inner : *attribute.mutable_graphs()) collect(&inner, depth + 1, found);
    }
  }
}

}  // namespace

std::vector<onnx::GraphProto*> EditableModel::graphs() const {
  std::vector<onnx::GraphProto*> found;
  collect(model.mutable_graph(), 0, found);
  return found;
}

onnx::GraphProto& EditableModel::graph() const {
  if (chance(0.6)) return *model.mutable_graph();
  return *one_of(graphs(), *this);
}

onnx::NodeProto* EditableModel::node() const {
  if (model.functions_size() > 0 && chance(0.3))
    return pick(pick(model.mutable_functions(), *this)->mutable_node(), *this);
  return pick(graph().mutable_node(), *this);
}

onnx::AttributeProto* EditableModel::attribute() const {
  constexpr int most_tries = 6;  // many nodes have none
  for (int i = 0; i < most_tries; ++i) {
    auto* const taken = node();
    if (taken != nullptr && taken->attribute_size() > 0) return pick(taken->mutable_attribute(), *this);
  }
  return nullptr;
}

onnx::TensorProto* EditableModel::tensor() const {
  auto& from = graph();
  if (from.initializer_size() > 0 && chance(0.8)) return pick(from.mutable_initializer(), *this);
  auto* const taken = attribute();
  if (taken != nullptr && taken->has_t()) return taken->mutable_t();
  return pick(model.mutable_graph()->mutable_initializer(), *this);
}

onnx::ValueInfoProto* EditableModel::value() const {
  auto& from = graph();
  auto* taken = pick(chance(0.5) ? from.mutable_input() : from.mutable_output(), *this);
  if (from.value_info_size() > 0 && chance(0.3)) taken = pick(from.mutable_value_info(), *this);
  return taken;
}

const onnx::GraphProto& EditableModel::borrowed() const { return one_of(seeds, *this).model.graph(); }

std::string EditableModel::name_in(const onnx::GraphProto& graph) const {
  std::vector<std::string> names{"nowhere"};
  for (const auto& input : graph.input()) names.push_back(input.name());
  for (const auto& initializer : graph.initializer()) names.push_back(initializer.name());
  for (const auto& node : graph.node()) names.insert(names.end(), node.output().begin(), node.output().end());
  return one_of(names, *this);
}

std::int64_t edge_number(const EditableModel& work) {
  using Limits64 = std::numeric_limits<std::int64_t>;
  using Limits32 = std::numeric_limits<std::int32_t>;
  static constexpr std::int64_t first_beyond_32 = INT64_C(1) << 32;
  return one_of(std::vector<std::int64_t>{0,
                                          1,
                                          -1,
                                          2,
                                          -2,
                                          3,
                                          5,
                                          127,
                                          255,
                                          65536,
                                          1000003,
                                          Limits32::max(),
                                          Limits32::min(),
                                          Limits32::max() + INT64_C(1),
                                          first_beyond_32,
                                          first_beyond_32 << 16,
                                          Limits64::max() / 4,
                                          Limits64::max() - 1,
                                          Limits64::max(),
                                          Limits64::min()},
                work);
}

float edge_float(const EditableModel& work) {
  using Limits = std::numeric_limits<float>;
  return one_of(
      std::vector<float>{0.0F, -0.0F, 1.0F, -1.0F, Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                         Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), 1e-30F, 1e30F},
      work);
}

std::string edge_name(const EditableModel& work) {
  constexpr std::size_t long_name = 70'000;
  switch (work.below(16)) {
    case 0:
      return "";
    case 1:
      return std::string(long_name, 'n');
    case 2:
      return "\xff\xfe\xc3(";  // not UTF-8
    case 3:
      return {"zero\0inside", 11};
    case 4:
      return "\x1b[31mred\x1b[0m\r\n\t\b";
    case 5:
      return "../../outside";
    case 6:
      return "--help";
    case 7:
      return "%s%n{}{0:>99999}";
    case 8:
      return "\"',<&>\\/|;$(id)`";
    case 9:
      return "\xf0\x9f\x98\x80\xe2\x80\xae\xcc\x81";  // beyond the first plane, right to left, a mark without a letter
    case 10:
      return " ";
    default:
      return work.name_in(work.model.graph());  // that of something else
  }
}

int edge_type(const EditableModel& work) {
  constexpr int last_known = 23;  // float4e2m1
  return work.chance(0.85) ? work.below(last_known + 1) : static_cast<int>(edge_number(work));
}

void make_type(onnx::TypeProto& type, const EditableModel& work, int depth) {
  const int kind = depth > 5 ? 0 : work.below(5);
  if (kind == 1) return make_type(*type.mutable_sequence_type()->mutable_elem_type(), work, depth + 1);
  if (kind == 2) return make_type(*type.mutable_optional_type()->mutable_elem_type(), work, depth + 1);
  if (kind == 3) {
    type.mutable_map_type()->set_key_type(edge_type(work));
    return make_type(*type.mutable_map_type()->mutable_value_type(), work, depth + 1);
  }
  onnx::TensorShapeProto* shape = nullptr;
  if (kind == 4) {
    type.mutable_sparse_tensor_type()->set_elem_type(edge_type(work));
    shape = type.mutable_sparse_tensor_type()->mutable_shape();
  } else {
    type.mutable_tensor_type()->set_elem_type(edge_type(work));
    shape = type.mutable_tensor_type()->mutable_shape();
  }
  for (int i = work.below(4); i > 0; --i) shape->add_dim()->set_dim_value(work.below(4));
}

}  // namespace culprit::fuzz
