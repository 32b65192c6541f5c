#include "trial/rounding_records.h"

#include <algorithm>

#include "judge/hidden_by_rounding.h"
#include "tensor/pack_file.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

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
      if (at != outputs.end()) found[labels[i]].add((*pack)[i].value, at->second, reference.options.tolerance);
    }
  });
  const auto warning = floor_hides(found);
  return warning ? std::vector<Warning>{*warning} : std::vector<Warning>();
}

}  // namespace culprit
