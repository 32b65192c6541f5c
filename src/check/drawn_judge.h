#pragma once
// The verdict on a run, where a difference may be rounding: the very samples that differ are drawn, as often as the
// answer needs, and each element is held against what draws gave it (docs/judging.md, "What draws reach").

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/draws.h"
#include "check/judgement.h"

namespace culprit {

/// What is not drawn for.
struct DrawLimits {
  std::size_t samples = 0;          ///< the outcome has the outputs of so many; 0: of all
  bool unless_within = false;       ///< differences within the tolerance: it is no variant that is judged
  std::set<std::string> only = {};  ///< of these outputs; empty: of all
};

/// One for each level of the runtime: what flips at one is not what flips at another. What was drawn for one variant
/// serves all. Samples are taken in order, 4 and then the rest: as soon as one of them is wrong whatever more draws
/// would say, the verdict is settled, and the others are not drawn.
class DrawnJudge {
 public:
  using Then = std::function<void(Judgement)>;

  /// `drawn`: the basis that is run for draws, of the same samples; null: the very one that runs are held against.
  DrawnJudge(Desk& desk, Basis& basis, const Basis* drawn = nullptr)
      : desk_(desk), basis_(basis), drawn_(drawn == nullptr ? basis : *drawn) {}
  DrawnJudge(const DrawnJudge&) = delete;
  DrawnJudge& operator=(const DrawnJudge&) = delete;

  /// `then` may be called at once; until then the binding and the outcome's files must stay.
  void judge(const RunOutcome& outcome, const Binding& binding, Contract contract, const Then& then,
             const DrawLimits& limits = {});

 private:
  struct Case {
    RunOutcome outcome;
    const Binding& binding;
    Contract contract;
    Then then;
    DrawLimits limits;
    std::vector<int> draws = {};  ///< by sample: so many it is judged by
    std::size_t batch = 4;
  };
  using CasePtr = std::shared_ptr<Case>;

  /// Draws of some samples, from one number of draws to the next, that are under way.
  struct Round {
    int from = 0, to = 0;
    std::vector<std::size_t> samples;
    std::vector<std::map<std::string, Drawn>> drawn = {};  ///< by sample
    int owed = 0;
  };
  using RoundPtr = std::shared_ptr<Round>;

  void go_on(const CasePtr& a_case);
  bool take_more(Case& a_case, const std::vector<DrawNeed>& needs);
  [[nodiscard]] bool all_known(const Case& a_case) const;
  void want(std::size_t sample, int from, int to);
  void ask();
  void start(const RoundPtr& round);
  void take(Round& round, const Draw& draw, const RunOutcome& outcome);
  void finish(Round& round);
  void resume();
  [[nodiscard]] bool possible();

  Desk& desk_;
  Basis& basis_;
  const Basis& drawn_;
  std::unique_ptr<Draws> draws_;  // made when first needed: then the samples are known
  std::vector<CasePtr> waiting_;
  std::set<std::pair<std::size_t, int>> asked_;                     // by sample and how many draws
  std::map<std::pair<int, int>, std::vector<std::size_t>> wanted_;  // not asked for yet: samples, by from and to
};

}  // namespace culprit
