#include "conversion/faults/confirm.h"

#include <algorithm>
#include <map>

#include "search/ddmin.h"

namespace culprit {
namespace {

using Chosen = std::vector<std::size_t>;

/// A repair of the graph alone may leave that many times what rounding explains there: within the tolerance it may be
/// another mistake that hides the first, a second normalization behind a wrong one.
constexpr double most_times_of_graph = 4;

std::vector<Edit> edits_of(const std::vector<EditProposal>& proposals, const Chosen& chosen) {
  std::vector<Edit> edits;
  for (const std::size_t one : chosen)
    edits.insert(edits.end(), proposals[one].edits.begin(), proposals[one].edits.end());
  return edits;
}

/// In the order in which they are tried. An honest Transpose, or the Relus of a PReLU, are among the proposals of the
/// graph, and taking them out breaks the region: so not all at once first.
std::vector<Chosen> trials_of(const std::vector<EditProposal>& proposals) {
  Chosen all, numbers, graph;
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    if (proposals[i].is_alternative) continue;
    all.push_back(i);
    (proposals[i].strength == EditProposal::Strength::graph ? graph : numbers).push_back(i);
  }
  std::vector<Chosen> trials;
  const auto add = [&](Chosen chosen) {
    if (!chosen.empty() && std::ranges::find(trials, chosen) == trials.end()) trials.push_back(std::move(chosen));
  };
  for (std::size_t i = 0; i < proposals.size(); ++i) add({i});
  add(numbers);
  for (const std::size_t one : graph) {
    Chosen both = numbers;
    both.push_back(one);
    if (!numbers.empty()) add(both);
  }
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (std::size_t j = i + 1; j < graph.size(); ++j) add({graph[i], graph[j]});
  for (const std::size_t number : numbers)
    for (const std::size_t one : graph) add({number, one});
  add(all);
  return trials;
}

class Confirming {
 public:
  Confirming(const std::vector<EditProposal>& proposals, const TryEdits& attempt, int most)
      : proposals_(proposals), attempt_(attempt), most_(most) {}

  Result<Confirmation> confirm() {
    auto before = outcome_of({});
    if (!before) return tl::unexpected(before.error());
    const Likeness as_it_is = *before ? (*before)->likeness : Likeness::differs;
    if (*before) found_.before = (*before)->measurement;
    const bool is_told = std::ranges::any_of(
        proposals_, [](const EditProposal& proposal) { return proposal.strength != EditProposal::Strength::graph; });
    found_.is_right_as_it_is = as_it_is == Likeness::equal || (as_it_is == Likeness::drifts && !is_told);
    if (found_.is_right_as_it_is) return done();
    if (auto ok = look_for_one(as_it_is); !ok) return tl::unexpected(ok.error());
    // It drifts, and what is static mends nothing: then rounding is what it is.
    if (best_.empty()) found_.is_right_as_it_is = as_it_is == Likeness::drifts;
    if (best_.empty()) return done();
    if (auto ok = reduce(); !ok) return tl::unexpected(ok.error());
    if (auto ok = ask_all_samples(); !ok) return tl::unexpected(ok.error());
    return done();
  }

 private:
  using Outcome = std::optional<JudgedPair>;

  Result<Outcome> outcome_of(const Chosen& chosen) {
    if (const auto known = known_.find(chosen); known != known_.end()) return known->second;
    ++found_.tries;
    auto outcome = attempt_(edits_of(proposals_, chosen), false);
    if (outcome) known_[chosen] = *outcome;
    return outcome;
  }

  [[nodiscard]] bool is_right(const Outcome& outcome, const Chosen& chosen) const {
    return outcome &&
           (outcome->likeness == Likeness::equal || (reached_ == Likeness::drifts && may_drift(*outcome, chosen)));
  }

