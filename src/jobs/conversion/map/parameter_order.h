#pragma once
// In which order a parameter of the target holds the numbers of the source's, and what is different in that order.

#include <optional>
#include <string>

#include "conversion/map/match_parameters.h"

namespace culprit {

/// By the letters of both; axes of one element do not count: "OI" of [8,4] to "OIHW" of [8,4,1,1] is 0, 1. nullopt
/// where letters are missing, or those of other axes.
std::optional<AxisOrder> expected_order(const DerivedTensor& source, const TargetParameter& target);

/// The order with the least distance, if that is within `most`; nullopt else. Most pairs that have nothing in common
/// are told apart by a few elements.
std::optional<FoundOrder> parameter_order(const TensorOfNumbers& source, const TensorOfNumbers& target, double most);

/// Fills what is to be said of a pair, once source, target, kind, order and distance are known.
void describe(ParameterMatch& match, const DerivedTensor& source, const TargetParameter& target);

}  // namespace culprit
