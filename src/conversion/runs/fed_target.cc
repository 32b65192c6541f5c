#include "conversion/runs/fed_target.h"

#include <algorithm>

#include "base/as_index.h"

namespace culprit {
namespace {

constexpr int layers_near = 8;

}  // namespace

FedTargetRuns::FedTargetRuns(const BothSides& sides, const std::vector<ValueMatch>& inputs,
                             const std::vector<ValueMatch>& outputs, std::vector<bool> must_be_equal, bool strict)
    : sides_(sides),
      inputs_(inputs),
      outputs_(outputs),
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

Result<std::optional<FedTarget>> FedTargetRuns::run(const std::vector<ValueMatch>& cuts, bool is_near) {
  auto feeds = feeds_of(sides_, cuts, sketches_, false);
  if (!feeds) return tl::unexpected(feeds.error());
  ReadSide& target = sides_.target;
  const ShowTask task = target.task(false, *feeds);
  const std::vector<int> values = is_near ? shown_near(cuts.back().target) : target.shown;
  auto shown = show_values(target.runs, values, task);
  if (!shown) return tl::unexpected(shown.error());
  if (shown->outputs.empty()) return std::nullopt;
  FedTarget fed;
  fed.sketches = std::move(shown->sketches);
  for (const int input : target.network().inputs)
    if (const auto sketch = target.sketches.find(input); sketch != target.sketches.end())
      fed.sketches.insert(*sketch);
  ReadAhead elements(target.runs, values, fed.sketches, task);
  if (!is_near) floors_.change_target(target.draws(false, *feeds));
  ValueMatches known = is_near ? known_ : ValueMatches();
  for (const ValueMatch& input : inputs_) known.emplace(input.source, input);
  for (ValueMatch cut : cuts) {
    cut.by = FoundBy::fed;
    known[cut.source] = cut;
  }
  ValueJudge& judge = is_near ? static_cast<ValueJudge&>(plain_) : floors_;
  auto found = match_values({sides_.source.ways, target.ways, sides_.source.sketches, fed.sketches,
                             sides_.source_on_map, elements, judge,
                             is_near ? std::vector<bool>() : must_be_equal_},
                            known);
  if (!found) return tl::unexpected(found.error());
  fed.found = std::move(*found);
  if (is_near) return fed;
  auto bad = bad_outputs(cuts, elements, judge);
  if (!bad) return tl::unexpected(bad.error());
  fed.bad_outputs = std::move(*bad);
  sketches_ = fed.sketches;
  known_ = fed.found;
  for (const int output : fed.bad_outputs) known_.erase(output);
  return fed;
}

Result<std::vector<int>> FedTargetRuns::bad_outputs(const std::vector<ValueMatch>& cuts, Elements& elements,
                                                    ValueJudge& judge) {
  std::vector<int> bad;
  for (const ValueMatch& output : outputs_) {
    if (std::ranges::any_of(cuts, [&](const ValueMatch& cut) { return cut.source == output.source; })) continue;
    const auto one = sides_.source_on_map.of(output.source);
    if (!one) return tl::unexpected(one.error());
    const auto other = elements.of(output.target);
    if (!other) return tl::unexpected(other.error());
    if (one->empty() || other->empty()) continue;
    const auto judged = judge.judge(pair_of(output, *one, *other));
    if (!judged) return tl::unexpected(judged.error());
    const bool must_be_equal = strict_ || std::ranges::find(must_be_equal_, true) != must_be_equal_.end();
    if (judged->likeness == Likeness::differs || (must_be_equal && judged->likeness == Likeness::drifts))
      bad.push_back(output.source);
  }
  return bad;
}

}  // namespace culprit
