#pragma once
// The folder in which a file lies.

#include <filesystem>

namespace culprit {

/// "models/a.onnx" -> "models"; "a.onnx" -> ".".
inline std::filesystem::path parent_folder(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace culprit
