#pragma once
// From the first wrong value to the next, with the target fed behind each: so each fault is seen by itself. Pure: what
// has to be run comes through functions.

#include <functional>
#include <string>
#include <vector>

#include "conversion/walk/cuts.h"

namespace culprit {

/// The target under feeds: what its values are, and which of the source's are found.
struct FedTarget {
  std::map<int, ValueSketch> sketches;
  ValueMatches found;            ///< `known` among them
  std::vector<int> bad_outputs;  ///< the source's outputs that are not equal to their bound ones
};

struct WalkStep;

struct WalkRuns {
  /// All values of the target, fed with the source's values at `cuts`. nullopt: it does not run.
  std::function<Result<std::optional<FedTarget>>(const std::vector<ValueMatch>& cuts)> whole;
  /// Feeds the target for the search: fed at the last of `cuts` as well, only what lies within a few layers behind it
  /// is shown.
  std::function<Result<std::optional<FedTarget>>(const std::vector<ValueMatch>& cuts)> near;
  /// Is the region of a step wrong, when it runs alone? Where it is not, the cut was at the wrong place, and the walk
  /// looks for another. Empty: all are.
  std::function<Result<bool>(const WalkStep&)> is_wrong = {};
};

struct WalkTask {
  const Ways& source;
  const Ways& target;
  const std::map<int, ValueSketch>& sketches_source;
  ConversionMap& map;  ///< parameters; `values` is set to what is found at last
  const std::vector<ValueMatch>& inputs;
  const std::vector<ValueMatch>& outputs;
  std::size_t most_faults = 16;
  int most_cuts = 40;
};

/// One blame.
struct WalkStep {
  int suspect = -1;        ///< the source's value
  std::vector<int> group;  ///< the source's layers between it and the cut, in order
  FoundCut cut;
  FaultRegion region;
  ValueMatches known;        ///< when it was found
  bool is_explained = true;  ///< false: no cut left a wrong region
};

struct WalkResult {
  std::vector<WalkStep> steps;
  ValueMatches as_it_came;     ///< what is found without any feed
  std::vector<int> left_bad;   ///< outputs that are still wrong
  int stopped_at = -1;         ///< then the source's value behind which nothing could be cut; -1: of none
  std::string why_it_stopped;  ///< where some are: for people
  std::int64_t tries = 0;
};

/// Errors: of the functions.
Result<WalkResult> walk(const WalkTask& task, const WalkRuns& runs);

}  // namespace culprit
