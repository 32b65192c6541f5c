#pragma once
// The verdict on a run, where outputs of exact types (labels, indices, masks), or floats off a jump, need a second
// look: an element that rounding alone flips is a tie and no difference.

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "check/draws.h"
#include "check/judgement.h"
#include "check/lazy_floor.h"

namespace culprit {

/// Ties are looked for only where a variant differs from the reference in an output of an exact type or of floats off a
/// jump (model/stepped.h), and only on those samples: 8 draws each, half of them by 1 ULP and half by 4, for the factor
/// 4 in the floor of floats. A coin that is tossed 8 times may hide a tie, so a sample in which ties were found gets 8
/// draws more, until these find no other one. Samples are taken in order, 4, then 8, then 16 more: as soon as one of
/// them shows a difference that is no tie, the verdict is settled. What was found for one variant serves all.
class Ties {
 public:
  using Then = std::function<void(Judgement)>;

  Ties(Desk& desk, Basis& basis, LazyFloor& floor) : desk_(desk), basis_(basis), floor_(floor) {}
  Ties(const Ties&) = delete;
  Ties& operator=(const Ties&) = delete;

  /// `judge_run`, as often as it takes, with the noise floor where anything differs. `then` may be called at once;
  /// until then the outcome's files must stay.
  void judge(const RunOutcome& outcome, const Binding& binding, Contract contract, const Then& then);

 private:
  struct Case {
    RunOutcome outcome;
    const Binding& binding;
    Contract contract;
    Then then;
    std::vector<std::size_t> samples = {};  ///< that differ, in order
    std::size_t taken = 0;                  ///< of these
    std::size_t batch = 4;
  };
  using CasePtr = std::shared_ptr<Case>;

  /// Draws of some samples that are under way.
  struct Round {
    std::vector<std::size_t> samples;
    int number = 0;
    int owed = 0;
    std::set<std::size_t> found = {};  ///< samples with ties that no earlier draw had shown
  };
  using RoundPtr = std::shared_ptr<Round>;

  void take_more(const CasePtr& a_case);
  void judge_again(const CasePtr& a_case);
  [[nodiscard]] bool all_drawn(const Case& a_case) const;
  void ask(std::vector<std::size_t> samples, int round);
  void drawn(const RoundPtr& round, const RunOutcome& outcome);
  bool mark(std::size_t sample, const std::filesystem::path& outputs);
  void finish(const Round& round);
  void resume();

  Desk& desk_;
  Basis& basis_;
  LazyFloor& floor_;
  std::unique_ptr<Draws> draws_;  // made when first needed: then the samples are known
  std::vector<CasePtr> waiting_;
  std::set<std::size_t> asked_;  // samples; those that are known stand in basis_.floors.drawn as well
};

}  // namespace culprit
