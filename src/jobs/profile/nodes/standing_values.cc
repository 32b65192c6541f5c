#include "profile/nodes/standing_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/as_index.h"
#include "profile/nodes/name_rules.h"
#include "profile/nodes/node_kinds.h"
#include "profile/nodes/paired_graphs.h"

namespace culprit {
namespace {

constexpr int most_taken_in = 4;  // nodes behind a convolution that it may have taken in

class Finder {
 public:
  Finder(const FlatModel& original, const FlatModel& optimized)
      : a_(original), b_(optimized), pairs_(paired_graphs(original, optimized)) {
    made_.original.assign(b_.index.values.size(), -1);
    made_.hands_on.assign(b_.index.nodes.size(), false);
    stood_for_.assign(a_.index.values.size(), false);
    for (std::size_t node = 0; node < a_.nodes.size(); ++node)
      by_node_name_[a_.nodes[node].source->name()].push_back(static_cast<int>(node));
  }

  StandingValues run() {
    for (std::size_t value = 0; value < b_.index.values.size(); ++value) by_name(static_cast<int>(value));
    for (std::size_t node = 0; node < b_.nodes.size(); ++node) {
      const int number = static_cast<int>(node);
      if (first_known(number) < 0) by_node(number);
      take_in_behind(number);
      take_in_by_use(number);
      note_hands_on(number);
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] const GraphIndex::Node& node_a(int number) const { return a_.index.nodes[as_index(number)]; }
  [[nodiscard]] const GraphIndex::Node& node_b(int number) const { return b_.index.nodes[as_index(number)]; }
  [[nodiscard]] const GraphIndex::Value& value_a(int number) const { return a_.index.values[as_index(number)]; }

  void stand(int value, int original) {
    made_.original[as_index(value)] = original;
    stood_for_[as_index(original)] = true;
  }

  void by_name(int value) {
    const auto& entry = b_.index.values[as_index(value)];
    std::string_view node;
    if (entry.node >= 0 && node_b(entry.node).makes.size() == 1) node = b_.nodes[as_index(entry.node)].source->name();
    for (const std::string& name : names_before(b_.name_of(value), node)) {
      const int found = original_named(name, b_.graph_of(value), entry.node >= 0);
      if (found < 0) continue;
      stand(value, found);
      return;
    }
  }

  /// In the graph that this one stands for, else in one that was taken into it, else anywhere if there is but one.
  [[nodiscard]] int original_named(const std::string& name, int graph, bool is_computed) const {
    const auto& mates = a_.named(name);
    const auto fits = [&](int value) {
      const int maker = value_a(value).node;
      return !is_computed || maker < 0 || node_a(maker).proto->op_type() != "Constant";
    };
    for (const int pair : pairs_[as_index(graph)])
      for (const int mate : mates)
        if (a_.graph_of(mate) == pair && fits(mate)) return mate;
    return mates.size() == 1 && fits(mates[0]) ? mates[0] : -1;
  }

  [[nodiscard]] int first_known(int node) const {
    for (const int made : node_b(node).makes)
      if (made >= 0 && made_.original[as_index(made)] >= 0) return made;
    return -1;
  }

  void by_node(int number) {
    auto mate = of_same_name(number);
    if (!mate) mate = in_same_place(number);
    const auto& makes = node_b(number).makes;
    if (!mate) {
      const int given = makes.size() == 1 && is_layout(*b_.nodes[as_index(number)].source) ? given_value(number) : -1;
      if (given >= 0 && makes[0] >= 0) stand(makes[0], given);
      return;
    }
    for (std::size_t place = 0; place < makes.size(); ++place) {
      const int original = node_a(*mate).makes[place];
      if (makes[place] >= 0 && original >= 0) stand(makes[place], original);
    }
  }

  /// The only node of that name, of the same operator, whose outputs nothing stands for yet.
  [[nodiscard]] std::optional<int> of_same_name(int number) const {
    const auto& source = *b_.nodes[as_index(number)].source;
    if (source.name().empty()) return std::nullopt;
    const auto found = by_node_name_.find(source.name());
    if (found == by_node_name_.end()) return std::nullopt;
    std::optional<int> mate;
    for (const int node : found->second) {
      if (!is_free(node, number)) continue;
      if (mate) return std::nullopt;
      mate = node;
    }
    return mate;
  }

  [[nodiscard]] bool is_free(int node, int number) const {
    if (base_op(*a_.nodes[as_index(node)].source) != base_op(*b_.nodes[as_index(number)].source)) return false;
    const auto& makes = node_a(node).makes;
    if (makes.size() != node_b(number).makes.size()) return false;
    return std::ranges::none_of(makes, [&](int made) { return made >= 0 && stood_for_[as_index(made)]; });
  }

  /// The node of the same operator on values that this one's inputs stand for, in the same order.
  [[nodiscard]] std::optional<int> in_same_place(int number) const {
    const auto given = given_originals(number);
    if (given.empty()) return std::nullopt;
    std::optional<int> mate;
    std::set<int> looked_at;
    for (const auto& use : value_a(given[0]).uses) {
      if (!looked_at.insert(use.node).second || !is_free(use.node, number)) continue;
      std::vector<int> taken;
      for (const int used : node_a(use.node).uses)
        if (used >= 0 && !value_a(used).is_constant) taken.push_back(used);
      if (taken != given) continue;
      if (mate) return std::nullopt;
      mate = use.node;
    }
    return mate;
  }

  /// What the inputs that are no constants stand for; {} where one of them is not known.
  [[nodiscard]] std::vector<int> given_originals(int number) const {
    std::vector<int> given;
    for (const int used : node_b(number).uses) {
      if (used < 0 || b_.index.values[as_index(used)].is_constant) continue;
      if (made_.original[as_index(used)] < 0) return {};
      given.push_back(made_.original[as_index(used)]);
    }
    return given;
  }

  [[nodiscard]] int given_value(int number) const {
    const auto& uses = node_b(number).uses;
    return uses.empty() || uses[0] < 0 ? -1 : made_.original[as_index(uses[0])];
  }

  void note_hands_on(int number) {
    const int known = first_known(number);
    if (known < 0 || !is_layout(*b_.nodes[as_index(number)].source)) return;
    made_.hands_on[as_index(number)] = made_.original[as_index(known)] == given_value(number);
  }

  /// A convolution keeps the name of its own result where it takes in the Add behind it (whose other side is then one
  /// of its inputs) and the activation behind that (which is then its attribute).
  void take_in_behind(int number) {
    const auto& source = *b_.nodes[as_index(number)].source;
    const auto& makes = node_b(number).makes;
    if (!takes_in(source) || makes.size() != 1 || makes[0] < 0) return;
    const auto& uses = node_b(number).uses;
    constexpr std::size_t sum = 3;  // place of the other side of an Add
    if (uses.size() > sum && uses[sum] >= 0 && made_.original[as_index(uses[sum])] >= 0)
      move_behind_add(makes[0], made_.original[as_index(uses[sum])]);
    const std::string activation = activation_of(source);
    const int now = made_.original[as_index(makes[0])];
    if (activation.empty() || now < 0 || value_a(now).node < 0) return;
    if (node_a(value_a(now).node).proto->op_type() != activation) move_behind(makes[0], activation, -1);
  }

  void move_behind_add(int value, int other_side) {
    const int now = made_.original[as_index(value)];
    if (now < 0 || made_by_adding(now, other_side)) return;
    for (const char* op : {"Add", "Sum"})
      if (move_behind(value, op, other_side)) return;
  }

  [[nodiscard]] bool made_by_adding(int value, int other_side) const {
    for (int step = 0; step < most_taken_in; ++step) {
      const int maker = value_a(value).node;
      if (maker < 0 || node_a(maker).uses.empty()) return false;
      const std::string& op = node_a(maker).proto->op_type();
      const bool uses_it = std::ranges::find(node_a(maker).uses, other_side) != node_a(maker).uses.end();
      if ((op == "Add" || op == "Sum") && uses_it) return true;
      value = node_a(maker).uses[0];
      if (value < 0) return false;
    }
    return false;
  }

  /// Along the only user each time, as far as one of that operator, which uses `other_side` as well where that is one.
  bool move_behind(int value, const std::string& op, int other_side) {
    int now = made_.original[as_index(value)];
    for (int step = 0; step < most_taken_in; ++step) {
      const auto& uses = value_a(now).uses;
      if (uses.size() != 1 || node_a(uses[0].node).makes.empty() || node_a(uses[0].node).makes[0] < 0) return false;
      const auto& user = node_a(uses[0].node);
      now = user.makes[0];
      if (stood_for_[as_index(now)]) return false;
      if (user.proto->op_type() != op) continue;
      if (other_side >= 0 && std::ranges::find(user.uses, other_side) == user.uses.end()) continue;
      stood_for_[as_index(made_.original[as_index(value)])] = false;
      stand(value, now);
      return true;
    }
    return false;
  }

  /// Other optimizers keep the name of the first value instead ("conv" with the bias of the Add behind it). Then the
  /// node is given other constants than the one it is called after, and what uses the value was not used there but
  /// further on.
  void take_in_by_use(int number) {
    const auto& makes = node_b(number).makes;
    if (makes.size() != 1 || makes[0] < 0 || made_.original[as_index(makes[0])] < 0) return;
    int now = made_.original[as_index(makes[0])];
    if (value_a(now).node < 0 || !is_changed(value_a(now).node, number)) return;
    const auto used_by = users(b_, makes[0]);
    if (users(a_, now) == used_by) return;
    for (int step = 0; step < most_taken_in; ++step) {
      const auto& uses = value_a(now).uses;
      if (uses.size() != 1 || node_a(uses[0].node).makes.size() != 1) return;
      now = node_a(uses[0].node).makes[0];
      if (now < 0 || stood_for_[as_index(now)]) return;
      if (users(a_, now) != used_by) continue;
      stood_for_[as_index(made_.original[as_index(makes[0])])] = false;
      stand(makes[0], now);
      return;
    }
  }

  /// Is it the same operator, with more or fewer inputs or with other constants?
  [[nodiscard]] bool is_changed(int original, int number) const {
    if (base_op(*a_.nodes[as_index(original)].source) != base_op(*b_.nodes[as_index(number)].source)) return false;
    const auto &before = node_a(original).uses, &after = node_b(number).uses;
    if (before.size() != after.size()) return true;
    for (std::size_t place = 0; place < before.size(); ++place) {
      if (before[place] < 0 || after[place] < 0) continue;
      const auto &one = value_a(before[place]), &other = b_.index.values[as_index(after[place])];
      if (one.stored != nullptr && other.is_constant && one.content != other.content) return true;
    }
    return false;
  }

  /// Operators that use a value; "" where the model gives it out.
  static std::multiset<std::string> users(const FlatModel& model, int value) {
    std::multiset<std::string> ops;
    for (const auto& use : model.index.values[as_index(value)].uses)
      ops.insert(base_op(*model.nodes[as_index(use.node)].source));
    if (std::ranges::find(model.index.outputs, value) != model.index.outputs.end()) ops.insert("");
    return ops;
  }

  const FlatModel& a_;
  const FlatModel& b_;
  std::vector<std::vector<int>> pairs_;
  StandingValues made_;
  std::vector<bool> stood_for_;  // by value of the original
  std::map<std::string, std::vector<int>> by_node_name_;
};

}  // namespace

StandingValues standing_values(const FlatModel& original, const FlatModel& optimized) {
  return Finder(original, optimized).run();
}

}  // namespace culprit
