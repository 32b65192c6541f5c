#include <onnx/onnx-data.pb.h>

#include <limits>

#include "base/file.h"
#include "base/text.h"
#include "tensor/read_value_proto.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using Kind = Value::Kind;

/// Elements `i` to `i + 1` of a tensor of one dimension.
Tensor element(const Tensor& tensor, std::int64_t i) {
  const auto at = static_cast<std::size_t>(i);
  if (tensor.dtype() == DType::string) return Tensor::from_strings({1}, {tensor.strings()[at]}).value();
  const std::size_t size = tensor.bytes().size() / static_cast<std::size_t>(tensor.count());
  const auto bytes = tensor.bytes().subspan(at * size, size);
  return Tensor::from_bytes(tensor.dtype(), {1}, {bytes.begin(), bytes.end()}).value();
}

onnx::MapProto map_of(const std::string& name, const Value& value) {
  onnx::MapProto proto;
  proto.set_name(name);
  proto.set_key_type(static_cast<std::int32_t>(value.keys.dtype()));
  for (const std::string& key : value.keys.strings()) proto.add_string_keys(key);
  if (value.keys.dtype() == DType::i64)
    for (const std::int64_t key : value.keys.as<std::int64_t>()) proto.add_keys(key);
  auto& values = *proto.mutable_values();
  values.set_elem_type(onnx::SequenceProto::TENSOR);
  for (std::int64_t i = 0; i < value.values.count(); ++i)
    *values.add_tensor_values() = to_proto(element(value.values, i), "");
  return proto;
}

onnx::SequenceProto sequence_of(const std::string& name, const Value& value) {
  onnx::SequenceProto proto;
  proto.set_name(name);
  const bool of_maps = !value.items.empty() && value.items.front().kind == Kind::map;
  proto.set_elem_type(of_maps ? onnx::SequenceProto::MAP : onnx::SequenceProto::TENSOR);
  for (const Value& item : value.items) {
    if (item.kind == Kind::map) {
      *proto.add_map_values() = map_of("", item);
    } else {
      *proto.add_tensor_values() = to_proto(item.tensor, "");
    }
  }
  return proto;
}

onnx::OptionalProto optional_of(const std::string& name, const Value& value) {
  onnx::OptionalProto proto;
  proto.set_name(name);
  if (value.items.empty()) return proto;
  const Value& inside = value.items.front();
  if (inside.kind == Kind::sequence) {
    proto.set_elem_type(onnx::OptionalProto::SEQUENCE);
    *proto.mutable_sequence_value() = sequence_of("", inside);
  } else if (inside.kind == Kind::map) {
    proto.set_elem_type(onnx::OptionalProto::MAP);
    *proto.mutable_map_value() = map_of("", inside);
  } else {
    proto.set_elem_type(onnx::OptionalProto::TENSOR);
    *proto.mutable_tensor_value() = to_proto(inside.tensor, "");
  }
  return proto;
}

}  // namespace

std::string value_proto_bytes(const std::string& name, const Value& value) {
  switch (value.kind) {
    case Kind::tensor:
      return to_proto(value.tensor, name).SerializeAsString();
    case Kind::map:
      return map_of(name, value).SerializeAsString();
    case Kind::sequence:
      return sequence_of(name, value).SerializeAsString();
    case Kind::optional:
      return optional_of(name, value).SerializeAsString();
  }
  return "";
}

Result<void> write_value_proto(const std::filesystem::path& path, const std::string& name, const Value& value) {
  if (value.kind == Kind::tensor) return write_tensor_proto(path, {name, value.tensor});
  const std::string bytes = value_proto_bytes(name, value);
  if (bytes.size() > largest_message) {
    return fail(ErrorKind::unsupported, "cannot write " + printable(path.native()) + ": " + human_bytes(bytes.size()) +
                                            " are more than a .pb file can hold");
  }
  return write_file_atomic(path, bytes);
}

}  // namespace culprit
