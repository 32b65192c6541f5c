#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <climits>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "model/external_data.h"
#include "model/graph_walk.h"
#include "model/model.h"

namespace culprit {

Result<void> save_model(const onnx::ModelProto& model, const fs::path& path, Durability durability) {
  const std::size_t size = model.ByteSizeLong();
  if (size > INT_MAX) {
    return fail(ErrorKind::unsupported,
                fmt::format("{}: the model takes {}, but a model file cannot be larger than 2 GiB",
                            printable(path.string()), human_bytes(size)),
                "keep its weights as external data");
  }
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    if (!model.SerializeToCodedStream(&coded)) {
      return fail(ErrorKind::internal, fmt::format("{}: the model cannot be serialized", printable(path.string())));
    }
  }
  const std::string_view whole = bytes;
  return write_pieces_atomic(path, {&whole, 1}, durability);
}

Result<bool> fits_one_file(const Model& model) {
  return inlined_bytes(*model.proto, model.path.parent_path()).map([](std::uint64_t bytes) {
    return bytes <= INT_MAX;
  });
}

namespace {

constexpr std::size_t page_bytes = 4096;

/// Tells where external data lie now, one piece each, and how the model names them in one new file.
struct Layout {
  std::vector<MappedFile> mapped;  ///< hold what `pieces` see
  std::vector<std::string_view> pieces;
  std::uint64_t size = 0;
};

Result<void> add_piece(Layout& layout, onnx::TensorProto& tensor, const fs::path& folder, const std::string& location) {
  static const std::string zeros(page_bytes, '\0');
  const auto place = external_place(tensor, folder);
  if (!place) return tl::unexpected(place.error());
  auto mapped = MappedFile::open(place->file);
  if (!mapped) return tl::unexpected(mapped.error());
  const auto bytes = mapped->bytes();
  if (bytes.size() < place->offset + place->length)
    return fail(ErrorKind::io, printable(place->file.string()) + ": it is shorter than it was a moment ago");
  const std::uint64_t padding = (page_bytes - layout.size % page_bytes) % page_bytes;
  if (padding > 0) layout.pieces.emplace_back(zeros.data(), padding);
  const std::uint64_t offset = layout.size + padding;
  layout.pieces.emplace_back(reinterpret_cast<const char*>(bytes.data()) + place->offset, place->length);
  layout.size = offset + place->length;
  layout.mapped.push_back(std::move(*mapped));
  tensor.clear_external_data();
  const auto add = [&](const char* key, std::string value) {
    auto* entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(std::move(value));
  };
  add("location", location);
  add("offset", std::to_string(offset));
  add("length", std::to_string(place->length));
  return {};
}

}  // namespace

Result<void> save_with_data(const Model& model, const fs::path& path) {
  const fs::path data = path.string() + ".data";
  onnx::ModelProto copy = *model.proto;
  Layout layout;
  Result<void> done;
  for_each_tensor(copy, [&](const onnx::TensorProto& tensor) {
    if (!done || !is_external(tensor)) return;
    done =
        add_piece(layout, const_cast<onnx::TensorProto&>(tensor), model.path.parent_path(), data.filename().string());
  });
  if (done) done = write_pieces_atomic(data, layout.pieces, Durability::flushed);
  return done ? save_model(copy, path) : done;
}

Result<void> save_whole(const Model& model, const fs::path& path) {
  onnx::ModelProto whole = *model.proto;
  if (auto inlined = inline_external_data(whole, model.path.parent_path()); !inlined) return inlined;
  return save_model(whole, path);
}

}  // namespace culprit
