#include "conversion/runs/prefix_run.h"

#include <numeric>

#include "base/as_index.h"

namespace culprit {
namespace {

/// What the first layers make and runs can show.
SideView view_of_first(const ReadSide& side, std::size_t count, const std::vector<SideFeed>& feeds) {
  std::vector<int> layers(count);
  std::iota(layers.begin(), layers.end(), 0);
  SideView view{.values = {}, .feeds = feeds, .edits = {}, .only_layers = layers};
  for (const int value : side.shown)
    if (side.ways.maker(value) < static_cast<int>(count)) view.values.push_back(value);
  return view;
}

}  // namespace

Result<PrefixReading> read_prefix(ReadSide& side, const std::vector<SideFeed>& feeds) {
  const std::size_t all = side.network().layers.size();
  const auto bad = first_bad_layer(all, [&](std::size_t count) -> Result<PrefixOutcome> {
    const SideView view = view_of_first(side, count, feeds);
    if (view.values.empty()) return PrefixOutcome{true, true, ""};  // constants alone
    const auto outcome = side.runs.run(view, {side.map_samples.front()});
    if (!outcome) return tl::unexpected(outcome.error());
    return PrefixOutcome{outcome->has_run, outcome->has_run || outcome->stage == RunOutcome::Stage::run, outcome->why};
  });
  if (!bad) return tl::unexpected(bad.error());
  PrefixReading reading{*bad, {}};
  const SideView view = view_of_first(side, *bad ? as_index((*bad)->layer) : all, feeds);
  if (view.values.empty()) return reading;
  auto outcome = side.runs.run(view, side.map_samples);
  if (!outcome) return tl::unexpected(outcome.error());
  reading.values = std::move(outcome->values);
  return reading;
}

}  // namespace culprit
