#include "model/value_numbering.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>

#include "base/as_index.h"
#include "model/graph_walk.h"
#include "model/use_signatures.h"

namespace culprit {
namespace {

constexpr int furthest_behind = 8;                 // nodes between a mapped value and the one that is looked for
constexpr std::size_t most_values_looked_at = 64;  // values that are looked at for it

/// Nodes that hand on their first input: in inference Dropout does.
bool hands_on(const GraphIndex::Node& node, int place) {
  if (place != 0 || node.uses.empty() || node.uses[0] < 0) return false;
  const std::string& op = node.proto->op_type();
  if (!domain_of(node.proto->domain()).empty()) return false;
  return op == "Identity" || (op == "Dropout" && node.uses.size() < 3);
}

/// The number of what a node makes, from those of what it uses.
Hash128 computed(const GraphIndex::Node& node, int place, const std::vector<Hash128>& numbers) {
  if (hands_on(node, place)) return numbers[as_index(node.uses[0])];
  Hasher hasher;
  hasher.add(node.meaning).add(std::int64_t{place}).add(static_cast<std::int64_t>(node.uses.size()));
  for (const int used : node.uses) {
    if (used < 0)
      hasher.add("left out");
    else
      hasher.add(numbers[as_index(used)]);
  }
  return hasher.finish();
}

/// Inputs by what they are bound to, stored values by content; the others get none yet.
std::vector<Hash128> numbers_of_leaves(const GraphIndex& graph, const std::vector<int>& inputs, std::string_view side) {
  std::vector<Hash128> numbers(graph.values.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    numbers[as_index(inputs[i])] = Hasher().add("input").add(static_cast<std::int64_t>(i)).finish();
  }
  for (std::size_t value = 0; value < numbers.size(); ++value) {
    const auto& entry = graph.values[value];
    if (entry.content != Hash128{}) numbers[value] = entry.content;
    if (entry.node < 0 && numbers[value] == Hash128{}) numbers[value] = Hasher().add(side).add(entry.name).finish();
  }
  return numbers;
}

void number_computed(const GraphIndex& graph, bool constants_only, std::vector<Hash128>& numbers) {
  for (const auto& node : graph.nodes) {
    for (std::size_t place = 0; place < node.makes.size(); ++place) {
      const int made = node.makes[place];
      if (made < 0 || numbers[as_index(made)] != Hash128{}) continue;
      if (constants_only && !graph.values[as_index(made)].is_constant) continue;
      numbers[as_index(made)] = computed(node, static_cast<int>(place), numbers);
    }
  }
}

template <class Pairs, class Side>
std::vector<int> side_of(const Pairs& pairs, const Side& side) {
  std::vector<int> values;
  values.reserve(pairs.size());
  for (const auto& pair : pairs) values.push_back(pair.*side);
  return values;
}

/// By place among the graph's outputs, which of the bound pairs it belongs to; -1: none.
std::vector<int> places_of(const GraphIndex& graph, const std::vector<int>& bound) {
  std::vector<int> places;
  places.reserve(graph.outputs.size());
  for (const int output : graph.outputs) {
    const auto found = std::ranges::find(bound, output);
    places.push_back(output < 0 || found == bound.end() ? -1 : static_cast<int>(found - bound.begin()));
  }
  return places;
}

class Numberer {
 public:
  Numberer(const GraphIndex& a, const GraphIndex& b, const BoundValues& bound) : a_(a), b_(b) {
    const auto inputs_a = side_of(bound.inputs, &std::pair<int, int>::first);
    const auto inputs_b = side_of(bound.inputs, &std::pair<int, int>::second);
    made_.a = numbers_of_leaves(a, inputs_a, "A");
    leaves_b_ = numbers_of_leaves(b, inputs_b, "B");
    number_computed(a, true, made_.a);
    std::vector<Hash128> constants_b = leaves_b_;
    number_computed(b, true, constants_b);
    const auto outputs_a = side_of(bound.outputs, &std::pair<int, int>::first);
    const auto outputs_b = side_of(bound.outputs, &std::pair<int, int>::second);
    use_a_ = signatures_of(a, places_of(a, outputs_a), made_.a);
    use_b_ = signatures_of(b, places_of(b, outputs_b), constants_b);
    number_computed(a, false, made_.a);
    for (std::size_t value = 0; value < a.values.size(); ++value) {
      made_.members_a[made_.a[value]].push_back(static_cast<int>(value));
    }
    for (const auto& [first, second] : bound.outputs) output_of_.emplace(second, first);
  }

