#include "compare/workpiece.h"

#include "model/weights.h"

namespace culprit {

Result<Workpiece> make_workpiece(const Model& model, const std::filesystem::path& folder) {
  Workpiece piece{*model.proto, folder};
  if (model.has_external_data) {
    if (auto ok = inline_external_data(piece.proto, model.path.parent_path()); !ok) return tl::unexpected(ok.error());
  }
  if (placeable_bytes(piece.proto) < placed_model_bytes) return piece;
  Weights weights;
  place_weights(piece.proto, Stored::in_fields, weights);
  if (auto ok = write_weights(weights, folder); !ok) return tl::unexpected(ok.error());
  return piece;
}

Result<std::filesystem::path> Workpiece::save(const onnx::ModelProto& made, const std::string& name) const {
  std::filesystem::path file = folder / name;
  if (auto ok = save_model(made, file, Durability::buffered); !ok) return tl::unexpected(ok.error());
  return file;
}

}  // namespace culprit
