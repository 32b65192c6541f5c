#include "trial/variant_draws.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <atomic>

#include "judge/paired_parts.h"
#include "model/operators_differ.h"
#include "tensor/pack_file.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

/// Two runs of a variant may be under way at once.
fs::path new_folder(const Reference& reference) {
  static std::atomic<int> made = 0;
  return reference.folder / "outputs" / ("variant-" + std::to_string(made++) + "-draws");
}

}  // namespace

VariantDraws::VariantDraws(Dispatcher& dispatcher, const Reference& reference, DrawnVariant variant,
                           const Binding& binding)
    : reference_(reference),
      binding_(binding),
      file_(variant.file),
      draws_(dispatcher, reference, new_folder(reference), std::move(variant)) {}

bool VariantDraws::computes_otherwise() const {
  const auto variant = load_proto(file_);
  return variant && reference_.model.proto != nullptr && operators_differ(*reference_.model.proto, *variant);
}

bool VariantDraws::draw(const std::vector<std::size_t>& samples, std::function<void()> then) {
  auto round = std::make_shared<Round>();
  for (const std::size_t sample : samples) {
    if (asked_.insert(sample).second) round->samples.push_back(sample);
  }
  if (round->samples.empty() || !computes_otherwise()) return false;
  round->then = std::move(then);
  draws_.ask({.ulps = 0, .samples = round->samples},
             [this, round](const Draw&, const RunOutcome& outcome) { begin(round, outcome); });
  return true;
}

void VariantDraws::begin(const RoundPtr& round, const RunOutcome& unmoved) {
  for (std::size_t i = 0; i < round->samples.size(); ++i) {
    const bool ran = !unmoved.failure.failed() && i < unmoved.outputs.size();
    auto found = ran ? read_pack(unmoved.outputs[i]) : Result<std::vector<NamedTensor>>();
    round->unmoved.push_back(found ? std::move(*found) : std::vector<NamedTensor>());
    round->drawn.emplace_back();
  }
  for (int number = 0; number < variant_draws; ++number) {
    draws_.ask(draw_of(number, round->samples),
               [this, round](const Draw& draw, const RunOutcome& outcome) { take(*round, draw, outcome); });
  }
}

void VariantDraws::take(Round& round, const Draw& draw, const RunOutcome& outcome) {
  for (std::size_t i = 0; i < round.samples.size(); ++i) {
    if (outcome.failure.failed() || i >= outcome.outputs.size()) continue;
    const auto expected = read_pack(reference_.outputs[round.samples[i]]);
    const auto found = read_pack(outcome.outputs[i]);
    if (!expected || !found) continue;
    const auto unmoved = pair_parts(*expected, round.unmoved[i], binding_.outputs);
    const auto moved = pair_parts(*expected, *found, binding_.outputs);
    for (const PartPair& from : unmoved) {
      const auto to = std::ranges::find(moved, from.label, &PartPair::label);
      if (to == moved.end() || from.is_form || from.variant == nullptr || to->variant == nullptr) continue;
      add_draw(round.drawn[i][from.label], *from.variant, *to->variant, draw.ulps);
    }
  }
  if (--round.owed == 0) finish(round);
}

void VariantDraws::finish(Round& round) {
  for (std::size_t i = 0; i < round.samples.size(); ++i) {
    const auto expected = read_pack(reference_.outputs[round.samples[i]]);
    if (!expected) continue;
    for (const PartPair& pair : pair_parts(*expected, round.unmoved[i], binding_.outputs)) {
      const auto drawn = round.drawn[i].find(pair.label);
      const bool fits = drawn != round.drawn[i].end() && pair.reference->shape() == pair.variant->shape() &&
                        pair.reference->dtype() == pair.variant->dtype();
      if (fits) known_.outputs[{round.samples[i], pair.label}] = explain(*pair.reference, std::move(drawn->second));
    }
  }
  round.then();
}

}  // namespace culprit
