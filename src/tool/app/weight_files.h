#pragma once
// The files beside a model that hold its weights.

#include <filesystem>
#include <vector>

namespace culprit {

/// The files that the ONNX file names. A file of another format, or a damaged one, has none that anybody could find.
std::vector<std::filesystem::path> weight_files_of(const std::filesystem::path& model);

}  // namespace culprit
