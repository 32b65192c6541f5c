#include "profile/nodes/fused_nodes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/as_index.h"
#include "model/graph_regions.h"
#include "model/value_numbering.h"
#include "profile/nodes/node_kinds.h"
#include "profile/nodes/standing_values.h"

namespace culprit {
namespace {

class Assigner {
 public:
  Assigner(const FlatModel& original, const FlatModel& optimized)
      : a_(original), b_(optimized), stands_(standing_values(original, optimized)) {
    made_.origins.resize(b_.nodes.size());
    made_.fates.assign(a_.nodes.size(), NodeFate::unknown);
    for (std::size_t node = 0; node < b_.nodes.size(); ++node)
      made_.origins[node].is_constant = b_.nodes[node].source->op_type() == "Constant";
  }

  FusedNodes run() {
    find_cuts();
    for (std::size_t node = 0; node < b_.nodes.size(); ++node) take_region(static_cast<int>(node));
    for (int node = static_cast<int>(b_.nodes.size()) - 1; node >= 0; --node) note_served(node);
    find_helpers();
    for (const auto& [owner, helpers] : helpers_) share(owner, helpers);
    serve();
    for (NodeOrigin& origin : made_.origins) std::ranges::sort(origin.originals);
    tell_fates();
    return std::move(made_);
  }

 private:
  [[nodiscard]] const GraphIndex::Node& node_b(int number) const { return b_.index.nodes[as_index(number)]; }
  [[nodiscard]] std::vector<int>& originals(int node) { return made_.origins[as_index(node)].originals; }

  /// The originals' values that some value of the optimized graph stands for, by whether it was stored.
  void find_cuts() {
    is_cut_.assign(a_.index.values.size(), false);
    is_folded_ = is_cut_;
    std::vector<bool> lives(a_.graphs.size(), false);
    for (std::size_t value = 0; value < b_.index.values.size(); ++value) {
      const int original = stands_.original[value];
      if (original < 0) continue;
      if (b_.index.values[value].node >= 0)
        is_cut_[as_index(original)] = true;
      else if (is_computed(a_.index, original))
        is_folded_[as_index(original)] = true;
      lives[as_index(a_.graph_of(original))] = true;
    }
    for (std::size_t value = 0; value < is_cut_.size(); ++value) {
      if (is_cut_[value]) is_folded_[value] = false;
      if (is_folded_[value] || !lives[as_index(a_.graph_of(static_cast<int>(value)))]) is_cut_[value] = true;
    }
    lives_ = std::move(lives);
    find_twins();
  }

  /// Values that are computed in the same way: where one of them is there, it stands for all.
  void find_twins() {
    const Numbering numbers = number_values(a_.index, GraphIndex(), {});
    for (const auto& [number, members] : numbers.members_a) {
      const auto kept = std::ranges::find_if(members, [&](int value) {
        return is_cut_[as_index(value)] && !is_folded_[as_index(value)] && is_made(value);
      });
      if (kept == members.end()) continue;
      for (const int value : members) {
        if (is_cut_[as_index(value)] || !is_made(value) || a_.index.values[as_index(value)].is_constant) continue;
        is_cut_[as_index(value)] = true;
        twins_[*kept].push_back(value);
      }
    }
  }

  [[nodiscard]] bool is_made(int value) const { return is_computed(a_.index, value); }

  /// What a node whose outputs are known does.
  void take_region(int node) {
    if (stands_.hands_on[as_index(node)]) return;
    std::vector<int> values;
    for (const int made : node_b(node).makes) {
      if (made < 0 || stands_.original[as_index(made)] < 0) continue;
      values.push_back(stands_.original[as_index(made)]);
      const auto twins = twins_.find(values.back());
      if (twins != twins_.end()) values.insert(values.end(), twins->second.begin(), twins->second.end());
    }
    if (values.empty() || made_.origins[as_index(node)].is_constant) return;
    originals(node) = region_before(a_.index, values, is_cut_).nodes;
  }

