#include "check/ties.h"

#include <algorithm>
#include <utility>

#include "judge/noise_floor.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

constexpr int tie_draws = 8;
constexpr unsigned far_ulps = 4;
constexpr std::uint64_t first_seed = 101;  // others than the floor's

}  // namespace

void Ties::judge(const RunOutcome& outcome, const Binding& binding, Contract contract, Then then) {
  Judgement first = judge_run(outcome, binding, contract, basis_);
  if (first.exact_differences.empty() || basis_.options.draws <= 0) return then(std::move(first));
  if (draws_ == nullptr) draws_ = std::make_unique<Draws>(desk_, basis_, "ties");
  if (!draws_->possible()) return then(std::move(first));
  auto a_case = std::make_shared<Case>(Case{outcome, binding, contract, std::move(then)});
  a_case->samples = std::move(first.exact_differences);
  take_more(a_case);
}

void Ties::take_more(const CasePtr& a_case) {
  const std::size_t end = std::min(a_case->taken + a_case->batch, a_case->samples.size());
  std::vector<std::size_t> unknown;
  for (; a_case->taken < end; ++a_case->taken) {
    const std::size_t sample = a_case->samples[a_case->taken];
    if (!basis_.floors.drawn.contains(sample) && !owed_.contains(sample)) unknown.push_back(sample);
  }
  a_case->batch *= 2;
  if (all_drawn(*a_case)) return judge_again(a_case);
  waiting_.push_back(a_case);
  if (!unknown.empty()) ask(std::move(unknown));
}

bool Ties::all_drawn(const Case& a_case) const {
  return std::all_of(a_case.samples.begin(), a_case.samples.begin() + static_cast<std::ptrdiff_t>(a_case.taken),
                     [&](std::size_t sample) { return basis_.floors.drawn.contains(sample); });
}

/// With the ties of the samples that this case has taken, and no others: so the result does not depend on what other
/// variants had drawn before.
void Ties::judge_again(const CasePtr& a_case) {
  const bool all = a_case->taken == a_case->samples.size();
  const std::size_t below = all ? basis_.samples.size() : a_case->samples[a_case->taken];
  Judgement judgement = judge_run(a_case->outcome, a_case->binding, a_case->contract, basis_, below);
  const auto& wrong = judgement.exact_differences;
  if (all || (!wrong.empty() && wrong.front() < below)) return a_case->then(std::move(judgement));
  take_more(a_case);
}

void Ties::ask(std::vector<std::size_t> samples) {
  for (const std::size_t sample : samples) owed_[sample] = tie_draws;
  for (int i = 0; i < tie_draws; ++i) {
    const Draw draw{first_seed + static_cast<std::uint64_t>(i), i % 2 == 0 ? 1U : far_ulps, samples};
    draws_->ask(draw, [this](const Draw& done, const RunOutcome& outcome) { drawn(done, outcome); });
  }
}

/// A draw that failed, or changed a shape, tells nothing.
void Ties::drawn(const Draw& draw, const RunOutcome& outcome) {
  for (std::size_t i = 0; i < draw.samples.size(); ++i) {
    const std::size_t sample = draw.samples[i];
    if (--owed_[sample] == 0) {
      owed_.erase(sample);
      basis_.floors.drawn.insert(sample);
    }
    if (outcome.failure.failed() || i >= outcome.outputs.size()) continue;
    const auto expected = read_pack(basis_.reference[sample]);
    const auto found = read_pack(outcome.outputs[i]);
    if (!expected || !found) continue;
    for (std::size_t o = 0; o < std::min(expected->size(), found->size()); ++o) {
      const Tensor& reference = (*expected)[o].value;
      if (!is_exact(reference.dtype()) || reference.identical((*found)[o].value)) continue;
      mark_flips(reference, (*found)[o].value, basis_.floors.ties[{sample, (*expected)[o].name}]);
    }
  }
  resume();
}

void Ties::resume() {
  for (const CasePtr& a_case : std::exchange(waiting_, {})) {
    if (all_drawn(*a_case)) {
      judge_again(a_case);
    } else {
      waiting_.push_back(a_case);
    }
  }
}

}  // namespace culprit
