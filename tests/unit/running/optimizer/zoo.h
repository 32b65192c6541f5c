#pragma once
// Real models, where they are present: $CULPRIT_ZOO, or the folder shared/zoo beside the sources.

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace culprit {

inline std::filesystem::path zoo_folder() {
  if (const char* folder = std::getenv("CULPRIT_ZOO"); folder != nullptr)
    return std::filesystem::path(folder) / "models";
  const auto source = std::filesystem::path(CULPRIT_SOURCE);
  return std::filesystem::absolute(source / "../shared/zoo/models").lexically_normal();
}

inline std::vector<std::filesystem::path> zoo_models() {
  std::vector<std::filesystem::path> models;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(zoo_folder(), none)) {
    if (entry.path().extension() == ".onnx") models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  return models;
}

inline onnx::ModelProto read_zoo_model(const std::filesystem::path& path) {
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  model.ParseFromIstream(&file);
  return model;
}

}  // namespace culprit