  /// Backwards: for a node of which nothing is known, the nodes behind it of which something is.
  void note_served(int node) {
    if (serves_.empty()) serves_.resize(b_.nodes.size());
    std::set<int> served;
    for (const int made : node_b(node).makes) {
      if (made < 0) continue;
      for (const auto& use : b_.index.values[as_index(made)].uses) {
        if (is_known(use.node))
          served.insert(use.node);
        else
          served.insert(serves_[as_index(use.node)].begin(), serves_[as_index(use.node)].end());
        if (served.size() > most_served) break;
      }
    }
    serves_[as_index(node)].assign(served.begin(), served.end());
  }

  [[nodiscard]] bool is_known(int node) const { return !made_.origins[as_index(node)].originals.empty(); }

  /// Nodes of which nothing is known, by the node behind them that they work for.
  void find_helpers() {
    for (std::size_t node = 0; node < b_.nodes.size(); ++node) {
      if (is_known(static_cast<int>(node)) || stands_.hands_on[node] || made_.origins[node].is_constant) continue;
      for (const int served : serves_[node]) helpers_[served].push_back(static_cast<int>(node));
    }
  }

  /// Changes of layout, and what is done to constants for the node that takes them.
  [[nodiscard]] bool is_preparing(int node) const {
    return is_layout(*b_.nodes[as_index(node)].source) || makes_constants(b_, node);
  }

  [[nodiscard]] std::vector<int> of_same_op(const std::vector<int>& region, int node) const {
    const std::string op = base_op(*b_.nodes[as_index(node)].source);
    std::vector<int> same;
    std::ranges::copy_if(region, std::back_inserter(same),
                         [&](int one) { return base_op(*a_.nodes[as_index(one)].source) == op; });
    return same;
  }

  /// An operator that was taken apart, or parts of several that were put together anew: each node gets the originals of
  /// its own operator, and what is left goes to those that have none, but for preparing ones.
  void share(int owner, const std::vector<int>& helpers) {
    const std::vector<int> region = originals(owner);
    std::vector<int> members = helpers, without;
    members.push_back(owner);
    std::set<int> left(region.begin(), region.end());
    std::map<int, std::vector<int>> claims;
    for (const int member : members) {
      claims[member] = of_same_op(region, member);
      for (const int claimed : claims[member]) left.erase(claimed);
      if (claims[member].empty() && !is_preparing(member)) without.push_back(member);
    }
    if (without.empty()) without = workers_among(members, owner);
    for (const int member : without) claims[member].insert(claims[member].end(), left.begin(), left.end());
    originals(owner) = claims[owner];
    for (const int helper : helpers) shared_[helper].insert(claims[helper].begin(), claims[helper].end());
  }

  /// The owner, unless it only prepares and others do not; where all do, all of them.
  [[nodiscard]] std::vector<int> workers_among(const std::vector<int>& members, int owner) const {
    if (!is_preparing(owner)) return {owner};
    std::vector<int> workers;
    std::ranges::copy_if(members, std::back_inserter(workers), [&](int member) { return !is_preparing(member); });
    return workers.empty() ? members : workers;
  }

  /// Preparing nodes that are left without originals are inserted: for what is behind them, but for those that put a
  /// value of the original back.
  void serve() {
    for (const auto& [node, shared] : shared_) originals(node).assign(shared.begin(), shared.end());
    std::vector<int> inserted;
    for (int node = 0; node < static_cast<int>(b_.nodes.size()); ++node) {
      if (is_known(node) || !is_preparing(node) || made_.origins[as_index(node)].is_constant) continue;
      made_.origins[as_index(node)].is_inserted = true;
      inserted.push_back(node);
    }
    const auto if_empty = [&](int node, auto take) {
      if (!is_known(node)) (this->*take)(node);
    };
    const std::vector<int> backwards(inserted.rbegin(), inserted.rend());
    for (const int node : backwards)
      if (!bears_name_of_original(node)) if_empty(node, &Assigner::take_from_behind);
    for (const int node : inserted) if_empty(node, &Assigner::take_from_before);
    for (const int node : backwards) if_empty(node, &Assigner::take_from_behind);
  }

  void take_from_behind(int node) {
    std::set<int> all;
    for (const int made : node_b(node).makes) {
      if (made < 0) continue;
      for (const auto& use : b_.index.values[as_index(made)].uses)
        all.insert(originals(use.node).begin(), originals(use.node).end());
    }
    originals(node).assign(all.begin(), all.end());
  }

