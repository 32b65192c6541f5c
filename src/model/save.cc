#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <climits>

#include "base/file.h"
#include "base/text.h"
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

Result<void> save_whole(const Model& model, const fs::path& path) {
  onnx::ModelProto whole = *model.proto;
  if (auto inlined = inline_external_data(whole, model.path.parent_path()); !inlined) return inlined;
  return save_model(whole, path);
}

}  // namespace culprit
