#include "twin/weights_in_file.h"

#include <onnx/onnx_pb.h>

#include <string_view>
#include <vector>

#include "base/file.h"

namespace culprit {
namespace {

constexpr std::size_t alignment = 64, smallest = 1024;  // bytes

void set_entry(onnx::TensorProto& tensor, const char* key, const std::string& value) {
  auto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

/// Everything but the bytes.
void name_place(onnx::TensorProto& copy, const onnx::TensorProto& tensor, const std::string& file, std::size_t offset) {
  copy.set_name(tensor.name());
  copy.set_data_type(tensor.data_type());
  *copy.mutable_dims() = tensor.dims();
  copy.set_data_location(onnx::TensorProto::EXTERNAL);
  set_entry(copy, "location", file);
  set_entry(copy, "offset", std::to_string(offset));
  set_entry(copy, "length", std::to_string(tensor.raw_data().size()));
}

}  // namespace

Result<onnx::ModelProto> with_weights_in_file(onnx::ModelProto& model, const fs::path& file) {
  static constexpr std::string_view padding = "................................................................";
  google::protobuf::RepeatedPtrField<onnx::TensorProto> tensors;
  tensors.Swap(model.mutable_graph()->mutable_initializer());
  onnx::ModelProto copy = model;
  tensors.Swap(model.mutable_graph()->mutable_initializer());

  std::vector<std::string_view> pieces;
  std::size_t offset = 0;
  for (const auto& tensor : model.graph().initializer()) {
    const std::string_view bytes = tensor.raw_data();
    if (bytes.size() < smallest) {
      *copy.mutable_graph()->add_initializer() = tensor;
      continue;
    }
    name_place(*copy.mutable_graph()->add_initializer(), tensor, file.filename(), offset);
    const std::size_t rest = (alignment - bytes.size() % alignment) % alignment;
    pieces.push_back(bytes);
    pieces.push_back(padding.substr(0, rest));
    offset += bytes.size() + rest;
  }
  if (auto written = write_pieces_atomic(file, pieces, Durability::buffered); !written) {
    return tl::unexpected(written.error());
  }
  return copy;
}

}  // namespace culprit