  void take_from_before(int node) {
    const int before = maker_before(node);
    if (before >= 0) originals(node) = std::vector<int>(originals(before));
  }

  [[nodiscard]] int maker_before(int node) const {
    const auto& uses = node_b(node).uses;
    return uses.empty() || uses[0] < 0 ? -1 : b_.index.values[as_index(uses[0])].node;
  }

  /// "conv1_1" behind a Cast back, and not "InsertedPrecisionFreeCast_conv1_1".
  [[nodiscard]] bool bears_name_of_original(int node) const {
    const auto& makes = node_b(node).makes;
    if (makes.empty() || makes[0] < 0 || stands_.original[as_index(makes[0])] < 0) return false;
    return b_.name_of(makes[0]) == a_.name_of(stands_.original[as_index(makes[0])]);
  }

  void tell_fates() {
    for (const NodeOrigin& origin : made_.origins) {
      if (origin.is_inserted) continue;
      for (const int node : origin.originals) made_.fates[as_index(node)] = NodeFate::runs;
    }
    const std::vector<bool> no_cut(a_.index.values.size(), false);
    std::vector<int> outputs, folded;
    std::ranges::copy_if(a_.index.outputs, std::back_inserter(outputs), [](int value) { return value >= 0; });
    std::vector<bool> is_needed(a_.nodes.size(), false);
    for (const int node : region_before(a_.index, outputs, no_cut).nodes) is_needed[as_index(node)] = true;
    for (std::size_t value = 0; value < is_folded_.size(); ++value)
      if (is_folded_[value]) folded.push_back(static_cast<int>(value));
    std::vector<bool> is_folded(a_.nodes.size(), false);
    for (const int node : region_before(a_.index, folded, no_cut).nodes) is_folded[as_index(node)] = true;
    for (int node = 0; node < static_cast<int>(a_.nodes.size()); ++node) {
      NodeFate& fate = made_.fates[as_index(node)];
      if (fate == NodeFate::runs) continue;
      if (is_folded[as_index(node)] || makes_constants(a_, node))
        fate = NodeFate::folded;
      else if (!is_needed[as_index(node)] || !lives_[as_index(a_.nodes[as_index(node)].graph)])
        fate = NodeFate::unneeded;
    }
  }

  static bool makes_constants(const FlatModel& model, int node) {
    return std::ranges::all_of(model.index.nodes[as_index(node)].makes,
                               [&](int made) { return made < 0 || model.index.values[as_index(made)].is_constant; });
  }

  static constexpr std::size_t most_served = 64;

  const FlatModel& a_;
  const FlatModel& b_;
  StandingValues stands_;
  FusedNodes made_;
  std::vector<bool> is_cut_, is_folded_;     // by value of the original
  std::vector<bool> lives_;                  // by graph of the original: something of it is in the optimized model
  std::map<int, std::vector<int>> twins_;    // by value of the original that is there: those that it stands for, too
  std::vector<std::vector<int>> serves_;     // by node of the optimized graph
  std::map<int, std::vector<int>> helpers_;  // by node of the optimized graph of which something is known
  std::map<int, std::set<int>> shared_;      // what they get
};

}  // namespace

FusedNodes fused_nodes(const FlatModel& original, const FlatModel& optimized) {
  return Assigner(original, optimized).run();
}

FusionCoverage coverage_of(const FusedNodes& nodes) {
  FusionCoverage c;
  for (const NodeFate fate : nodes.fates) {
    ++c.originals;
    c.running += fate == NodeFate::runs ? 1 : 0;
    c.folded += fate == NodeFate::folded ? 1 : 0;
    c.unneeded += fate == NodeFate::unneeded ? 1 : 0;
    c.unknown += fate == NodeFate::unknown ? 1 : 0;
  }
  for (const NodeOrigin& origin : nodes.origins) {
    if (origin.is_constant) continue;
    ++c.optimized;
    c.with_originals += origin.originals.empty() ? 0 : 1;
    c.inserted += origin.is_inserted ? 1 : 0;
  }
  return c;
}

}  // namespace culprit
