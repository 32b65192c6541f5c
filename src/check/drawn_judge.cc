#include "check/drawn_judge.h"

#include <algorithm>
#include <utility>

#include "judge/parts.h"
#include "model/natures.h"
#include "tensor/pack.h"
#include "tensor/value.h"

namespace culprit {
namespace {

constexpr std::uint64_t first_seed = 1;

Draw draw_of(int number, const std::vector<std::size_t>& samples) {
  return {first_seed + static_cast<std::uint64_t>(number), ulps_of_draw(number), samples};
}

/// What the draw gave of every output, added. One that failed, or changed an output's form, tells nothing of it.
void add(std::map<std::string, Drawn>& drawn, const std::vector<NamedTensor>& expected,
         const std::vector<NamedTensor>& found, unsigned ulps) {
  std::set<std::string> seen;
  for (const PartPair& pair : pair_parts(expected, found)) {
    const auto at = drawn.find(pair.label);
    if (at == drawn.end()) continue;
    add_draw(at->second, pair, ulps);
    seen.insert(pair.label);
  }
  for (auto& [label, one] : drawn) {
    if (!seen.contains(label)) ++one.discarded;
  }
}

}  // namespace

void DrawnJudge::judge(const RunOutcome& outcome, const Binding& binding, Contract contract, const Then& then,
                       const DrawLimits& limits) {
  if (basis_.known.natures.empty() && basis_.model.proto != nullptr)
    basis_.known.natures = natures_of(*basis_.model.proto);
  auto a_case = std::make_shared<Case>(Case{outcome, binding, contract, then, limits});
  a_case->draws.resize(limits.samples == 0 ? basis_.samples.size() : limits.samples);
  go_on(a_case);
}

void DrawnJudge::go_on(const CasePtr& a_case) {
  while (true) {
    const auto& only = a_case->limits.only;
    Judgement judgement = judge_run(a_case->outcome, a_case->binding, a_case->contract, basis_, a_case->draws,
                                    only.empty() ? nullptr : &only);
    const bool is_settled = std::ranges::any_of(judgement.needs, &DrawNeed::settled);
    const bool is_enough = a_case->limits.unless_within && judgement.verdict != Verdict::diverged;
    if (is_settled || is_enough || basis_.options.draws <= 0 || !possible() || !take_more(*a_case, judgement.needs))
      return a_case->then(std::move(judgement));
    if (!all_known(*a_case)) break;
  }
  waiting_.push_back(a_case);
  ask();
}

bool DrawnJudge::possible() {
  if (draws_ == nullptr) draws_ = std::make_unique<Draws>(desk_, drawn_, basis_.folder / "outputs" / "draws");
  return draws_->possible();
}

/// First what was begun, then samples that were not drawn yet.
bool DrawnJudge::take_more(Case& a_case, const std::vector<DrawNeed>& needs) {
  std::vector<std::size_t> begun, next;
  for (std::size_t sample = 0; sample < needs.size(); ++sample) {
    if (needs[sample].draws > 0) (a_case.draws[sample] > 0 ? begun : next).push_back(sample);
  }
  if (begun.empty()) {
    next.resize(std::min(next.size(), std::exchange(a_case.batch, SIZE_MAX)));
    begun = std::move(next);
  }
  for (const std::size_t sample : begun) {
    want(sample, a_case.draws[sample], needs[sample].draws);
    a_case.draws[sample] = needs[sample].draws;
  }
  return !begun.empty();
}

bool DrawnJudge::all_known(const Case& a_case) const {
  for (std::size_t sample = 0; sample < a_case.draws.size(); ++sample) {
    const int draws = a_case.draws[sample];
    if (draws > 0 && !basis_.known.by_draws.contains({sample, draws})) return false;
  }
  return true;
}

void DrawnJudge::want(std::size_t sample, int from, int to) {
  if (asked_.emplace(sample, to).second) wanted_[{from, to}].push_back(sample);
}

void DrawnJudge::ask() {
  for (auto& [step, samples] : std::exchange(wanted_, {})) {
    auto round = std::make_shared<Round>(Round{step.first, step.second, std::move(samples)});
    start(round);
  }
}

void DrawnJudge::start(const RoundPtr& round) {
  for (const std::size_t sample : round->samples) {
    auto& drawn = round->drawn.emplace_back();
    const auto expected = read_pack(drawn_.reference[sample]);
    if (!expected) continue;
    const auto labels = labels_of(*expected);
    for (std::size_t i = 0; i < expected->size(); ++i) {
      const NamedTensor& output = (*expected)[i];
      const Explained* known = basis_.known.find(sample, round->from, labels[i]);
      if (known != nullptr) drawn[labels[i]] = known->drawn;
      drawn[labels[i]].nature = basis_.known.nature_of(output.name, output.value.dtype());
    }
  }
  round->owed = round->to - round->from;
  for (int number = round->from; number < round->to; ++number) {
    draws_->ask(draw_of(number, round->samples),
                [this, round](const Draw& draw, const RunOutcome& outcome) { take(*round, draw, outcome); });
  }
}

void DrawnJudge::take(Round& round, const Draw& draw, const RunOutcome& outcome) {
  for (std::size_t i = 0; i < round.samples.size(); ++i) {
    const bool ran = !outcome.failure.failed() && i < outcome.outputs.size();
    const auto found = ran ? read_pack(outcome.outputs[i]) : Result<std::vector<NamedTensor>>();
    const auto expected = read_pack(drawn_.reference[round.samples[i]]);
    if (expected) add(round.drawn[i], *expected, found.value_or(std::vector<NamedTensor>()), draw.ulps);
  }
  if (--round.owed == 0) finish(round);
}

void DrawnJudge::finish(Round& round) {
  for (std::size_t i = 0; i < round.samples.size(); ++i) {
    const std::size_t sample = round.samples[i];
    auto& outputs = basis_.known.by_draws[{sample, round.to}];
    const auto expected = read_pack(drawn_.reference[sample]);
    if (!expected) continue;
    const auto labels = labels_of(*expected);
    for (std::size_t o = 0; o < expected->size(); ++o) {
      const auto at = round.drawn[i].find(labels[o]);
      if (at == round.drawn[i].end()) continue;
      const bool says_nothing = is_form((*expected)[o].part) && at->second.resized.empty();
      if (!says_nothing) outputs[labels[o]] = explain((*expected)[o].value, std::move(at->second));
    }
  }
  resume();
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
