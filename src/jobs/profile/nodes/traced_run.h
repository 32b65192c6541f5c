#pragma once
// The events of one run as a tree: which node ran in the body of which.

#include <cstdint>
#include <vector>

#include "profile/nodes/trace_events.h"

namespace culprit {

/// Events of a run in the order of the file, where what is inside comes before what is around it.
class TracedRun {
 public:
  struct Item {
    bool is_graph = false;  ///< else a node
    int label = -1;         ///< of a node: what the caller calls it
    int outer = -1;         ///< item around it: the node of a graph, the graph of a node; -1: none
    std::int64_t start = 0, duration = 0;
    std::int64_t inside = 0;  ///< of a node: microseconds that the nodes of its bodies took
  };

  void add_node(const TraceEvent& event, int label);
  void add_graph(const TraceEvent& event);
  void clear();
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  /// The item of the node in whose body this one ran; -1: it is in the top graph.
  [[nodiscard]] int outer_node(int item) const;
  /// The time of a node, without what its bodies took, in microseconds.
  [[nodiscard]] std::int64_t own_time(int item) const;

 private:
  void take_in(Item item, bool graphs);

  std::vector<Item> items_;
  std::vector<int> open_;  // items that nothing is around yet
};

}  // namespace culprit
