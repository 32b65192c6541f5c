#include "trial/rounding_draws.h"

#include <set>
#include <string>
#include <utility>

#include "judge/paired_parts.h"
#include "model/rounding_natures.h"
#include "tensor/pack_file.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

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

bool RoundingDraws::possible() {
  if (draws_ == nullptr)
    draws_ = std::make_unique<Draws>(dispatcher_, reference_, reference_.folder / "outputs" / "draws");
  return draws_->possible();
}

void RoundingDraws::want(std::size_t sample, int from, int to) {
  if (asked_.emplace(sample, to).second) wanted_[{from, to}].push_back(sample);
}

void RoundingDraws::ask() {
  for (auto& [step, samples] : std::exchange(wanted_, {})) {
    auto round = std::make_shared<Round>(Round{step.first, step.second, std::move(samples)});
    start(round);
  }
}

void RoundingDraws::start(const RoundPtr& round) {
  for (const std::size_t sample : round->samples) {
    auto& drawn = round->drawn.emplace_back();
    const auto expected = read_pack(reference_.outputs[sample]);
    if (!expected) continue;
    const auto labels = labels_of(*expected);
    for (std::size_t i = 0; i < expected->size(); ++i) {
      const NamedTensor& output = (*expected)[i];
      const Explained* known = known_.find(sample, round->from, labels[i]);
      if (known != nullptr) drawn[labels[i]] = known->drawn;
      drawn[labels[i]].nature = known_.nature_of(output.name, output.value.dtype());
    }
  }
  round->owed = round->to - round->from;
  for (int number = round->from; number < round->to; ++number) {
    draws_->ask(draw_of(number, round->samples),
                [this, round](const Draw& draw, const RunOutcome& outcome) { take(*round, draw, outcome); });
  }
}

void RoundingDraws::take(Round& round, const Draw& draw, const RunOutcome& outcome) {
  for (std::size_t i = 0; i < round.samples.size(); ++i) {
    const bool ran = !outcome.failure.failed() && i < outcome.outputs.size();
    const auto found = ran ? read_pack(outcome.outputs[i]) : Result<std::vector<NamedTensor>>();
    const auto expected = read_pack(reference_.outputs[round.samples[i]]);
    if (expected) add(round.drawn[i], *expected, found.value_or(std::vector<NamedTensor>()), draw.ulps);
  }
  if (--round.owed == 0) finish(round);
}

void RoundingDraws::finish(Round& round) {
  for (std::size_t i = 0; i < round.samples.size(); ++i) {
    const std::size_t sample = round.samples[i];
    auto& outputs = known_.by_draws[{sample, round.to}];
    const auto expected = read_pack(reference_.outputs[sample]);
    if (!expected) continue;
    const auto labels = labels_of(*expected);
    for (std::size_t o = 0; o < expected->size(); ++o) {
      const auto at = round.drawn[i].find(labels[o]);
      if (at == round.drawn[i].end()) continue;
      const bool says_nothing = is_form((*expected)[o].part) && at->second.resized.empty();
      if (!says_nothing) outputs[labels[o]] = explain((*expected)[o].value, std::move(at->second));
    }
  }
  for (const auto& listener : listeners_) listener();
}

}  // namespace culprit
