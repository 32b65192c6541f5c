#pragma once
// A model in the memory, ready to be written again and again with other outputs: its large weights lie on the disk
// once.

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "model/model.h"

namespace culprit {

struct EditableModel {
  onnx::ModelProto proto;        ///< large weights are placed (model/placed_weights.h)
  std::filesystem::path folder;  ///< where models made of it must lie

  /// Writes `made` there under this name.
  [[nodiscard]] Result<std::filesystem::path> save(const onnx::ModelProto& made, const std::string& name) const;
};

/// `folder` must exist. Errors as of inline_external_data and of writing.
Result<EditableModel> make_editable_model(const Model& model, const std::filesystem::path& folder);

}  // namespace culprit
