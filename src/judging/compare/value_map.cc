#include "compare/value_map.h"

#include <algorithm>

#include "base/as_index.h"
#include "model/graph_walk.h"

namespace culprit {
namespace {

class Mapper {
 public:
  Mapper(const GraphIndex& a, const GraphIndex& b, const BoundValues& bound) : a_(a), b_(b), bound_(bound) {
    map_.to_b.assign(a.values.size(), -1);
    map_.by.assign(a.values.size(), MappedBy::computation);
    map_.into.assign(a.values.size(), -1);
    map_.is_counted.assign(a.values.size(), false);
  }

  ValueMap run() {
    take_numbers();
    for (const auto& [first, second] : bound_.inputs) map_.to_b[as_index(first)] = second;
    for (const auto& [first, second] : bound_.outputs) {
      const bool is_computed = map_.to_b[as_index(first)] == second;
      map_.to_b[as_index(first)] = second;
      if (!is_computed) map_.by[as_index(first)] = MappedBy::binding;
    }
    map_inputs_of_pairs();
    count_values();
    find_fused();
    count();
    return std::move(map_);
  }

 private:
  /// Of several equal ones that of the same name, else the one in the same place among them.
  void take_numbers() {
    numbers_ = number_values(a_, b_, bound_);
    for (const auto& [number, members] : numbers_.members_a) {
      const auto found = numbers_.members_b.find(number);
      if (found == numbers_.members_b.end()) continue;
      for (std::size_t i = 0; i < members.size(); ++i) {
        const int value = members[i];
        if (!is_computed(a_, value)) continue;
        const int named = b_.find(a_.values[as_index(value)].name);
        const bool is_same = named >= 0 && numbers_.b[as_index(named)] == number;
        const int mate = is_same ? named : found->second[std::min(i, found->second.size() - 1)];
        map_.to_b[as_index(value)] = mate;
        map_.by[as_index(value)] = numbers_.b_by[as_index(mate)];
      }
    }
  }

  /// Backwards: two nodes that do the same and whose outputs are mapped to each other have inputs that mean the same.
  void map_inputs_of_pairs() {
    for (std::size_t n = a_.nodes.size(); n-- > 0;) {
      const auto& node = a_.nodes[n];
      const auto made = std::ranges::find_if(node.makes, [&](int v) { return v >= 0 && map_.to_b[as_index(v)] >= 0; });
      if (made == node.makes.end()) continue;
      const auto& mate = b_.values[as_index(map_.to_b[as_index(*made)])];
      if (mate.node < 0) continue;
      const auto& other = b_.nodes[as_index(mate.node)];
      if (other.meaning != node.meaning || other.uses.size() != node.uses.size()) continue;
      const bool same_constants = have_same_constants(node, other);
      for (std::size_t place = 0; place < other.uses.size(); ++place) {
        map_input(node.uses[place], other.uses[place], same_constants);
      }
    }
  }

  [[nodiscard]] bool have_same_constants(const GraphIndex::Node& one, const GraphIndex::Node& other) const {
    for (std::size_t place = 0; place < one.uses.size(); ++place) {
      const int a = one.uses[place], b = other.uses[place];
      const bool is_a = a >= 0 && a_.values[as_index(a)].is_constant,
                 is_b = b >= 0 && b_.values[as_index(b)].is_constant;
      if (is_a != is_b || (is_a && numbers_.a[as_index(a)] != numbers_.b[as_index(b)])) return false;
    }
    return true;
  }

  void map_input(int value, int mate, bool same_constants) {
    if (value < 0 || mate < 0 || !is_computed(a_, value) || map_.to_b[as_index(value)] >= 0) return;
    const auto& one = a_.values[as_index(value)];
    const auto& other = b_.values[as_index(mate)];
    if (one.is_constant != other.is_constant || !are_plausible(one, other)) return;
    if (!other.is_constant && is_taken(value, mate, same_constants)) return;
    map_.to_b[as_index(value)] = mate;
    map_.by[as_index(value)] = MappedBy::position;
  }

