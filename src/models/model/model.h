#pragma once
// An ONNX file with its identity. Loading believes nothing: sizes are checked, external data must lie inside the
// model's folder, subgraphs may not nest without end.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "record/model_facts.h"
#include "tensor/dtype.h"

namespace onnx {
class GraphProto;
class ModelProto;
}  // namespace onnx

namespace culprit {

/// One dimension of a declared type: a number, a name, or nothing known.
struct Dim {
  std::optional<std::int64_t> value;
  std::string name;
  bool operator==(const Dim&) const = default;
};

/// A declared input or output. Type and dimensions of a sequence, map or optional are those of the tensor at the
/// bottom.
struct ValueInfo {
  enum class Kind { tensor, sparse_tensor, sequence, map, optional, unknown };
  std::string name;
  Kind kind = Kind::tensor;
  DType dtype = DType::undefined;
  bool has_shape = false;  ///< false: the rank is not known
  std::vector<Dim> dims;
  std::vector<Kind> inside = {};  ///< of a sequence, map or optional, from the outside in, without the tensor: {map}
  DType keys = DType::undefined;  ///< of a map, wherever it is
  /// What the file itself calls the value, where a signature gives it another name: "StatefulPartitionedCall:1". Files
  /// of other formats that were made of the same model have such names, too. "": no other.
  std::string tensor = {};
  [[nodiscard]] std::string text() const;  ///< "data: float32[N,3,224,224]"
  bool operator==(const ValueInfo&) const = default;
};

/// What a caller sees of a model.
struct Interface {
  std::vector<ValueInfo> inputs;           ///< those a caller must feed, in order
  std::vector<ValueInfo> optional_inputs;  ///< those with a default (an initializer of the same name)
  std::vector<ValueInfo> outputs;
  bool operator==(const Interface&) const = default;
};

struct Model {
  std::filesystem::path path;
  std::shared_ptr<const onnx::ModelProto> proto;  ///< external data still outside
  ModelFacts facts;
  Interface interface;
  bool has_external_data = false;
};

/// Reads and parses, checks that a graph is there and that external data exist inside the model's folder. Does not run
/// the checker, which may crash on hostile models and so belongs into a worker. Errors name the file and say what is
/// wrong: not a regular file, empty, not protobuf, truncated, no graph, no nodes is allowed, IR version newer than
/// `newest_ir`.
Result<Model> load_model(const std::filesystem::path& path);

/// The model alone, for whoever needs no more: without identity and interface, and without a look at external data.
Result<onnx::ModelProto> load_proto(const std::filesystem::path& path);

/// Brings external data into the model, so that passes that compare initializers see them. Errors as in load_model.
Result<void> inline_external_data(onnx::ModelProto& model, const std::filesystem::path& folder);

/// Serializes deterministically and writes atomically. Over 2 GiB is ErrorKind::unsupported.
Result<void> save_model(const onnx::ModelProto& model, const std::filesystem::path& path,
                        Durability durability = Durability::flushed);

/// Writes the model with its external data inside, so that the file stands alone. Errors as of the two above.
Result<void> save_whole(const Model& model, const std::filesystem::path& path);

/// Can the model be saved whole, in one file of at most 2 GiB?
Result<bool> fits_one_file(const Model& model);
/// Writes `<path>.data` with all external data, one tensor behind the other from multiples of 4096 bytes on, so that a
/// runtime can map them, and the model that names them: for models that do not fit one file.
Result<void> save_with_data(const Model& model, const std::filesystem::path& path);

Interface interface_of(const onnx::ModelProto& model);
/// `path`, `sha256` and `bytes` are left for the caller.
ModelFacts facts_of(const onnx::ModelProto& model);

/// The onnx checker's complaint on one line (full check off), or "" where it has none. External data must be inside, or
/// placed (model/placed_weights.h). May crash on hostile models, and writes to stderr of experimental ops: call it in
/// workers.
std::string checker_complaint(const onnx::ModelProto& model);

/// The onnx checker's complaint but for nodes that are not sorted: it sees a sorted copy (model/order_by_use.h).
std::string complaint_but_for_order(const onnx::ModelProto& model);

/// The onnx checker's complaint with its shape inference: it complains also where what a graph declares of a value, in
/// bodies too, is not what comes of its nodes. That is slower, and crashes more easily.
std::string declared_types_complaint(const onnx::ModelProto& model);

}  // namespace culprit
