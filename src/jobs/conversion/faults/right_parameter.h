#pragma once
// A parameter of the source as the target should have it. Pure.

#include <optional>

#include "conversion/faults/parameter_evidence.h"

namespace culprit {

/// The derived tensor in the order `expected` and the shape of the target's parameter. Where hidden channels come in
/// another order (EvidenceTask: of the known inputs, and channel_orders), its slices come so, too. nullopt: the counts
/// do not fit.
std::optional<Tensor> right_parameter(const EvidenceTask& task, const DerivedTensor& source,
                                      const TargetParameter& target, const AxisOrder& expected);

/// The order in which the target should have it where nothing was matched: by letters, else as it is, else the first
/// that the shapes allow.
std::optional<AxisOrder> likely_order(const DerivedTensor& source, const TargetParameter& target);

/// The factor of each element of the target's parameter, where a kernel was folded; else empty.
std::vector<float> element_factors(const EvidenceTask& task, const DerivedTensor& source, const TargetParameter& target,
                                   const AxisOrder& expected);

}  // namespace culprit
