#pragma once
// A model as one graph: the nodes of If, Loop and Scan bodies stand before the node that has them, which then also uses
// what its bodies give. So one walk backwards passes all that an output rests on. Values of bodies get a name of their
// own. Stored tensors are only as many numbers as tell them from others.

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/graph_index.h"

namespace culprit {

class FlatModel {
 public:
  struct Graph {
    int outer = -1;         ///< number of the node that has it; -1: the top graph
    std::string attribute;  ///< "then_branch"
  };
  struct Node {
    const onnx::NodeProto* source = nullptr;  ///< in the model that was given
    int graph = 0;
    int place = 0;  ///< in its graph
  };

  /// Points into `model`.
  explicit FlatModel(const onnx::ModelProto& model);
  FlatModel(const FlatModel&) = delete;
  FlatModel& operator=(const FlatModel&) = delete;

  std::vector<Graph> graphs;  ///< outer ones first; 0 is the top graph
  std::vector<Node> nodes;    ///< as in `index.nodes`
  GraphIndex index;

  /// As the model has it, and in which graph.
  [[nodiscard]] std::string_view name_of(int value) const;
  [[nodiscard]] int graph_of(int value) const;
  /// Values of that name, of all graphs.
  [[nodiscard]] const std::vector<int>& named(std::string_view name) const;

  /// For people, each unlike all others: the node's name; its first output where it has none or shares it; and with
  /// the bodies around it where that is shared, too: "If_0/then_branch/sum".
  [[nodiscard]] std::vector<std::string> names_of_nodes() const;

 private:
  class Builder;
  onnx::ModelProto flat_;
  std::unordered_map<std::string_view, std::vector<int>> by_name_;
};

}  // namespace culprit