  /// A value of B that another one is mapped to may stand for what follows from that by one node as well: one that was
  /// eliminated. Not where the consumer got other constants: then that node was fused into it.
  [[nodiscard]] bool is_taken(int value, int mate, bool same_constants) {
    if (takers_.empty()) {
      takers_.assign(b_.values.size(), -1);
      for (std::size_t v = 0; v < a_.values.size(); ++v) {
        if (map_.to_b[v] >= 0) takers_[as_index(map_.to_b[v])] = static_cast<int>(v);
      }
    }
    const int taker = takers_[as_index(mate)];
    if (taker < 0) {
      takers_[as_index(mate)] = value;
      return false;
    }
    const auto& uses = a_.nodes[as_index(a_.values[as_index(value)].node)].uses;
    return !same_constants || std::ranges::find(uses, taker) == uses.end();
  }

  /// What an output needs, backwards.
  void count_values() {
    std::vector<bool> needed(a_.values.size(), false);
    for (const int output : a_.outputs) {
      if (output >= 0) needed[as_index(output)] = true;
    }
    for (std::size_t n = a_.nodes.size(); n-- > 0;) {
      const auto& node = a_.nodes[n];
      const bool is_needed = std::ranges::any_of(node.makes, [&](int v) { return v >= 0 && needed[as_index(v)]; });
      for (const int used : node.uses) {
        if (is_needed && used >= 0) needed[as_index(used)] = true;
      }
    }
    for (std::size_t v = 0; v < a_.values.size(); ++v) {
      map_.is_counted[v] = needed[v] && is_computed(a_, static_cast<int>(v));
    }
  }

  /// Backwards: the nearest mapped value that is made of it tells which node of B does its work.
  void find_fused() {
    std::vector<int> distance(a_.values.size(), furthest_fused + 1);
    for (std::size_t n = a_.nodes.size(); n-- > 0;) {
      const auto& node = a_.nodes[n];
      int into = -1, nearest = furthest_fused + 1;
      for (const int made : node.makes) {
        if (made < 0) continue;
        const int mate = map_.to_b[as_index(made)];
        const int maker = mate >= 0 ? b_.values[as_index(mate)].node : map_.into[as_index(made)];
        const int steps = mate >= 0 ? 1 : distance[as_index(made)] + 1;
        if (maker >= 0 && steps < nearest) into = maker, nearest = steps;
      }
      if (into < 0) continue;
      for (const int used : node.uses) {
        if (used < 0 || map_.to_b[as_index(used)] >= 0 || distance[as_index(used)] <= nearest) continue;
        map_.into[as_index(used)] = into;
        distance[as_index(used)] = nearest;
      }
    }
  }

  void count() {
    MapCoverage& c = map_.coverage;
    std::vector<bool> stands(b_.values.size(), false);
    for (std::size_t v = 0; v < a_.values.size(); ++v) {
      if (map_.to_b[v] >= 0) stands[as_index(map_.to_b[v])] = true;
      if (!map_.is_counted[v]) continue;
      ++c.values;
      if (map_.to_b[v] < 0) {
        ++(map_.into[v] >= 0 ? c.fused : c.gone);
        continue;
      }
      ++c.mapped;
      switch (map_.by[v]) {
        case MappedBy::binding:
          ++c.by_binding;
          break;
        case MappedBy::computation:
          ++c.by_computation;
          break;
        case MappedBy::name:
          ++c.by_name;
          break;
        case MappedBy::position:
          ++c.by_position;
          break;
      }
    }
    for (std::size_t v = 0; v < b_.values.size(); ++v) {
      if (is_computed(b_, static_cast<int>(v)) && !stands[v]) ++c.own_values;
    }
    for (const auto& node : a_.nodes) {
      for (const auto& attribute : node.proto->attribute()) {
        const auto add = [&](const onnx::GraphProto& graph) {
          for (const auto& inner : graph.node()) c.in_subgraphs += inner.output_size();
        };
        if (attribute.has_g()) for_each_graph(attribute.g(), add);
        for (const auto& graph : attribute.graphs()) for_each_graph(graph, add);
      }
    }
  }

  const GraphIndex& a_;
  const GraphIndex& b_;
  const BoundValues& bound_;
  Numbering numbers_;
  ValueMap map_;
  std::vector<int> takers_;  // by B's value, one of A's that is mapped to it
};

}  // namespace

ValueMap map_values(const GraphIndex& a, const GraphIndex& b, const BoundValues& bound) {
  return Mapper(a, b, bound).run();
}

}  // namespace culprit
