#include "app/weight_files.h"

#include <onnx/onnx_pb.h>

#include "base/parent_folder.h"
#include "model/external_data.h"
#include "model/model.h"

namespace culprit {

std::vector<std::filesystem::path> weight_files_of(const std::filesystem::path& model) {
  if (model.extension() != ".onnx") return {};
  const auto proto = load_proto(model);
  if (!proto) return {};
  const auto files = external_files(*proto, parent_folder(model));
  return {files.begin(), files.end()};
}

std::vector<std::string> weight_names_of(const std::filesystem::path& model) {
  const auto proto = load_proto(model);
  if (!proto) return {};
  const auto names = external_names(*proto);
  return {names.begin(), names.end()};
}

}  // namespace culprit
