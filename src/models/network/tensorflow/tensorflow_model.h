#pragma once
// A frozen graph (GraphDef, .pb) or a SavedModel (saved_model.pb) of TensorFlow, as far as it has to be known before it
// is run: what goes in, what comes out, and whether it does more than compute.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace culprit {

namespace tensorflow {
class Graph;
class MetaGraph;
}  // namespace tensorflow

struct TensorflowValue {
  std::string name;       ///< how its users call it: "image" of a signature; in a graph, its tensor
  std::string tensor;     ///< "serving_default_image:0"
  std::int32_t type = 0;  ///< TensorFlow's DataType; 0: the file does not say
  std::optional<std::vector<std::int64_t>> shape = {};  ///< -1: any; nothing: not even their number is known
};

/// In the order of their names in a signature, and of the nodes in a graph.
struct TensorflowInterface {
  std::vector<TensorflowValue> inputs, outputs;
};

class TensorflowModel {
 public:
  /// Errors: bad_input, these bytes are no GraphDef. A graph has at least one node.
  static Result<TensorflowModel> of_graph(std::string_view bytes);
  /// Takes the graph for serving where there are several, else the only one. Errors: bad_input; unsupported where none
  /// can be chosen.
  static Result<TensorflowModel> of_saved_model(std::string_view bytes);

  /// The interface of a SavedModel is the signature "serving_default", else the only one; unsupported where there is no
  /// such, or where a value is sparse or composite. Of a graph its Placeholders, and the first outputs of nodes that
  /// nobody uses (how many outputs a node has is not in the file).
  [[nodiscard]] Result<TensorflowInterface> interface() const;

  /// Words such as "ReadFile (node 'load/ReadFile')" for each operator that runs code or touches files or the network
  /// when the tensors named `fetched` are computed, or when the model is loaded. What only writes or reads
  /// checkpoints is in every SavedModel, so it counts only where it is reached. At most ten.
  [[nodiscard]] std::vector<std::string> refused_operators(std::span<const std::string> fetched) const;

  [[nodiscard]] const std::vector<std::string>& tags() const { return tags_; }  ///< of the graph in a SavedModel
  [[nodiscard]] bool has_node(std::string_view name) const;
  [[nodiscard]] const tensorflow::Graph& graph() const;
  [[nodiscard]] std::int64_t node_count() const;  ///< with those inside its functions

 private:
  TensorflowModel(std::shared_ptr<const tensorflow::MetaGraph> graph, bool is_saved);
  std::shared_ptr<const tensorflow::MetaGraph> graph_;
  bool is_saved_ = false;
  std::vector<std::string> tags_;
};

/// 0 for "conv", 1 for "conv:1"; nothing for "conv:x".
std::optional<int> index_of_tensor(std::string_view tensor);
/// The name of the node that makes a tensor: "conv" of "conv:1", "conv" and "^conv".
std::string_view node_of_tensor(std::string_view tensor);

}  // namespace culprit
