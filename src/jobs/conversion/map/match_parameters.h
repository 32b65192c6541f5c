#pragma once
// Which parameter of the target is which of the source, or what a converter made of which.

#include <cstdint>
#include <vector>

#include "conversion/map/derived_parameters.h"
#include "conversion/match_tensors.h"

namespace culprit {

/// A parameter of the target: one use of one constant; or a kernel or bias with what would be folded into it, where the
/// target has several layers for what may be one in the source.
struct TargetParameter {
  int layer = -1;
  int value = -1;
  std::size_t at = 0;  ///< of NetworkLayer::inputs
  std::string role, axes;
  TensorOfNumbers tensor;
  std::vector<ReplacedParameter> stands_for = {};  ///< as of DerivedTensor
  std::vector<FoldedPart> folded = {};             ///< as of DerivedTensor
  [[nodiscard]] bool is_stored() const { return folded.empty(); }
};

/// Do they hold the same parameter, one of them folded? Then not both are what the source has.
bool shares_a_part(const TargetParameter& one, const TargetParameter& other);

/// The float parameters of all layers, stored and computed ones, in order. Pure.
std::vector<TargetParameter> parameters_of(const Network& network, const ComputedConstants& computed = {});

struct ParameterMatch {
  std::size_t source = 0;  ///< into the derived tensors
  std::size_t target = 0;  ///< into the target's parameters
  TensorMatch::Kind kind = TensorMatch::Kind::same;
  AxisOrder order = {};  ///< found by the numbers
  /// Is `order` the one that the letters of both give ([O,I,H,W] and [H,W,I,O])? True where letters say nothing.
  bool is_order_expected = true;
  AxisOrder expected = {};     ///< what the letters give; `order` where they say nothing
  double distance = 0;         ///< as of match_tensors
  double mean_difference = 0;  ///< mean |target - source| in that order
  std::int64_t wrong = 0;      ///< elements beyond 1e-6 x max(|p|, rms), of derived ones 1e-5
};

/// Kernels and biases with what stands behind them (map/kernel_units.h), each stage of each: `layer`, `value` and `at`
/// are those of the kernel. Pure.
std::vector<TargetParameter> folded_parameters(const Network& network, const ComputedConstants& computed = {});

/// Stored ones, then folded ones. Pure.
std::vector<TargetParameter> parameters_in_all_forms(const Network& network, const ComputedConstants& computed = {});

/// Pure. Each of the target's parameters at most once; of a derived tensor and those that it is made of the nearest
/// only. Sorted by source.
std::vector<ParameterMatch> match_parameters(const std::vector<DerivedTensor>& source,
                                             const std::vector<TargetParameter>& target);

/// The order that letters give: "OIHW" to "OHWI" is 0, 2, 3, 1. nullopt where letters are missing or others.
std::optional<AxisOrder> order_by_letters(const std::string& source, const std::string& target);

}  // namespace culprit
