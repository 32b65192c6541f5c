#pragma once
// The verdict on a run, where a difference may be rounding: the very samples that differ are drawn, as often as the
// answer needs, and each element is held against what draws gave it (docs/judging.md, "What draws reach").

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trial/judgement.h"
#include "trial/rounding_draws.h"
#include "trial/variant_draws.h"

namespace culprit {

/// What is not drawn for.
struct DrawLimits {
  std::size_t samples = 0;          ///< the outcome has the outputs of so many; 0: of all
  bool unless_within = false;       ///< differences within the tolerance: it is no variant that is judged
  std::set<std::string> only = {};  ///< of these outputs; empty: of all
  /// What gave the outcome, where it is a file: drawn itself where it computes by other operators.
  std::optional<DrawnVariant> variant = {};
};

/// One for each level of the runtime: what flips at one is not what flips at another. What was drawn for one variant
/// serves all. Samples are taken in order, 4 and then the rest: as soon as one of them is wrong whatever more draws
/// would say, the verdict is settled, and the others are not drawn.
class DrawnJudge {
 public:
  using Then = std::function<void(Judgement)>;

  /// Runs are held against `reference`, which is drawn.
  DrawnJudge(Dispatcher& dispatcher, const Reference& reference);
  /// Held against `reference`, and against the draws of `other`, which has the same samples and knows the same of
  /// rounding. Both live as long as anything is drawn.
  DrawnJudge(const Reference& reference, const DrawnJudge& other);
  DrawnJudge(const DrawnJudge&) = delete;
  DrawnJudge& operator=(const DrawnJudge&) = delete;

  /// `then` may be called at once; until then the binding and the outcome's files must stay.
  void judge(const RunOutcome& outcome, const Binding& binding, Contract contract, const Then& then,
             const DrawLimits& limits = {});

  /// What was drawn so far.
  [[nodiscard]] const KnownRounding& known() const { return *known_; }

 private:
  struct Case {
    RunOutcome outcome;
    const Binding& binding;
    Contract contract;
    Then then;
    DrawLimits limits;
    std::vector<int> draws = {};  ///< by sample: so many it is judged by
    std::size_t batch = 4;
    std::shared_ptr<VariantDraws> of_variant = {};  ///< where it was drawn itself
  };
  using CasePtr = std::shared_ptr<Case>;

  void go_on(const CasePtr& a_case);
  /// Draws the variant itself, where that may tell more; then the case goes on. False where it may not.
  bool ask_variant(const CasePtr& a_case, const Judgement& judgement);
  void take_more(Case& a_case, const std::vector<DrawNeed>& needs);
  [[nodiscard]] bool all_known(const Case& a_case) const;
  void resume();

  Dispatcher& dispatcher_;
  const Reference& reference_;
  std::shared_ptr<KnownRounding> known_;
  std::shared_ptr<RoundingDraws> draws_;
  std::vector<CasePtr> waiting_;
};

}  // namespace culprit
