#include "trial/drawn_judge.h"

#include <algorithm>
#include <utility>

#include "model/rounding_natures.h"

namespace culprit {

DrawnJudge::DrawnJudge(Dispatcher& dispatcher, const Reference& reference)
    : dispatcher_(dispatcher),
      reference_(reference),
      known_(std::make_shared<KnownRounding>()),
      draws_(std::make_shared<RoundingDraws>(dispatcher, reference, *known_)) {
  known_->first_directed = reference.samples.size() - reference.directed;
  known_->decisive = reference.decisive.samples;
  draws_->listen([this] { resume(); });
}

DrawnJudge::DrawnJudge(const Reference& reference, const DrawnJudge& other)
    : dispatcher_(other.dispatcher_), reference_(reference), known_(other.known_), draws_(other.draws_) {
  draws_->listen([this] { resume(); });
}

void DrawnJudge::judge(const RunOutcome& outcome, const Binding& binding, Contract contract, const Then& then,
                       const DrawLimits& limits) {
  if (known_->natures.empty() && reference_.model.proto != nullptr)
    known_->natures = natures_of(*reference_.model.proto);
  auto a_case = std::make_shared<Case>(Case{outcome, binding, contract, then, limits});
  a_case->draws.resize(limits.samples == 0 ? reference_.samples.size() : limits.samples);
  go_on(a_case);
}

void DrawnJudge::go_on(const CasePtr& a_case) {
  while (true) {
    const auto& only = a_case->limits.only;
    const auto* of_variant = a_case->of_variant == nullptr ? nullptr : &a_case->of_variant->known();
    Judgement judgement =
        judge_run(a_case->outcome, a_case->binding, a_case->contract, reference_, *known_, a_case->draws,
                  only.empty() ? nullptr : &only, !a_case->limits.unless_within, of_variant);
    const bool is_settled = std::ranges::any_of(judgement.needs, &DrawNeed::settled);
    const bool is_enough = a_case->limits.unless_within && judgement.verdict != Verdict::diverged;
    const bool asks = std::ranges::any_of(judgement.needs, [](const DrawNeed& need) { return need.draws > 0; });
    const bool is_over = is_settled || is_enough || !asks || reference_.options.draws <= 0;
    if (!is_over && !draws_->possible() && !known_->never_moves) {
      known_->never_moves = true;
      continue;  // with what that tells
    }
    if (is_over || !draws_->possible()) {
      if (ask_variant(a_case, judgement)) return;
      return a_case->then(std::move(judgement));
    }
    take_more(*a_case, judgement.needs);
    if (!all_known(*a_case)) break;
  }
  waiting_.push_back(a_case);
  draws_->ask();
}

bool DrawnJudge::ask_variant(const CasePtr& a_case, const Judgement& judgement) {
  if (!a_case->limits.variant || reference_.options.draws <= 0 || judgement.may_be_own.empty()) return false;
  auto& own = a_case->of_variant;
  if (own == nullptr)
    own = std::make_shared<VariantDraws>(dispatcher_, reference_, *a_case->limits.variant, a_case->binding);
  return own->draw(judgement.may_be_own, [this, a_case] { go_on(a_case); });
}

/// First what was begun, then samples that were not drawn yet.
void DrawnJudge::take_more(Case& a_case, const std::vector<DrawNeed>& needs) {
  std::vector<std::size_t> begun, next;
  for (std::size_t sample = 0; sample < needs.size(); ++sample) {
    if (needs[sample].draws > 0) (a_case.draws[sample] > 0 ? begun : next).push_back(sample);
  }
  if (begun.empty()) {
    next.resize(std::min(next.size(), std::exchange(a_case.batch, SIZE_MAX)));
    begun = std::move(next);
  }
  for (const std::size_t sample : begun) {
    draws_->want(sample, a_case.draws[sample], needs[sample].draws);
    a_case.draws[sample] = needs[sample].draws;
  }
}

bool DrawnJudge::all_known(const Case& a_case) const {
  for (std::size_t sample = 0; sample < a_case.draws.size(); ++sample) {
    const int draws = a_case.draws[sample];
    if (draws > 0 && !known_->by_draws.contains({sample, draws})) return false;
  }
  return true;
}

void DrawnJudge::resume() {
  for (const CasePtr& a_case : std::exchange(waiting_, {})) {
    if (all_known(*a_case)) {
      go_on(a_case);
    } else {
      waiting_.push_back(a_case);
    }
  }
}

}  // namespace culprit
