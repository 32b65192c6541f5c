#include "profile/nodes/traced_run.h"

#include <algorithm>

#include "base/as_index.h"

namespace culprit {
/// What began later and has ended is inside: graphs of a node, nodes of a graph. A node without a body has no graph
/// behind it, so that neighbours that began in the same microsecond are not taken for its body.
void TracedRun::take_in(Item item, bool graphs) {
  const int number = static_cast<int>(items_.size());
  while (!open_.empty()) {
    Item& last = items_[as_index(open_.back())];
    if (last.is_graph != graphs || last.start < item.start) break;
    last.outer = number;
    item.inside += graphs ? last.inside : last.duration;
    open_.pop_back();
  }
  items_.push_back(item);
  open_.push_back(number);
}

void TracedRun::add_node(const TraceEvent& event, int label) {
  take_in({false, label, -1, event.start, event.duration, 0}, true);
}

void TracedRun::add_graph(const TraceEvent& event) { take_in({true, -1, -1, event.start, event.duration, 0}, false); }

void TracedRun::clear() {
  items_.clear();
  open_.clear();
}

int TracedRun::outer_node(int item) const {
  const int graph = items_[as_index(item)].outer;
  return graph < 0 ? -1 : items_[as_index(graph)].outer;
}

std::int64_t TracedRun::own_time(int item) const {
  return std::max<std::int64_t>(items_[as_index(item)].duration - items_[as_index(item)].inside, 0);
}

}  // namespace culprit
