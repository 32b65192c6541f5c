#include "tensor/tensor_proto.h"

#include <onnx/onnx_pb.h>

#include <cstring>
#include <limits>
#include <string>

#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

/// One value of a typed field, kept to the element's width: what is wider is cut off, as the runtime does.
template <class Out, class Field>
std::vector<std::byte> narrowed(const Field& field) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(field.size()) * sizeof(Out));
  std::size_t at = 0;
  for (const auto value : field) {
    const auto element = static_cast<Out>(value);
    std::memcpy(bytes.data() + at, &element, sizeof(Out));
    at += sizeof(Out);
  }
  return bytes;
}

std::vector<std::byte> truth_values(const onnx::TensorProto& proto) {
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(proto.int32_data_size()));
  for (const auto value : proto.int32_data()) bytes.push_back(static_cast<std::byte>(value != 0 ? 1 : 0));
  return bytes;
}

/// Elements out of the field in which onnx.proto keeps this type; two values make a complex number, one makes two
/// nibbles.
std::vector<std::byte> from_typed_field(const onnx::TensorProto& proto, DType type) {
  switch (type) {
    case DType::f32:
    case DType::c64:
      return narrowed<float>(proto.float_data());
    case DType::f64:
    case DType::c128:
      return narrowed<double>(proto.double_data());
    case DType::i64:
      return narrowed<std::int64_t>(proto.int64_data());
    case DType::u64:
      return narrowed<std::uint64_t>(proto.uint64_data());
    case DType::u32:
      return narrowed<std::uint32_t>(proto.uint64_data());
    case DType::i32:
      return narrowed<std::int32_t>(proto.int32_data());
    case DType::boolean:
      return truth_values(proto);
    default:
      break;
  }
  if (bits_of(type) == 16) return narrowed<std::uint16_t>(proto.int32_data());
  return narrowed<std::uint8_t>(proto.int32_data());
}

std::vector<std::byte> from_raw(const std::string& raw) {
  const auto* first = reinterpret_cast<const std::byte*>(raw.data());
  return {first, first + raw.size()};
}

bool uses_typed_field(const onnx::TensorProto& proto) {
  return proto.float_data_size() + proto.int32_data_size() + proto.string_data_size() + proto.int64_data_size() +
             proto.double_data_size() + proto.uint64_data_size() >
         0;
}

/// "the tensor "W"": whom a message is about.
std::string named(const onnx::TensorProto& proto) {
  return proto.name().empty() ? "a tensor without a name" : "the tensor \"" + printable(proto.name(), 200) + "\"";
}

Result<DType> stored_type(const onnx::TensorProto& proto) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0) {
    return fail(ErrorKind::unsupported, named(proto) + " keeps its elements in another file",
                "load it as part of its model, which knows the folder");
  }
  if (proto.has_segment()) return fail(ErrorKind::unsupported, named(proto) + " is stored in segments");
  const auto type = dtype_from_onnx(proto.data_type());
  if (type) return *type;
  if (proto.data_type() == 0) return fail(ErrorKind::bad_input, named(proto) + " does not say its element type");
  return fail(ErrorKind::unsupported, named(proto) + " has element type number " + std::to_string(proto.data_type()) +
                                          ", which this version does not know");
}

Result<Tensor> elements(const onnx::TensorProto& proto, DType type, Shape shape) {
  if (proto.has_raw_data() && uses_typed_field(proto)) {
    return fail(ErrorKind::bad_input, "it has its elements twice, in raw_data and in a typed field");
  }
  if (type == DType::string) {
    if (proto.has_raw_data())
      return fail(ErrorKind::bad_input, "it has strings in raw_data, where they cannot be told apart");
    return Tensor::from_strings(std::move(shape), {proto.string_data().begin(), proto.string_data().end()});
  }
  return Tensor::from_bytes(type, std::move(shape),
                            proto.has_raw_data() ? from_raw(proto.raw_data()) : from_typed_field(proto, type));
}

}  // namespace

Result<Tensor> from_proto(const onnx::TensorProto& proto) {
  auto type = stored_type(proto);
  if (!type) return tl::unexpected(type.error());
  auto tensor = elements(proto, *type, Shape(proto.dims().begin(), proto.dims().end()));
  if (tensor) return tensor;
  return fail(tensor.error().kind, named(proto) + " is broken: " + tensor.error().message, tensor.error().hint);
}

onnx::TensorProto to_proto(const Tensor& tensor, const std::string& name) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(static_cast<std::int32_t>(tensor.dtype()));
  for (const auto dim : tensor.shape()) proto.add_dims(dim);
  if (tensor.dtype() == DType::string) {
    for (const auto& text : tensor.strings()) proto.add_string_data(text);
  } else {
    proto.set_raw_data(tensor.bytes().data(), tensor.bytes().size());
  }
  return proto;
}

Result<NamedTensor> read_tensor_proto(const std::filesystem::path& path) {
  auto bytes = read_file(path, largest_message);
  if (!bytes) return tl::unexpected(bytes.error());
  onnx::TensorProto proto;
  if (!proto.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) {
    return fail(ErrorKind::bad_input,
                printable(path.native()) + " is not an ONNX tensor (" + human_bytes(bytes->size()) + ")",
                "give a .pb file with one TensorProto, as in test_data_set folders");
  }
  auto tensor = from_proto(proto);
  if (tensor) return NamedTensor{proto.name(), std::move(*tensor)};
  return fail(tensor.error().kind, printable(path.native()) + ": " + tensor.error().message, tensor.error().hint);
}

Result<void> write_tensor_proto(const std::filesystem::path& path, const NamedTensor& tensor) {
  const onnx::TensorProto proto = to_proto(tensor.value, tensor.name);
  if (proto.ByteSizeLong() > largest_message) {
    return fail(ErrorKind::unsupported,
                "cannot write " + printable(path.native()) + ": " + human_bytes(proto.ByteSizeLong()) +
                    " are more than a .pb file can hold",
                "write it as .npy");
  }
  return write_file_atomic(path, proto.SerializeAsString());
}

}  // namespace culprit
