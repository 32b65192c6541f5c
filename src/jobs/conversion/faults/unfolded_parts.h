#pragma once
// A kernel and its bias that the source has in one layer and the target in several: which of the target's own tensors
// must be another one so that all of them together are what the source has. Pure.

#include <optional>
#include <vector>

#include "conversion/map/match_parameters.h"

namespace culprit {

/// What the target has and what it should have, folded. `right` is laid out as `form` is.
struct FoldedForm {
  const TargetParameter* form = nullptr;  ///< a folded one
  std::vector<float> right;
};

struct UnfoldedTask {
  std::optional<FoldedForm> kernel, bias;  ///< of the same layers
  /// Is the bias right that is not folded? Then a kernel that is wrong by one factor alone is blamed itself.
  bool is_bias_right = false;
};

/// One tensor of the target, or the epsilon of a normalization, that would have to be another one.
struct UnfoldedChange {
  FoldedPart part;
  std::vector<double> right;      ///< by slice of O; of a kernel by element, laid out as the form is
  std::optional<double> epsilon;  ///< then of the normalization that `part` (its variance) is of
  bool is_alternative = false;    ///< an earlier one explains the same
};

/// The likeliest first: where whole slices of the kernel are wrong by a factor, what multiplies them; else the kernel.
/// What is wrong of the bias beyond that is put on a summand: one whose numbers are all the same (a mean that was never
/// set), else the last.
std::vector<UnfoldedChange> unfolded_changes(const UnfoldedTask& task);

}  // namespace culprit
