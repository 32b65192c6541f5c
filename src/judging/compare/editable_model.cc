#include "compare/editable_model.h"

#include "model/placed_weights.h"

namespace culprit {

Result<EditableModel> make_editable_model(const Model& model, const std::filesystem::path& folder) {
  EditableModel piece{*model.proto, folder};
  if (model.has_external_data) {
    if (auto ok = inline_external_data(piece.proto, model.path.parent_path()); !ok) return tl::unexpected(ok.error());
  }
  if (placeable_bytes(piece.proto) < placed_model_bytes) return piece;
  Weights weights;
  place_weights(piece.proto, Stored::in_fields, weights);
  if (auto ok = write_weights(weights, folder); !ok) return tl::unexpected(ok.error());
  return piece;
}

Result<std::filesystem::path> EditableModel::save(const onnx::ModelProto& made, const std::string& name) const {
  std::filesystem::path file = folder / name;
  if (auto ok = save_model(made, file, Durability::buffered); !ok) return tl::unexpected(ok.error());
  return file;
}

}  // namespace culprit