  /// Twice: the second time it is known which values of A are found by computation, so that none of them is taken by
  /// name or position.
  Numbering run() {
    number_b();
    for (std::size_t value = 0; value < b_.values.size(); ++value) {
      if (made_.b_by[value] == MappedBy::computation && made_.members_a.contains(made_.b[value])) {
        ++reserved_[made_.b[value]];
      }
    }
    number_b();
    for (std::size_t value = 0; value < b_.values.size(); ++value) {
      if (made_.members_a.contains(made_.b[value])) made_.members_b[made_.b[value]].push_back(static_cast<int>(value));
    }
    return std::move(made_);
  }

 private:
  struct Found {
    int value;
    MappedBy by;
  };

  void number_b() {
    made_.b = leaves_b_;
    made_.b_by.assign(b_.values.size(), MappedBy::computation);
    taken_.clear();
    for (const auto& node : b_.nodes) {
      for (std::size_t place = 0; place < node.makes.size(); ++place) {
        const int made = node.makes[place];
        if (made >= 0 && made_.b[as_index(made)] == Hash128{}) number(node, static_cast<int>(place), made);
      }
    }
  }

  void number(const GraphIndex::Node& node, int place, int made) {
    Hash128& number = made_.b[as_index(made)];
    number = computed(node, place, made_.b);
    const auto output = output_of_.find(made);
    std::optional<Found> found;
    if (output != output_of_.end()) {
      if (number == made_.a[as_index(output->second)]) return;
      found = Found{output->second, MappedBy::binding};
    } else if (!made_.members_a.contains(number)) {
      found = takes_place_of(node, made);
    }
    if (!found) return;
    number = made_.a[as_index(found->value)];
    made_.b_by[as_index(made)] = found->by;
    taken_.insert(number);
  }

  /// Of several that A computes equally (branches with the same weights) B may have fewer: one that is left, by its
  /// name.
  [[nodiscard]] bool is_free(int value, bool is_named) const {
    const auto& entry = a_.values[as_index(value)];
    const Hash128& number = made_.a[as_index(value)];
    if (entry.node < 0 || entry.stored != nullptr || taken_.contains(number)) return false;
    const auto reserved = reserved_.find(number);
    return reserved == reserved_.end() || (is_named && reserved->second < made_.members_a.at(number).size());
  }

  [[nodiscard]] bool may_be(int a, int b, bool is_named = false) const {
    const auto& one = a_.values[as_index(a)];
    const auto& other = b_.values[as_index(b)];
    return one.is_constant == other.is_constant && is_free(a, is_named) && are_plausible(one, other) &&
           use_a_.loose[as_index(a)] == use_b_.loose[as_index(b)];
  }

  [[nodiscard]] std::optional<Found> takes_place_of(const GraphIndex::Node& node, int made) const {
    const int named = a_.find(b_.values[as_index(made)].name);
    const bool name_fits = named >= 0 && may_be(named, made, true);
    if (name_fits && use_a_.strict[as_index(named)] == use_b_.strict[as_index(made)])
      return Found{named, MappedBy::name};
    if (b_.values[as_index(made)].is_constant)
      return name_fits ? std::optional(Found{named, MappedBy::name}) : std::nullopt;
    const auto behind = best_behind(node, made);
    if (behind && (!name_fits || behind->is_strict)) return Found{behind->value, MappedBy::position};
    if (name_fits) return Found{named, MappedBy::name};
    return std::nullopt;
  }

  struct Best {
    int value = -1;
    int score = 0;
    bool is_strict = false;
  };

