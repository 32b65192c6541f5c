// Any field of any message, by protobuf's reflection: also those that nobody thought of, and of versions to come.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <limits>

#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

namespace pb = google::protobuf;

/// A message somewhere in the model, by going down at random from the top.
pb::Message& somewhere(pb::Message& top, const EditableModel& work) {
  constexpr double stop_share = 0.15;
  pb::Message* at = &top;
  while (!work.chance(stop_share)) {
    const pb::Reflection& reflection = *at->GetReflection();
    std::vector<const pb::FieldDescriptor*> set, inner;
    reflection.ListFields(*at, &set);
    for (const auto* field : set)
      if (field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE) inner.push_back(field);
    if (inner.empty()) break;
    const auto* field = one_of(inner, work);
    at = field->is_repeated()
             ? reflection.MutableRepeatedMessage(at, field, work.below(reflection.FieldSize(*at, field)))
             : reflection.MutableMessage(at, field);
  }
  return *at;
}

const pb::FieldDescriptor* field_that_is_set(const pb::Message& message, const EditableModel& work) {
  std::vector<const pb::FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  return set.empty() ? nullptr : one_of(set, work);
}

const pb::FieldDescriptor* any_field(const pb::Message& message, const EditableModel& work) {
  const auto& descriptor = *message.GetDescriptor();
  return descriptor.field_count() == 0 ? nullptr : descriptor.field(work.below(descriptor.field_count()));
}

void set_single(pb::Message& message, const pb::FieldDescriptor* field, const EditableModel& work) {
  const pb::Reflection& reflection = *message.GetReflection();
  switch (field->cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return reflection.SetInt32(&message, field, static_cast<std::int32_t>(edge_number(work)));
    case pb::FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(&message, field, edge_number(work));
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      return reflection.SetUInt64(&message, field, static_cast<std::uint64_t>(edge_number(work)));
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.SetFloat(&message, field, edge_float(work));
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(
          &message, field, field->enum_type()->value(work.below(field->enum_type()->value_count()))->number());
    case pb::FieldDescriptor::CPPTYPE_STRING:
      return reflection.SetString(&message, field, edge_name(work));
    case pb::FieldDescriptor::CPPTYPE_MESSAGE:
      reflection.MutableMessage(&message, field);  // there, and empty
      return;
    default:
      return;
  }
}

void add_one(pb::Message& message, const pb::FieldDescriptor* field, const EditableModel& work) {
  const pb::Reflection& reflection = *message.GetReflection();
  switch (field->cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return reflection.AddInt32(&message, field, static_cast<std::int32_t>(edge_number(work)));
    case pb::FieldDescriptor::CPPTYPE_INT64:
      return reflection.AddInt64(&message, field, edge_number(work));
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      return reflection.AddUInt64(&message, field, static_cast<std::uint64_t>(edge_number(work)));
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.AddFloat(&message, field, edge_float(work));
    case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.AddDouble(&message, field, static_cast<double>(edge_float(work)));
    case pb::FieldDescriptor::CPPTYPE_STRING:
      return reflection.AddString(&message, field, edge_name(work));
    case pb::FieldDescriptor::CPPTYPE_MESSAGE:
      reflection.AddMessage(&message, field);
      return;
    default:
      return;
  }
}

bool clear(const EditableModel& work) {
  auto& message = somewhere(work.model, work);
  const auto* field = field_that_is_set(message, work);
  if (field == nullptr) return false;
  message.GetReflection()->ClearField(&message, field);
  return true;
}

bool set(const EditableModel& work) {
  auto& message = somewhere(work.model, work);
  const auto* field = any_field(message, work);
  if (field == nullptr) return false;
  field->is_repeated() ? add_one(message, field, work) : set_single(message, field, work);
  return true;
}

bool shuffle(const EditableModel& work) {
  auto& message = somewhere(work.model, work);
  const auto* field = field_that_is_set(message, work);
  if (field == nullptr || !field->is_repeated()) return false;
  const pb::Reflection& reflection = *message.GetReflection();
  const int size = reflection.FieldSize(message, field);
  reflection.SwapElements(&message, field, work.below(size), work.below(size));
  if (work.chance(0.3)) reflection.RemoveLast(&message, field);
  return true;
}

/// A message that stands elsewhere, in this model or another, in the place of one of its kind.
bool transplant(const EditableModel& work) {
  constexpr int most_tries = 40;
  auto& target = somewhere(work.model, work);
  if (&target == &work.model) return false;
  onnx::ModelProto donor = one_of(work.seeds, work).model;
  for (int i = 0; i < most_tries; ++i) {
    const auto& source = somewhere(donor, work);
    if (source.GetDescriptor() != target.GetDescriptor()) continue;
    target.CopyFrom(source);
    return true;
  }
  return false;
}

/// Fields of a format that nobody knows.
bool add_unknown(const EditableModel& work) {
  constexpr int last_number = 536'870'911;
  auto& message = somewhere(work.model, work);
  auto* unknown = message.GetReflection()->MutableUnknownFields(&message);
  unknown->AddVarint(work.chance(0.5) ? 99 : last_number, std::numeric_limits<std::uint64_t>::max());
  unknown->AddLengthDelimited(100, edge_name(work));
  return true;
}

}  // namespace

std::vector<Mutation> field_mutations() {
  return {{"any field cleared", clear},
          {"any field at an edge", set},
          {"any field at an edge", set},
          {"any field reordered", shuffle},
          {"any message from elsewhere", transplant},
          {"unknown fields", add_unknown}};
}

}  // namespace culprit::fuzz
