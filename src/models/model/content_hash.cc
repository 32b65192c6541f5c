#include "model/content_hash.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include <span>
#include <vector>

#include "model/placed_weights.h"
#include "tensor/tensor.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr std::size_t hashed_at_once = std::size_t{64} << 20;  // bytes serialized in one piece

enum class How : std::int64_t { elements, strings, as_written };

std::span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// raw_data that need no conversion: whole bytes of any value. Saves the copy that from_proto makes.
bool is_plain_raw(const onnx::TensorProto& tensor, DType dtype) {
  if (!tensor.has_raw_data() || dtype == DType::boolean || bits_of(dtype) < 8) return false;
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  return count && tensor.raw_data().size() == bytes_for(dtype, *count);
}

void add_head(Hasher& hasher, How how, const onnx::TensorProto& tensor) {
  hasher.add(static_cast<std::int64_t>(how))
      .add(std::int64_t{tensor.data_type()})
      .add(std::int64_t{tensor.dims_size()});
  for (const auto dim : tensor.dims()) hasher.add(std::int64_t{dim});
}

void add_as_written(Hasher& hasher, const onnx::TensorProto& tensor) {
  onnx::TensorProto copy = tensor;
  copy.clear_name();
  copy.clear_doc_string();
  copy.clear_metadata_props();
  add_message(hasher, copy);
}

void add_serialized(Hasher& hasher, const google::protobuf::Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  hasher.add(std::string_view(bytes));
}

void add_field(Hasher& hasher, const google::protobuf::Message& message,
               const google::protobuf::FieldDescriptor& field) {
  using google::protobuf::FieldDescriptor;
  const auto& reflection = *message.GetReflection();
  const int count = field.is_repeated() ? reflection.FieldSize(message, &field) : 1;
  hasher.add(std::int64_t{field.number()}).add(std::int64_t{count});
  for (int i = 0; i < count; ++i) {
    std::string scratch;
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      add_message(hasher, field.is_repeated() ? reflection.GetRepeatedMessage(message, &field, i)
                                              : reflection.GetMessage(message, &field));
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      hasher.add(std::string_view(field.is_repeated()
                                      ? reflection.GetRepeatedStringReference(message, &field, i, &scratch)
                                      : reflection.GetStringReference(message, &field, &scratch)));
    } else {
      google::protobuf::TextFormat::PrintFieldValueToString(message, &field, field.is_repeated() ? i : -1, &scratch);
      hasher.add(std::string_view(scratch));
    }
  }
}

}  // namespace

void add_message(Hasher& hasher, const google::protobuf::Message& message) {
  if (message.ByteSizeLong() <= hashed_at_once) {
    add_serialized(hasher, message);
    return;
  }
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  hasher.add(static_cast<std::int64_t>(fields.size()));
  for (const auto* field : fields) add_field(hasher, message, *field);
}

Hash128 content_hash(const onnx::TensorProto& tensor) {
  if (const auto placed = placed_content(tensor)) return *placed;
  Hasher hasher;
  const bool is_inside = tensor.data_location() != onnx::TensorProto::EXTERNAL && !tensor.has_segment();
  const auto dtype = dtype_from_onnx(tensor.data_type());
  if (is_inside && dtype && is_plain_raw(tensor, *dtype)) {
    add_head(hasher, How::elements, tensor);
    return hasher.add(bytes_of(tensor.raw_data())).finish();
  }
  const auto read = is_inside && dtype ? from_proto(tensor) : fail(ErrorKind::unsupported, "");
  if (!read) {
    hasher.add(static_cast<std::int64_t>(How::as_written));
    add_as_written(hasher, tensor);
    return hasher.finish();
  }
  if (read->dtype() != DType::string) {
    add_head(hasher, How::elements, tensor);
    return hasher.add(read->bytes()).finish();
  }
  add_head(hasher, How::strings, tensor);
  for (const auto& text : read->strings()) hasher.add(std::string_view(text));
  return hasher.finish();
}

}  // namespace culprit
