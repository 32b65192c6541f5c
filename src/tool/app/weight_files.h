#pragma once
// The files beside a model that hold its weights.

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// The files that the ONNX file names. A file of another format, or a damaged one, has none that anybody could find.
std::vector<std::filesystem::path> weight_files_of(const std::filesystem::path& model);

/// The names that an ONNX file, whatever it is called, gives to them, from its own folder on. Nothing says that they
/// are there, or that they stay inside of the folder.
std::vector<std::string> weight_names_of(const std::filesystem::path& model);

}  // namespace culprit
