#include "check/ties.h"

#include <algorithm>
#include <utility>

#include "judge/noise_floor.h"
#include "judge/parts.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

constexpr int tie_draws = 8;
constexpr int most_rounds = 8;
constexpr unsigned far_ulps = 4;
constexpr std::uint64_t first_seed = 101;  // others than the floor's

}  // namespace

void Ties::judge(const RunOutcome& outcome, const Binding& binding, Contract contract, const Then& then) {
  Judgement first = judge_run(outcome, binding, contract, basis_);
  // Also where only a shape differs: which outputs jump is known with the floor, and the draws serve all of them.
  if (!floor_.known() && (asks_for_floor(first.measurements) || !first.exact_differences.empty())) {
    return floor_.need([this, outcome, &binding, contract, then] { judge(outcome, binding, contract, then); });
  }
  if (first.exact_differences.empty() || basis_.options.draws <= 0) return then(std::move(first));
  if (draws_ == nullptr) draws_ = std::make_unique<Draws>(desk_, basis_, "ties");
  if (!draws_->possible()) return then(std::move(first));
  auto a_case = std::make_shared<Case>(Case{outcome, binding, contract, then});
  a_case->samples = std::move(first.exact_differences);
  take_more(a_case);
}

void Ties::take_more(const CasePtr& a_case) {
  const std::size_t end = std::min(a_case->taken + a_case->batch, a_case->samples.size());
  std::vector<std::size_t> unknown;
  for (; a_case->taken < end; ++a_case->taken) {
    const std::size_t sample = a_case->samples[a_case->taken];
    if (asked_.insert(sample).second) unknown.push_back(sample);
  }
  a_case->batch *= 2;
  if (all_drawn(*a_case)) return judge_again(a_case);
  waiting_.push_back(a_case);
  if (!unknown.empty()) ask(std::move(unknown), 0);
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
  if (all || (!wrong.empty() && wrong.front() < below)) return settle(a_case, std::move(judgement));
  take_more(a_case);
}

/// Where a shape was all that was seen, and is excused, the values of other samples count after all.
void Ties::settle(const CasePtr& a_case, Judgement judgement) {
  if (floor_.known() || !asks_for_floor(judgement.measurements)) return a_case->then(std::move(judgement));
  floor_.need([this, a_case] { judge(a_case->outcome, a_case->binding, a_case->contract, a_case->then); });
}

void Ties::ask(std::vector<std::size_t> samples, int number) {
  const auto round = std::make_shared<Round>(Round{std::move(samples), number, tie_draws});
  for (int i = 0; i < tie_draws; ++i) {
    const auto seed = first_seed + static_cast<std::uint64_t>(number * tie_draws + i);
    draws_->ask({seed, i % 2 == 0 ? 1U : far_ulps, round->samples},
                [this, round](const Draw&, const RunOutcome& outcome) { drawn(round, outcome); });
  }
}

/// A draw that failed tells nothing; of an output whose shape it changed it tells by how much.
void Ties::drawn(const RoundPtr& round, const RunOutcome& outcome) {
  for (std::size_t i = 0; i < round->samples.size(); ++i) {
    const std::size_t sample = round->samples[i];
    const bool ran = !outcome.failure.failed() && i < outcome.outputs.size();
    if (ran && mark(sample, outcome.outputs[i])) round->found.insert(sample);
  }
  if (--round->owed == 0) finish(*round);
}

bool Ties::mark(std::size_t sample, const fs::path& outputs) {
  const auto expected = read_pack(basis_.reference[sample]);
  const auto found = read_pack(outputs);
  if (!expected || !found) return false;
  std::int64_t marked = 0;
  for (const PartPair& pair : pair_parts(*expected, *found)) {
    if (pair.is_form || pair.variant == nullptr) continue;
    if (pair.reference->shape() != pair.variant->shape()) {
      if (mark_resize(*pair.reference, *pair.variant, basis_.floors.resized[{sample, pair.label}])) ++marked;
      continue;
    }
    const bool jumps = is_exact(pair.reference->dtype()) || basis_.floors.is_stepped(pair.label);
    if (!jumps || pair.reference->identical(*pair.variant)) continue;
    marked += mark_flips(*pair.reference, *pair.variant, basis_.floors.ties[{sample, pair.label}]);
  }
  return marked > 0;
}

/// Whether a sample is drawn again follows from its own draws alone, not from the variant that asked.
void Ties::finish(const Round& round) {
  std::vector<std::size_t> again;
  for (const std::size_t sample : round.samples) {
    if (round.found.contains(sample) && round.number + 1 < most_rounds) {
      again.push_back(sample);
    } else {
      basis_.floors.drawn.insert(sample);
    }
  }
  if (!again.empty()) ask(std::move(again), round.number + 1);
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
