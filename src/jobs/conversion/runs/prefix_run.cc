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

/// What counts as constant and stops where it is computed (a variable that nobody set) stops all behind it: its layer
/// is the first, though no view of layers holds it.
Result<FirstBadLayer> first_of_constants(ReadSide& side, FirstBadLayer bad) {
  const Network& network = side.network();
  const auto stops = [&](int value) -> Result<bool> {
    if (value < 0 || side.ways.maker(value) < 0 || !side.ways.is_constant(value)) return false;
    if (network.values[as_index(value)].dtype == DType::undefined) return false;  // a handle is no tensor
    const SideView view{.values = {value}, .feeds = {}, .edits = {}, .only_layers = std::vector<int>()};
    const auto outcome = side.runs.run(view, {side.map_samples.front()});
    if (!outcome) return tl::unexpected(outcome.error());
    return !outcome->has_run && outcome->stage == RunOutcome::Stage::run;
  };
  for (bool goes_back = bad.loads; goes_back;) {
    goes_back = false;
    for (const int value : network.layers[as_index(bad.layer)].inputs) {
      const auto is_it = stops(value);
      if (!is_it) return tl::unexpected(is_it.error());
      if (!*is_it) continue;
      bad.layer = side.ways.maker(value);
      goes_back = true;
      break;
    }
  }
  return bad;
}

}  // namespace

Result<PrefixReading> read_prefix(ReadSide& side, const std::vector<SideFeed>& feeds) {
  const std::size_t all = side.network().layers.size();
  const auto bad = first_bad_layer(all, [&](std::size_t count) -> Result<PrefixOutcome> {
    const SideView view = view_of_first(side, count, feeds);
    if (view.values.empty()) return PrefixOutcome{true, true, ""};  // constants alone
    const auto outcome = side.runs.run(view, {side.map_samples.front()});
    if (!outcome) return tl::unexpected(outcome.error());
    return PrefixOutcome{outcome->has_run, outcome->has_run || outcome->stage == RunOutcome::Stage::run,
                         outcome->reason};
  });
  if (!bad) return tl::unexpected(bad.error());
  PrefixReading reading{*bad, {}};
  if (*bad) {
    const auto first = first_of_constants(side, **bad);
    if (!first) return tl::unexpected(first.error());
    reading.bad = *first;
  }
  const SideView view = view_of_first(side, *bad ? as_index((*bad)->layer) : all, feeds);
  if (view.values.empty()) return reading;
  auto outcome = side.runs.run(view, side.map_samples);
  if (!outcome) return tl::unexpected(outcome.error());
  reading.values = std::move(outcome->values);
  return reading;
}

}  // namespace culprit
