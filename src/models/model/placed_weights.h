#pragma once
// Elements of large tensors, kept apart from the models that they belong to: by content, so that many variants share
// them, in memory while a variant is made and on disk once. A tensor whose elements lie here is *placed*: it is
// external, and its location is "weights/<content hash>", below the folder of its model, for a runtime refuses any
// other. Small models stay in one piece, for users post them.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/hash.h"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

/// Models with less than this in large tensors stay in one piece: 16 MiB are written in 10 ms, and can be posted.
constexpr std::uint64_t placed_model_bytes = std::uint64_t{16} << 20;
/// Tensors with less than this stay in their model: shapes, biases, what a reader of the model wants to see.
constexpr std::uint64_t placed_tensor_bytes = std::uint64_t{64} << 10;

/// Bytes by content hash (model/content_hash.h). Bytes are moved in and out, never copied.
using Weights = std::map<Hash128, std::string>;

/// The content hash of a placed tensor. Only models that culprit made may be asked: another's may name any file so.
std::optional<Hash128> placed_content(const onnx::TensorProto& tensor);
/// Drops the elements of the tensor and says where they lie.
void place(onnx::TensorProto& tensor, const Hash128& content, std::uint64_t bytes);

enum class Stored {
  raw,       ///< only what is stored as raw bytes, so that nothing but the place changes
  in_fields  ///< also what stands in typed fields
};
/// Moves the elements of all large initializers, those of subgraphs included, to `weights`. The model then means the
/// same, and has the same fingerprint.
void place_weights(onnx::ModelProto& model, Stored which, Weights& weights);
/// What `place_weights` would move, in bytes.
std::uint64_t placeable_bytes(const onnx::ModelProto& model);

/// Writes each to `folder`/weights/<hash> unless it is there.
Result<void> write_weights(const Weights& weights, const std::filesystem::path& folder);
/// Gives `to` the weights of a model that lies in `from`: hard links, or copies where the file system has none.
Result<void> link_weights(const onnx::ModelProto& model, const std::filesystem::path& from,
                          const std::filesystem::path& to);

}  // namespace culprit
