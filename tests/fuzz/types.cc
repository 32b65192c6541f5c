// What a model says of its inputs, outputs and inner values.
#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

onnx::TensorShapeProto* shape_of(onnx::ValueInfoProto* value) {
  if (value == nullptr || !value->type().has_tensor_type()) return nullptr;
  return value->mutable_type()->mutable_tensor_type()->mutable_shape();
}

bool retype(const EditableModel& work) {
  auto* value = work.value();
  if (value == nullptr) return false;
  value->mutable_type()->mutable_tensor_type()->set_elem_type(edge_type(work));
  return true;
}

bool change_dim(const EditableModel& work) {
  auto* shape = shape_of(work.value());
  auto* dim = shape == nullptr ? nullptr : pick(shape->mutable_dim(), work);
  if (dim == nullptr) return false;
  dim->set_dim_value(edge_number(work));
  return true;
}

/// What a file says of its inputs is what samples are made for: more elements than any machine holds, than 64 bits
/// count, or just more than the limits of the run.
bool make_huge(const EditableModel& work) {
  constexpr std::int64_t one = 1;
  auto* input = pick(work.model.mutable_graph()->mutable_input(), work);
  auto* shape = shape_of(input);
  if (shape == nullptr) return false;
  if (shape->dim_size() == 0) shape->add_dim();
  for (int i = work.chance(0.5) ? 1 : 3; i > 0; --i)
    pick(shape->mutable_dim(), work)->set_dim_value(one << one_of(std::vector<int>{20, 26, 29, 31, 32, 40, 62}, work));
  return true;
}

bool make_symbolic(const EditableModel& work) {
  auto* shape = shape_of(work.value());
  if (shape == nullptr) return false;
  for (auto& dim : *shape->mutable_dim()) {
    if (work.chance(0.5)) continue;
    if (work.chance(0.2)) {
      dim.clear_value();
    } else {
      dim.set_dim_param(work.chance(0.6) ? "N" : work.chance(0.5) ? "N + 1" : edge_name(work));
    }
  }
  return true;
}

bool change_rank(const EditableModel& work) {
  auto* shape = shape_of(work.value());
  if (shape == nullptr) return false;
  if (shape->dim_size() > 0 && work.chance(0.5)) {
    shape->mutable_dim()->RemoveLast();
  } else {
    for (int i = work.chance(0.1) ? 2000 : 1; i > 0; --i)
      shape->add_dim()->set_dim_value(work.chance(0.7) ? 1 : edge_number(work));
  }
  return true;
}

bool forget_shape(const EditableModel& work) {
  auto* value = work.value();
  if (value == nullptr || !value->type().has_tensor_type()) return false;
  value->mutable_type()->mutable_tensor_type()->clear_shape();
  return true;
}

bool forget_type(const EditableModel& work) {
  auto* value = work.value();
  if (value == nullptr) return false;
  work.chance(0.5) ? value->clear_type() : value->mutable_type()->clear_value();
  return true;
}

bool make_container(const EditableModel& work) {
  auto* value = work.value();
  if (value == nullptr) return false;
  value->clear_type();
  make_type(*value->mutable_type(), work);
  return true;
}

/// A type for an inner value that the model says nothing of, most often a wrong one.
bool invent_value_info(const EditableModel& work) {
  auto& graph = work.graph();
  auto* value = graph.add_value_info();
  value->set_name(work.name_in(graph));
  make_type(*value->mutable_type(), work);
  return true;
}

bool duplicate_value(const EditableModel& work) {
  auto& graph = work.graph();
  auto* values = work.chance(0.5) ? graph.mutable_input() : graph.mutable_output();
  if (values->empty()) return false;
  const onnx::ValueInfoProto copy = values->Get(work.below(values->size()));
  *values->Add() = copy;
  return true;
}

bool drop_value(const EditableModel& work) {
  auto& graph = work.graph();
  auto* values = work.chance(0.5) ? graph.mutable_input() : graph.mutable_output();
  if (values->empty()) return false;
  values->DeleteSubrange(work.below(values->size()), 1);
  return true;
}

/// Any value of the graph as one more input or output: an inner value, a weight, one that is both.
bool expose(const EditableModel& work) {
  auto& graph = work.graph();
  auto* value = work.chance(0.4) ? graph.add_input() : graph.add_output();
  value->set_name(work.name_in(graph));
  if (work.chance(0.7)) make_type(*value->mutable_type(), work);
  return true;
}

bool rename(const EditableModel& work) {
  auto* value = work.value();
  if (value == nullptr) return false;
  value->set_name(edge_name(work));
  return true;
}

bool denote(const EditableModel& work) {
  auto* value = work.value();
  if (value == nullptr) return false;
  value->mutable_type()->set_denotation(edge_name(work));
  if (auto* shape = shape_of(value); shape != nullptr && shape->dim_size() > 0)
    shape->mutable_dim(0)->set_denotation(edge_name(work));
  return true;
}

/// One name, everywhere: nothing breaks but those who print it, make a file of it or pass it on as C text.
bool rename_everywhere(const EditableModel& work) {
  auto& graph = *work.model.mutable_graph();
  const std::string from = work.name_in(graph), to = edge_name(work);
  const auto replace = [&](auto& names) {
    for (auto& name : names)
      if (name == from) name = to;
  };
  for (auto& node : *graph.mutable_node()) {
    replace(*node.mutable_input());
    replace(*node.mutable_output());
  }
  for (auto* values : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()})
    for (auto& value : *values)
      if (value.name() == from) value.set_name(to);
  for (auto& initializer : *graph.mutable_initializer())
    if (initializer.name() == from) initializer.set_name(to);
  return true;
}

}  // namespace

std::vector<Mutation> type_mutations() {
  return {{"value of another type", retype},
          {"dimension at an edge", change_dim},
          {"input of huge size", make_huge},
          {"dimensions symbolic", make_symbolic},
          {"other rank", change_rank},
          {"shape forgotten", forget_shape},
          {"type forgotten", forget_type},
          {"sequence, map, optional, sparse", make_container},
          {"value_info invented", invent_value_info},
          {"input or output twice", duplicate_value},
          {"input or output dropped", drop_value},
          {"value exposed", expose},
          {"value renamed", rename},
          {"denotations", denote},
          {"value renamed everywhere", rename_everywhere}};
}

}  // namespace culprit::fuzz
