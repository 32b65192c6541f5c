#include "conversion/blame_layers.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/faults/classify.h"
#include "conversion/faults/unreached.h"
#include "conversion/runs/fed_target.h"
#include "conversion/runs/made_up.h"
#include "conversion/runs/region_alone.h"

namespace culprit {
namespace {

class LayerBlame {
 public:
  explicit LayerBlame(const BlameTask& task)
      : task_(task), source_(task.sides.source), target_(task.sides.target), regions_(task.sides) {}

  Result<BlamedLayers> find() {
    if (auto ok = walk_through(); !ok) return tl::unexpected(ok.error());
    for (const WalkStep& step : found_.walked.steps) take_faults(step);
    if (auto ok = look_for_unreached(); !ok) return tl::unexpected(ok.error());
    if (!found_.walked.why_it_stopped.empty())
      found_.warnings.push_back({"not_explained", "outputs are still wrong: " + found_.walked.why_it_stopped});
    return std::move(found_);
  }

 private:
  Result<void> walk_through() {
    FedTargetRuns fed(task_.sides, task_.inputs, task_.outputs, task_.wrong, task_.must_be_equal, task_.is_strict);
    const WalkRuns runs{[&](const auto& cuts) { return fed.whole(cuts); },
                        [&](const auto& cuts) { return fed.near(cuts); },
                        [&](const WalkStep& step) { return explain(step); }};
    auto walked = walk({source_.ways, target_.ways, source_.sketches, task_.map, task_.inputs, task_.outputs,
                        task_.most_faults, task_.most_cuts},
                       runs);
    if (!walked) return tl::unexpected(walked.error());
    found_.walked = std::move(*walked);
    return {};
  }

  /// Is the region wrong alone? Its faults are kept for when the walk takes it.
  Result<bool> explain(const WalkStep& step) {
    auto classified =
        classify({step,
                  {source_.ways, target_.ways, task_.map, step.known, step.region, source_.sketches, target_.sketches},
                  regions_.of(step.region)});
    if (!classified) return tl::unexpected(classified.error());
    const bool is_wrong = !classified->is_right_as_it_is;
    explained_[{step.region.source, step.region.target}] = std::move(*classified);
    return is_wrong;
  }

  void take_faults(const WalkStep& step) {
    if (!step.is_explained)
      found_.warnings.push_back(
          {"not_explained",
           fmt::format("what '{}' computes is not found in the target, and no part of the target is wrong there",
                       printable(source_.network().layers[as_index(source_.ways.maker(step.suspect))].name))});
    for (MendableFault& fault : explained_[{step.region.source, step.region.target}].faults) {
      fault.region = step.region;
      add_fault(std::move(fault), found_.faults);
    }
  }

  Result<void> look_for_unreached() {
    MadeUpRuns made_up(task_.sides);
    UnreachedTask task{task_.map, source_.ways, target_.ways, source_.sketches, target_.sketches};
    for (const WalkStep& step : found_.walked.steps)
      task.blamed.insert(step.region.source_layers.begin(), step.region.source_layers.end());
    auto faults = unreached_faults(
        task, [&](const FaultRegion& region, const std::vector<Edit>& edits) { return made_up.run(region, edits); });
    if (!faults) return tl::unexpected(faults.error());
    for (MendableFault& fault : *faults) add_fault(std::move(fault), found_.faults);
    return {};
  }

  const BlameTask& task_;
  ReadSide& source_;
  ReadSide& target_;
  RegionAlone regions_;
  std::map<std::pair<int, int>, Classified> explained_;  // by the values of the cut
  BlamedLayers found_;
};

}  // namespace

Result<BlamedLayers> blame_layers(const BlameTask& task) { return LayerBlame(task).find(); }

}  // namespace culprit
