#pragma once
// A tensor's bytes may lie outside the model: https://onnx.ai/onnx/repo-docs/ExternalData.html

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

struct ExternalPlace {
  std::filesystem::path file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

bool is_external(const onnx::TensorProto& tensor);

/// Reads the place of an external tensor and checks all of it: the file lies inside `folder`, is a regular file and
/// holds the bytes asked for, which are as many as type and shape need.
Result<ExternalPlace> external_place(const onnx::TensorProto& tensor, const std::filesystem::path& folder);

/// load_model of a file whose external data lie in another folder: `data_folder` is to it what the model's own folder
/// is to others, and no name may lead out of it. "": beside the file.
Result<Model> load_model_apart(const std::filesystem::path& path, const std::filesystem::path& data_folder);

/// Checks every external tensor of the model without reading its bytes; true where there is one.
Result<bool> check_external_data(const onnx::ModelProto& model, const std::filesystem::path& folder);

/// The names by which the model calls files of external data, as they stand there: nothing is looked at.
std::set<std::string> external_names(const onnx::ModelProto& model);

/// The files that hold the model's external data, as far as they can be found inside `folder`.
std::set<std::filesystem::path> external_files(const onnx::ModelProto& model, const std::filesystem::path& folder);

/// Copies a model's file, and the files of its external data as they lie beside it. Errors: reading and writing.
Result<void> copy_with_data(const std::filesystem::path& from, const std::filesystem::path& to);

/// Bytes that the model would take with all external data inside, without reading them.
Result<std::uint64_t> inlined_bytes(const onnx::ModelProto& model, const std::filesystem::path& folder);
/// That number of bytes by types and shapes alone, without a look at the files.
std::uint64_t whole_bytes(const onnx::ModelProto& model);

/// The model with its external data inside; where it has none, the very one that was loaded. Errors as in load_model.
Result<std::shared_ptr<const onnx::ModelProto>> whole_model(const Model& model);

}  // namespace culprit
