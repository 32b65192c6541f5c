#pragma once
// Private to this room.

#include <map>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace culprit {

namespace tensorflow {
class Graph;
}

/// The nodes of a graph by their names.
struct NamedNodes {
  std::map<std::string_view, int> numbers;  ///< of Graph::nodes
  std::vector<int>
      in_order;  ///< each behind those that make its inputs, but for edges that lead back; else as they are
};

/// Errors: bad_input: two nodes of one name, an input that no node makes, a circle that is no loop of TensorFlow's.
Result<NamedNodes> order_nodes(const tensorflow::Graph& graph);

/// Does this input lead back to an earlier node? So it is in a loop: from NextIteration to Merge.
bool leads_back(const tensorflow::Graph& graph, const NamedNodes& nodes, int node, std::string_view input);

}  // namespace culprit