  [[nodiscard]] bool may_drift(const JudgedPair& outcome, const Chosen& chosen) const {
    const bool is_of_graph = std::ranges::all_of(
        chosen, [&](std::size_t one) { return proposals_[one].strength == EditProposal::Strength::graph; });
    return outcome.likeness == Likeness::drifts && (!is_of_graph || outcome.measurement.times <= most_times_of_graph);
  }

  Result<void> look_for_one(Likeness as_it_is) {
    for (const Chosen& chosen : trials_of(proposals_)) {
      if (found_.tries >= most_) break;
      const auto outcome = outcome_of(chosen);
      if (!outcome) return tl::unexpected(outcome.error());
      if (!*outcome || (*outcome)->likeness == Likeness::differs) continue;
      const bool is_equal = (*outcome)->likeness == Likeness::equal;
      if (!is_equal && (as_it_is == Likeness::drifts || !best_.empty() || !may_drift(**outcome, chosen))) continue;
      best_ = chosen;
      reached_ = (*outcome)->likeness;
      if (is_equal) break;
    }
    return {};
  }

  /// What is not needed goes.
  Result<void> reduce() {
    std::optional<Error> broken;
    const auto result = ddmin(best_.size(), [&](const Subset& kept) {
      Chosen chosen;
      for (const std::size_t one : kept) chosen.push_back(best_[one]);
      if (broken || chosen.empty()) return false;
      const auto outcome = outcome_of(chosen);
      if (!outcome) broken = outcome.error();
      return outcome.has_value() && is_right(*outcome, chosen);
    });
    if (broken) return tl::unexpected(*broken);
    for (const std::size_t one : result.minimal) found_.proposals.push_back(best_[one]);
    if (auto ok = add_of_same_layers(); !ok) return ok;
    const auto outcome = outcome_of(found_.proposals);
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome) found_.after = (*outcome)->measurement;
    return {};
  }

  /// Other hyper-parameters of a layer that is blamed for one: pads that a wrong size of a pool came with are wrong,
  /// too, where the region stays right with them.
  Result<void> add_of_same_layers() {
    Chosen chosen = found_.proposals;
    for (std::size_t i = 0; i < proposals_.size(); ++i) {
      const auto is_of_its_layer = [&](std::size_t one) {
        return one != i && proposals_[one].kind == FaultClass::hyperparameter && proposals_[i].target_layer >= 0 &&
               proposals_[one].target_layer == proposals_[i].target_layer;
      };
      if (proposals_[i].kind == FaultClass::hyperparameter && std::ranges::any_of(found_.proposals, is_of_its_layer) &&
          std::ranges::find(chosen, i) == chosen.end())
        chosen.push_back(i);
    }
    if (chosen.size() == found_.proposals.size()) return {};
    std::ranges::sort(chosen);
    const auto outcome = outcome_of(chosen);
    if (!outcome) return tl::unexpected(outcome.error());
    if (is_right(*outcome, chosen)) found_.proposals = std::move(chosen);
    return {};
  }

  Result<void> ask_all_samples() {
    ++found_.tries;
    const auto outcome = attempt_(edits_of(proposals_, found_.proposals), true);
    if (!outcome) return tl::unexpected(outcome.error());
    found_.on_all_samples = is_right(*outcome, found_.proposals);
    if (*outcome) found_.after = (*outcome)->measurement;
    if (!found_.on_all_samples)
      found_.why =
          *outcome ? "the repair mends some samples, not all" : "the repaired region does not run on all samples";
    return {};
  }

  Result<Confirmation> done() { return std::move(found_); }

  const std::vector<EditProposal>& proposals_;
  const TryEdits& attempt_;
  int most_;
  std::map<Chosen, Outcome> known_;
  Chosen best_;
  Likeness reached_ = Likeness::equal;
  Confirmation found_;
};

}  // namespace

Result<Confirmation> confirm(const std::vector<EditProposal>& proposals, const TryEdits& attempt, int most) {
  return Confirming(proposals, attempt, most).confirm();
}

}  // namespace culprit
