#include "check/results/rounding_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "judge/tolerance.h"
#include "tensor/pack_file.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

constexpr std::size_t outputs_named = 3;
constexpr std::int64_t one_in = 10;

/// Calls `visit(sample, outputs)` with the most draws of each sample.
template <class Visit>
void for_each_sample(const KnownRounding& known, const Visit& visit) {
  for (auto at = known.by_draws.begin(); at != known.by_draws.end(); ++at) {
    const auto next = std::next(at);
    const bool has_more = next != known.by_draws.end() && next->first.first == at->first.first;
    if (!has_more) visit(at->first.first, at->second);
  }
}

void add(NoiseFloor& floor, const Explained& explained) {
  floor.eps = explained.eps;
  floor.draws = std::max<std::int64_t>(floor.draws, explained.drawn.draws);
  floor.discarded = std::max<std::int64_t>(floor.discarded, explained.drawn.discarded);
  floor.ties += static_cast<std::int64_t>(explained.drawn.flips.size());
  floor.stepped = explained.drawn.nature == Nature::stepped;
  floor.scales = std::max(floor.scales, static_cast<std::int64_t>(explained.scales.size()));
  for (const Scale& scale : explained.scales) {
    if (floor.samples > 0 && scale.limit <= floor.abs) continue;
    floor.abs = scale.limit;
    floor.deviation = scale.deviation;
    floor.rms = scale.rms;
    floor.rel = scale.rms > 0 ? scale.limit / scale.rms : 0;
  }
  ++floor.samples;
}

/// Elements that rounding may move further than the tolerance.
struct Hidden {
  std::int64_t elements = 0, hidden = 0;
};

Hidden hidden_in(const Tensor& reference, const Explained& explained, const Tolerance& tolerance) {
  Hidden found;
  if (is_exact(reference.dtype()) || reference.dtype() == DType::c64 || reference.dtype() == DType::c128) return found;
  std::vector<Bounds> bounds;
  for (const Scale& scale : explained.scales) bounds.push_back(bounds_for(reference.dtype(), scale.rms, tolerance));
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double r = std::abs(reference.number(i));
    const Bounds& own = bounds[explained.scale_at(at)];
    ++found.elements;
    // Of zeros alone rounding makes no more than the number next to zero.
    if (explained.limit_at(at, r) > own.atol + own.rtol * r + explained.least) ++found.hidden;
  }
  return found;
}

}  // namespace

std::map<std::string, NoiseFloor> noise_floors(const KnownRounding& known) {
  std::map<std::string, NoiseFloor> floors;
  for_each_sample(known, [&](std::size_t, const KnownRounding::Outputs& outputs) {
    for (const auto& [label, explained] : outputs) add(floors[label], explained);
  });
  return floors;
}

std::vector<Warning> hidden_by_rounding(const Reference& reference, const KnownRounding& known) {
  std::map<std::string, Hidden> found;
  for_each_sample(known, [&](std::size_t sample, const KnownRounding::Outputs& outputs) {
    const auto pack =
        reference.is_directed(sample) ? Result<std::vector<NamedTensor>>() : read_pack(reference.outputs[sample]);
    if (!pack) return;
    const auto labels = labels_of(*pack);
    for (std::size_t i = 0; i < pack->size(); ++i) {
      const auto at = outputs.find(labels[i]);
      if (at == outputs.end()) continue;
      const Hidden here = hidden_in((*pack)[i].value, at->second, reference.options.tolerance);
      found[labels[i]].elements += here.elements;
      found[labels[i]].hidden += here.hidden;
    }
  });
  std::vector<std::string> texts;
  for (const auto& [label, of] : found) {
    if (of.hidden > 0 && of.hidden * one_in >= of.elements)
      texts.push_back(fmt::format("{} of {} elements of output '{}'", of.hidden, of.elements, printable(label, 100)));
  }
  if (texts.empty()) return {};
  const std::size_t count = texts.size();
  texts.resize(std::min(count, outputs_named));
  std::string text =
      "rounding alone may move elements further than the tolerance, so smaller faults cannot be seen there: " +
      join(texts, "; ");
  if (count > outputs_named) text += fmt::format("; and {} more outputs", count - outputs_named);
  return {{"floor_hides", text}};
}

}  // namespace culprit
