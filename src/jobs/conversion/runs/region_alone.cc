#include "conversion/runs/region_alone.h"

#include <algorithm>

namespace culprit {

RegionAlone::RegionAlone(const BothSides& sides)
    : sides_(sides),
      on_map_(sides.source.options.floors, sides.source.draws(false), {},
              [&source = sides.source.side](int value) { return source.nature_of(value); }),
      on_all_(sides.source.options.floors, sides.source.draws(true), {},
              [&source = sides.source.side](int value) { return source.nature_of(value); }) {}

TryEdits RegionAlone::of(const FaultRegion& region) {
  return [this, &region](const std::vector<Edit>& edits, bool on_all_samples) {
    return run(region, edits, on_all_samples);
  };
}

Result<std::optional<JudgedPair>> RegionAlone::run(const FaultRegion& region, const std::vector<Edit>& edits,
                                                   bool on_all_samples) {
  const auto feeds = feeds_of(sides_, region.borders, sides_.target.sketches, on_all_samples);
  if (!feeds) return tl::unexpected(feeds.error());
  const auto target = given(region, edits, *feeds, on_all_samples);
  if (!target) return tl::unexpected(target.error());
  if (target->empty()) return std::nullopt;
  const auto source = (on_all_samples ? sides_.source_on_all : sides_.source_on_map).of(region.source);
  if (!source) return tl::unexpected(source.error());
  ValueMatch match;
  match.source = region.source;
  match.target = region.target;
  match.order = region.order;
  auto judged = (on_all_samples ? on_all_ : on_map_).judge(pair_of(match, *source, *target));
  if (!judged) return tl::unexpected(judged.error());
  return *judged;
}

/// What the region gives, by sample; nothing where it does not run.
Result<std::vector<Tensor>> RegionAlone::given(const FaultRegion& region, const std::vector<Edit>& edits,
                                               const std::vector<SideFeed>& feeds, bool on_all_samples) {
  const bool is_inserted = std::ranges::any_of(edits, [&](const Edit& edit) {
    const auto* insert = std::get_if<InsertBehind>(&edit);
    return insert != nullptr && insert->value == region.target;
  });
  if (region.target_layers.empty() && !is_inserted) {  // nothing computes: what is fed is what it gives
    for (const SideFeed& feed : feeds)
      if (feed.value == region.target) return feed.by_sample;
    return std::vector<Tensor>();
  }
  SideView view{.values = {region.target}, .feeds = feeds, .edits = edits, .only_layers = region.target_layers};
  const auto& samples = on_all_samples ? sides_.target.samples : sides_.target.map_samples;
  auto outcome = sides_.target.runs.run(view, samples);
  if (!outcome) return tl::unexpected(outcome.error());
  if (!outcome->has_run) return std::vector<Tensor>();
  return outcome->values[region.target];
}

}  // namespace culprit
