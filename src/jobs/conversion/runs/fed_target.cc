#include "conversion/runs/fed_target.h"

#include <algorithm>

#include "base/as_index.h"
#include "conversion/runs/prefix_run.h"
#include "judge/judge.h"

namespace culprit {
namespace {

constexpr int layers_near = 8;

}  // namespace

FedTargetRuns::FedTargetRuns(const BothSides& sides, const std::vector<ValueMatch>& inputs,
                             const std::vector<ValueMatch>& outputs, const std::vector<ValueMatch>& wrong,
                             std::vector<bool> must_be_equal, bool strict)
    : sides_(sides),
      inputs_(inputs),
      outputs_(outputs),
      wrong_(wrong),
      must_be_equal_(std::move(must_be_equal)),
      strict_(strict),
      floors_(sides.source.options.floors, sides.source.draws(false), sides.target.draws(false),
              [&source = sides.source.side](int value) { return source.nature_of(value); }),
      plain_(sides.source.options.floors.tolerance),
      sketches_(sides.target.sketches) {}

Result<std::optional<FedTarget>> FedTargetRuns::whole(const std::vector<ValueMatch>& cuts) { return run(cuts, false); }

Result<std::optional<FedTarget>> FedTargetRuns::near(const std::vector<ValueMatch>& cuts) { return run(cuts, true); }

std::vector<int> FedTargetRuns::shown_near(int target) const {
  std::vector<int> values;
  const auto behind = sides_.target.ways.behind(target, layers_near);
  for (const int value : sides_.target.shown)
    if (behind.contains(value)) values.push_back(value);
  return values;
}

/// Sketches and elements of what the target computes; none where it does not run.
Result<FedTargetRuns::Reading> FedTargetRuns::read(const std::vector<SideFeed>& feeds, const std::vector<int>& values) {
  ReadSide& target = sides_.target;
  const ShowTask task = target.task(false, feeds);
  auto shown = show_values(target.runs, values, task);
  if (!shown) return tl::unexpected(shown.error());
  Reading reading;
  if (!shown->outputs.empty()) {
    reading.sketches = std::move(shown->sketches);
    reading.elements = std::make_unique<ReadAhead>(target.runs, values, reading.sketches, task, shown->kept);
    return reading;
  }
  auto prefix = read_prefix(target, feeds);
  if (!prefix) return tl::unexpected(prefix.error());
  if (prefix->values.empty()) return reading;
  reading.stops = true;
  for (const auto& [value, tensors] : prefix->values) reading.sketches[value] = sketch_of(tensors);
  for (const int input : target.network().inputs) {
    auto given = given_to(target.side, input, target.map_samples, feeds);
    if (!given) return tl::unexpected(given.error());
    prefix->values[input] = std::move(*given);
  }
  reading.elements = std::make_unique<KeptElements>(std::move(prefix->values));
  return reading;
}

/// What was read before the walk.
FedTargetRuns::Reading FedTargetRuns::as_it_came() const {
  Reading reading;
  reading.sketches = sides_.target.sketches;
  reading.elements = sides_.target.elements_on_map();
  return reading;
}

Result<std::optional<FedTarget>> FedTargetRuns::run(const std::vector<ValueMatch>& cuts, bool is_near) {
  const auto feeds = feeds_of(sides_, cuts, sketches_, false);
  if (!feeds) return tl::unexpected(feeds.error());
  ReadSide& target = sides_.target;
  auto reading = is_near                                ? read(*feeds, shown_near(cuts.back().target))
                 : cuts.empty() && target.is_read_whole ? as_it_came()
                                                        : read(*feeds, target.shown);
  if (!reading) return tl::unexpected(reading.error());
  if (reading->elements == nullptr) return std::nullopt;
  FedTarget fed;
  fed.sketches = std::move(reading->sketches);
  for (const int input : target.network().inputs)
    if (const auto sketch = target.sketches.find(input); sketch != target.sketches.end()) fed.sketches.insert(*sketch);
  if (!is_near) floors_.change_target(reading->stops ? DrawnFloors::DrawsOf() : target.draws(false, *feeds));
  ValueMatches known = is_near ? known_ : ValueMatches();
  for (const ValueMatch& input : inputs_) known.emplace(input.source, input);
  for (ValueMatch cut : cuts) {
    cut.by = FoundBy::fed;
    known[cut.source] = cut;
  }
  ValueJudge& judge = is_near ? static_cast<ValueJudge&>(plain_) : floors_;
  auto found =
      match_values({sides_.source.ways, target.ways, sides_.source.sketches, fed.sketches, sides_.source_on_map,
                    *reading->elements, judge, is_near ? std::vector<bool>() : must_be_equal_},
                   known);
  if (!found) return tl::unexpected(found.error());
  fed.found = std::move(*found);
  if (is_near) return fed;
  const std::vector<bool> inherits = drift_is_inherited(fed.found);
  std::erase_if(fed.found, [&](const auto& one) {
    return one.second.by == FoundBy::numbers && inherits[as_index(one.first)] &&
           verdict_of(one.second.measurement) == Verdict::deviates;
  });
  auto bad = bad_outputs(cuts, inherits, *reading->elements, judge);
  if (!bad) return tl::unexpected(bad.error());
  fed.bad_outputs = std::move(*bad);
  sketches_ = fed.sketches;
  known_ = fed.found;
  for (const int output : fed.bad_outputs) known_.erase(output);
  return fed;
}

/// By value of the source: is it behind one that must be equal and is not found? Then what drifts there may drift
/// because of it.
std::vector<bool> FedTargetRuns::drift_is_inherited(const ValueMatches& found) const {
  std::vector<bool> inherits(must_be_equal_.size());
  for (std::size_t value = 0; value < must_be_equal_.size(); ++value) {
    if (!must_be_equal_[value] || found.contains(static_cast<int>(value))) continue;
    for (const int other : sides_.source.ways.values())
      if (sides_.source.ways.is_behind(other, static_cast<int>(value))) inherits[as_index(other)] = true;
    inherits[value] = true;
  }
  return inherits;
}

/// Says what was found out on all samples, of the target as it came: more draws were asked for there than are asked for
/// on the map's samples.
bool FedTargetRuns::is_known_to_be_right(const ValueMatch& output, bool inherits) const {
  return !inherits &&
         std::ranges::none_of(wrong_, [&](const ValueMatch& wrong) { return wrong.source == output.source; });
}

Result<std::vector<int>> FedTargetRuns::bad_outputs(const std::vector<ValueMatch>& cuts,
                                                    const std::vector<bool>& inherits, Elements& elements,
                                                    ValueJudge& judge) {
  std::vector<int> bad;
  for (const ValueMatch& output : outputs_) {
    if (std::ranges::any_of(cuts, [&](const ValueMatch& cut) { return cut.source == output.source; })) continue;
    if (cuts.empty() && is_known_to_be_right(output, inherits[as_index(output.source)])) continue;
    const auto one = sides_.source_on_map.of(output.source);
    if (!one) return tl::unexpected(one.error());
    const auto other = elements.of(output.target);
    if (!other) return tl::unexpected(other.error());
    if (other->empty()) bad.push_back(output.source);  // the target stops before it
    if (one->empty() || other->empty()) continue;
    const auto judged = judge.judge(pair_of(output, *one, *other));
    if (!judged) return tl::unexpected(judged.error());
    const bool must_be_equal = strict_ || inherits[as_index(output.source)];
    if (judged->likeness == Likeness::differs || (must_be_equal && judged->likeness == Likeness::drifts))
      bad.push_back(output.source);
  }
  return bad;
}

}  // namespace culprit
