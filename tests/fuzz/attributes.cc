// Attributes of nodes.
#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

bool change_kind(const EditableModel& work) {
  auto* attribute = work.attribute();
  if (attribute == nullptr) return false;
  constexpr int attribute_kinds = 15;
  attribute->set_type(static_cast<onnx::AttributeProto::AttributeType>(work.below(attribute_kinds)));
  return true;
}

bool change_value(const EditableModel& work) {
  auto* attribute = work.attribute();
  if (attribute == nullptr) return false;
  if (auto* number = pick(attribute->mutable_ints(), work)) {
    *number = edge_number(work);
  } else if (auto* real = pick(attribute->mutable_floats(), work)) {
    *real = edge_float(work);
  } else if (auto* word = pick(attribute->mutable_strings(), work)) {
    *word = edge_name(work);
  } else if (attribute->has_i()) {
    attribute->set_i(edge_number(work));
  } else if (attribute->has_f()) {
    attribute->set_f(edge_float(work));
  } else if (attribute->has_s()) {
    attribute->set_s(edge_name(work));
  } else {
    return false;
  }
  return true;
}

bool change_length(const EditableModel& work) {
  auto* attribute = work.attribute();
  if (attribute == nullptr) return false;
  auto& ints = *attribute->mutable_ints();
  if (!ints.empty() && work.chance(0.5)) {
    ints.Truncate(work.below(ints.size()));
  } else {
    for (int i = work.chance(0.1) ? 100'000 : 1; i > 0; --i) ints.Add(work.chance(0.5) ? 1 : edge_number(work));
  }
  return true;
}

bool drop(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr || node->attribute().empty()) return false;
  node->mutable_attribute()->DeleteSubrange(work.below(node->attribute_size()), 1);
  return true;
}

bool duplicate(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr || node->attribute().empty()) return false;
  const onnx::AttributeProto copy = node->attribute(work.below(node->attribute_size()));
  *node->add_attribute() = copy;
  return true;
}

bool borrow(const EditableModel& work) {
  auto* node = work.node();
  const auto& other = work.borrowed();
  if (node == nullptr || other.node().empty()) return false;
  const auto& from = other.node(work.below(other.node_size()));
  if (from.attribute().empty()) return false;
  *node->add_attribute() = from.attribute(work.below(from.attribute_size()));
  return true;
}

bool refer(const EditableModel& work) {
  auto* attribute = work.attribute();
  if (attribute == nullptr) return false;
  attribute->set_ref_attr_name(work.chance(0.5) ? "alpha" : edge_name(work));
  return true;
}

bool rename(const EditableModel& work) {
  static const std::vector<std::string> known{"axis",  "axes",        "perm", "to",      "pads",
                                              "value", "then_branch", "body", "keepdims"};
  auto* attribute = work.attribute();
  if (attribute == nullptr) return false;
  attribute->set_name(work.chance(0.7) ? one_of(known, work) : edge_name(work));
  return true;
}

/// A sparse tensor, a type or a tensor where something else is expected.
bool change_content(const EditableModel& work) {
  auto* attribute = work.attribute();
  if (attribute == nullptr) return false;
  switch (work.below(3)) {
    case 0:
      attribute->mutable_t()->set_data_type(edge_type(work));
      attribute->mutable_t()->add_dims(edge_number(work));
      attribute->set_type(onnx::AttributeProto::TENSOR);
      break;
    case 1:
      attribute->mutable_sparse_tensor()->add_dims(edge_number(work));
      attribute->mutable_sparse_tensor()->mutable_indices()->set_data_type(edge_type(work));
      attribute->set_type(onnx::AttributeProto::SPARSE_TENSOR);
      break;
    default:
      make_type(*attribute->mutable_tp(), work);
      attribute->set_type(onnx::AttributeProto::TYPE_PROTO);
  }
  return true;
}

}  // namespace

std::vector<Mutation> attribute_mutations() {
  return {{"attribute of another kind", change_kind},
          {"attribute at an edge", change_value},
          {"attribute longer or shorter", change_length},
          {"attribute dropped", drop},
          {"attribute twice", duplicate},
          {"attribute of another node", borrow},
          {"attribute refers", refer},
          {"attribute renamed", rename},
          {"attribute with other content", change_content}};
}

}  // namespace culprit::fuzz
