#pragma once
// A graph of TensorFlow as it is being changed for one view. Private to this folder.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "network/graph_def.pb.h"
#include "network/network.h"

namespace culprit {

/// A graph in which each input is named as the value that it is ("conv:0"; Identities on the way are left out), and
/// nothing waits for what it does not take, but in loops.
struct TensorflowBase {
  tensorflow::Graph graph;
  tensorflow::Graph shell;                        ///< the same without nodes: versions, functions
  std::map<std::string, int> numbers;             ///< of nodes, by name
  std::map<std::string, std::vector<int>> users;  ///< nodes, by the tensor that they take
  std::vector<int> layers;                        ///< of each node; -1: it is none
};

/// `network`: as read_tensorflow_network reads `graph`.
TensorflowBase tensorflow_base(tensorflow::Graph graph, const Network& network);

/// Nodes are copied when they are changed, so a view of a large graph takes little memory.
class TensorflowPlan {
 public:
  explicit TensorflowPlan(const TensorflowBase& base, const Network& network) : base_(base), network_(network) {}

  /// To be changed.
  tensorflow::Node& node_of(int layer);
  /// A new node of this name, and others with names of their own.
  tensorflow::Node& add_node(const std::string& operation, DType type);
  /// The tensor's name. Errors: unsupported, TensorFlow has no such elements.
  Result<std::string> add_constant(const Tensor& tensor);
  std::string add_placeholder(DType type);
  /// In all nodes but one, now and later made ones.
  void replace_uses(const std::string& tensor, const std::string& by, const tensorflow::Node* but = nullptr);

  struct NeededNode {
    const tensorflow::Node* node = nullptr;
    int layer = -1;  ///< -1: it is none of the network's
  };
  /// What computes these tensors, but for what is given.
  [[nodiscard]] std::vector<NeededNode> needed_for(const std::vector<std::string>& tensors,
                                                   const std::set<std::string>& given) const;
  /// Writes a graph of these nodes. Errors: io; unsupported, it is too large for a file.
  Result<void> write(const std::vector<NeededNode>& nodes, const std::filesystem::path& file) const;

 private:
  tensorflow::Node& changed(int number);
  [[nodiscard]] NeededNode find(std::string_view name) const;

  const TensorflowBase& base_;
  const Network& network_;
  std::map<int, tensorflow::Node> changed_;        // by number
  std::map<std::string, tensorflow::Node> added_;  // by name
  int number_ = 0;
};

/// "conv:0" of "conv".
std::string whole_tensor_name(std::string_view tensor);

}  // namespace culprit
