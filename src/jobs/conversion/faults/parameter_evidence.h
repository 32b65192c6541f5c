#pragma once
// What is wrong with parameters of a region, and the edits that would mend it. Pure.

#include <functional>
#include <string>
#include <vector>

#include "conversion/edits/edit.h"
#include "conversion/map/coverage.h"
#include "conversion/walk/suspects.h"
#include "record/diagnosis.h"

namespace culprit {

/// A change of the target that may mend a region, and what it would be called.
struct EditProposal {
  std::vector<Edit> edits;  ///< made together
  FaultClass kind = FaultClass::graph;
  int source_layer = -1;   ///< of the source; -1: the target has a layer more
  std::vector<int> group;  ///< source layers that one target layer holds; else empty
  int target_layer = -1;   ///< -1: the target lacks it
  std::string tensor;      ///< of the target, where it is one
  std::string attribute;   ///< hyper-parameter, where it is one
  FaultEvidence evidence;
  std::string hint =
      {};               ///< of a hyper-parameter: what differs, where nobody knows that it is the mistake; "": nothing
  RepairRecord repair;  ///< `edit`, right and wrong; errors are the confirmer's
  enum class Strength { parameter, hyper, graph } strength = Strength::graph;
  bool is_alternative = false;  ///< an earlier proposal says something else of the same parameter
};

/// Everything that evidence of a region is made from. All must outlive it.
struct EvidenceTask {
  const Ways& source;
  const Ways& target;
  const ConversionMap& map;
  const ValueMatches& known;
  const FaultRegion& region;
  const std::map<int, ValueSketch>& sketches_source;  ///< for shapes
  const std::map<int, ValueSketch>& sketches_target;
  /// By the source's layer: the order of its output channels that kernels give (map/channel_order.h); empty: as they
  /// are. A hypothesis that confirming decides.
  std::map<int, std::vector<std::int64_t>> channel_orders = {};
};

/// For each parameter of the region's target layers that is not what the source's is: the source's in the order that it
/// should have there. Matched ones first (map/match_parameters.h), then those that are left of each role, then biases
/// that the target lacks.
std::vector<EditProposal> parameter_evidence(const EvidenceTask& task);

}  // namespace culprit
