#include "model/placed_weights.h"

#include <onnx/onnx_pb.h>

#include <string_view>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "model/content_hash.h"
#include "model/external_data.h"
#include "model/graph_walk.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr std::string_view weights_folder_name = "weights";

std::string_view location_of(const onnx::TensorProto& tensor) {
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") return entry.value();
  }
  return {};
}

/// Bytes that the elements of a large tensor take; 0 for what stays where it is.
std::uint64_t large_bytes(const onnx::TensorProto& tensor) {
  const auto dtype = dtype_from_onnx(tensor.data_type());
  if (!dtype || is_external(tensor) || tensor.has_segment() || *dtype == DType::boolean || bits_of(*dtype) < 8)
    return 0;
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  const std::uint64_t bytes = count ? bytes_for(*dtype, *count) : 0;
  if (tensor.has_raw_data() && tensor.raw_data().size() != bytes) return 0;  // damaged: let the others see it
  return bytes >= placed_tensor_bytes ? bytes : 0;
}

void place_one(onnx::TensorProto& tensor, Stored which, Weights& weights) {
  const std::uint64_t bytes = large_bytes(tensor);
  if (bytes == 0) return;
  if (!tensor.has_raw_data() && which == Stored::raw) return;
  const Hash128 content = content_hash(tensor);
  std::string elements;
  if (tensor.has_raw_data()) {
    elements = std::move(*tensor.mutable_raw_data());
  } else {
    const auto read = from_proto(tensor);
    if (!read || read->bytes().size() != bytes) return;
    elements.assign(reinterpret_cast<const char*>(read->bytes().data()), bytes);
  }
  weights.try_emplace(content, std::move(elements));
  place(tensor, content, bytes);
}

Result<void> make_weights_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorKind::io, "cannot make the folder " + folder.string() + ": " + error.message());
  return {};
}

Result<void> link_one(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::exists(to, error)) return {};
  if (auto made = make_weights_folder(to.parent_path()); !made) return made;
  fs::create_hard_link(from, to, error);
  if (!error) return {};
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return fail(ErrorKind::io, "cannot copy " + from.string() + " to " + to.string() + ": " + error.message());
  return {};
}

}  // namespace

std::optional<Hash128> placed_content(const onnx::TensorProto& tensor) {
  const std::string_view location = is_external(tensor) ? location_of(tensor) : std::string_view();
  if (!location.starts_with(weights_folder_name) || location.size() <= weights_folder_name.size() ||
      location[weights_folder_name.size()] != '/')
    return std::nullopt;
  const auto content = Hash128::from_hex(location.substr(weights_folder_name.size() + 1));
  return content ? std::optional(*content) : std::nullopt;
}

void place(onnx::TensorProto& tensor, const Hash128& content, std::uint64_t bytes) {
  onnx::TensorProto placed;
  placed.set_name(tensor.name());
  placed.set_data_type(tensor.data_type());
  *placed.mutable_dims() = tensor.dims();
  if (tensor.has_doc_string()) placed.set_doc_string(tensor.doc_string());
  *placed.mutable_metadata_props() = tensor.metadata_props();
  placed.set_data_location(onnx::TensorProto::EXTERNAL);
  const auto add = [&](const char* key, std::string value) {
    auto* entry = placed.add_external_data();
    entry->set_key(key);
    entry->set_value(std::move(value));
  };
  add("location", std::string(weights_folder_name) + "/" + content.hex());
  add("length", std::to_string(bytes));
  tensor = std::move(placed);
}

void place_weights(onnx::ModelProto& model, Stored which, Weights& weights) {
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    // The walk is over `model`, which is ours to change; it hands out const because most of its callers only look.
    auto& ours = const_cast<onnx::GraphProto&>(graph);
    for (auto& tensor : *ours.mutable_initializer()) place_one(tensor, which, weights);
  });
}

std::uint64_t placeable_bytes(const onnx::ModelProto& model) {
  std::uint64_t bytes = 0;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) bytes += large_bytes(tensor);
  });
  return bytes;
}

Result<void> write_weights(const Weights& weights, const fs::path& folder) {
  if (weights.empty()) return {};
  if (auto made = make_weights_folder(folder / weights_folder_name); !made) return made;
  for (const auto& [content, bytes] : weights) {
    const fs::path file = folder / weights_folder_name / content.hex();
    std::error_code ignored;
    if (fs::exists(file, ignored)) continue;
    const std::string_view whole = bytes;
    if (auto written = write_pieces_atomic(file, {&whole, 1}, Durability::buffered); !written) return written;
  }
  return {};
}

Result<void> link_weights(const onnx::ModelProto& model, const fs::path& from, const fs::path& to) {
  Result<void> done;
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    const auto content = placed_content(tensor);
    if (!done || !content) return;
    done = link_one(from / weights_folder_name / content->hex(), to / weights_folder_name / content->hex());
  });
  return done;
}

}  // namespace culprit