  /// The value of A, a few nodes behind what this node uses, that is used as `made` is.
  [[nodiscard]] std::optional<Best> best_behind(const GraphIndex::Node& node, int made) const {
    std::deque<std::pair<int, int>> open;  // value of A, distance
    for (const int used : node.uses) {
      if (used < 0 || b_.values[as_index(used)].is_constant) continue;
      const auto members = made_.members_a.find(made_.b[as_index(used)]);
      if (members != made_.members_a.end()) open.emplace_back(members->second.front(), 0);
    }
    Best best;
    std::unordered_set<int> seen;
    while (!open.empty() && seen.size() < most_values_looked_at) {
      const auto [value, distance] = open.front();
      open.pop_front();
      for (const auto& use : a_.values[as_index(value)].uses) {
        if (seen.size() >= most_values_looked_at) break;
        for (const int next : a_.nodes[as_index(use.node)].makes) {
          if (next < 0 || !seen.insert(next).second) continue;
          weigh(node, made, next, distance, best);
          if (distance + 1 < furthest_behind) open.emplace_back(next, distance + 1);
        }
      }
    }
    return best.value < 0 ? std::nullopt : std::optional(best);
  }

  /// Has B another value of that name, which is used as A's is?
  [[nodiscard]] bool is_named_elsewhere(int candidate, int made) const {
    const int named = b_.find(a_.values[as_index(candidate)].name);
    return named >= 0 && named != made && b_.values[as_index(named)].node >= 0 &&
           use_a_.loose[as_index(candidate)] == use_b_.loose[as_index(named)];
  }

  /// What is used in the very same way is better; then the nearer one; then the one that the same operator makes.
  void weigh(const GraphIndex::Node& node, int made, int candidate, int distance, Best& best) const {
    if (!may_be(candidate, made) || is_named_elsewhere(candidate, made)) return;
    const auto& other = a_.nodes[as_index(a_.values[as_index(candidate)].node)];
    const bool is_strict = use_a_.strict[as_index(candidate)] == use_b_.strict[as_index(made)];
    int score = 1 + (is_strict ? 8 * (furthest_behind + 1) : 0) + 8 * (furthest_behind - distance);
    if (node.kind == other.kind) score += 4;
    if (node.meaning == other.meaning) score += 2;
    if (a_.values[as_index(candidate)].name == b_.values[as_index(made)].name) score += 1;
    if (score > best.score) best = {candidate, score, is_strict};
  }

  const GraphIndex& a_;
  const GraphIndex& b_;
  std::vector<Hash128> leaves_b_;
  Signatures use_a_, use_b_;
  std::unordered_map<int, int> output_of_;                         // B's bound outputs -> A's
  std::unordered_set<Hash128, NumberHash> taken_;                  // by name or position
  std::unordered_map<Hash128, std::size_t, NumberHash> reserved_;  // found by computation, so many times
  Numbering made_;
};

bool shapes_agree(const onnx::TensorShapeProto& a, const onnx::TensorShapeProto& b) {
  if (a.dim_size() != b.dim_size()) return false;
  for (int i = 0; i < a.dim_size(); ++i) {
    if (a.dim(i).has_dim_value() && b.dim(i).has_dim_value() && a.dim(i).dim_value() != b.dim(i).dim_value())
      return false;
  }
  return true;
}

}  // namespace

bool are_plausible(const GraphIndex::Value& a, const GraphIndex::Value& b) {
  if (a.type == nullptr || b.type == nullptr) return true;
  if (a.type->value_case() != b.type->value_case()) {
    return a.type->value_case() == onnx::TypeProto::VALUE_NOT_SET ||
           b.type->value_case() == onnx::TypeProto::VALUE_NOT_SET;
  }
  if (!a.type->has_tensor_type()) return true;
  const auto& one = a.type->tensor_type();
  const auto& other = b.type->tensor_type();
  const bool both_typed = one.elem_type() != 0 && other.elem_type() != 0;
  if (both_typed && one.elem_type() != other.elem_type()) return false;
  return !one.has_shape() || !other.has_shape() || shapes_agree(one.shape(), other.shape());
}

Numbering number_values(const GraphIndex& a, const GraphIndex& b, const BoundValues& bound) {
  return Numberer(a, b, bound).run();
}

}  // namespace culprit
