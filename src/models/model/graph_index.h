#pragma once
// The top graph of a model by number instead of by name: who makes a value, who uses it, what a node does, and which
// values follow from constants alone. Built in one walk over the graph; values and nodes are numbered in its order.

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"

namespace culprit {

struct GraphIndex {
  struct Use {
    int node = 0;
    int place = 0;  ///< among the node's inputs; behind them what its subgraphs take from around
  };
  struct Value {
    std::string_view name;
    int node = -1;                              ///< that makes it; -1: an input or initializer
    int place = 0;                              ///< among the node's outputs
    std::vector<Use> uses;                      ///< in the order of the graph
    bool is_constant = false;                   ///< follows from initializers and Constant nodes alone
    Hash128 content;                            ///< of an initializer or a Constant; of others nothing
    const onnx::TensorProto* stored = nullptr;  ///< of an initializer or a Constant that is a plain tensor
    const onnx::TypeProto* type = nullptr;      ///< as declared; null where it is not
  };
  struct Node {
    const onnx::NodeProto* proto = nullptr;
    std::vector<int> uses;   ///< numbers of values by place; -1: left out, or made nowhere
    std::vector<int> makes;  ///< numbers of values by place; -1: left out
    Hash128 meaning;         ///< operator, domain, attributes; the body of a function that the model defines
    Hash128 kind;            ///< operator and domain alone
  };

  std::vector<Value> values;
  std::vector<Node> nodes;
  std::unordered_map<std::string_view, int> by_name;
  std::vector<int> outputs;  ///< values by place among the graph's outputs; -1: made nowhere

  /// -1 where there is none.
  [[nodiscard]] int find(std::string_view name) const;
};

/// Points into `model`. Initializers that are inputs as well are constants unless they are `fed`.
GraphIndex index_of(const onnx::ModelProto& model, const std::vector<std::string>& fed = {});

/// Is the value an output of a node that computes something: no Constant, no input, no initializer?
bool is_computed(const GraphIndex& graph, int value);
/// Can it be read out of a run? Sequences, maps and optionals cannot.
bool is_tensor(const GraphIndex& graph, int value);

}  // namespace culprit
