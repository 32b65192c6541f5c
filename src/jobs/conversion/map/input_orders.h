#pragma once
// In which orders of axes a target can take what a source takes, by shapes and types alone.

#include <span>
#include <vector>

#include "conversion/map/value_order.h"
#include "network/network.h"

namespace culprit {

/// May one be cast to the other: floats among themselves, whole numbers among themselves; what is not declared is any.
bool is_one_kind(DType one, DType other);

/// Orders in which all of `samples` fit the shape that `target` declares, the likeliest first: as it is, channels last,
/// channels first; any other only where none of these fits. The first axis stays the first where the target allows it.
std::vector<ValueOrder> input_orders(std::span<const Tensor> samples, const NetworkValue& target);

/// The shape that a sample gets there.
Shape bound_shape(const Shape& sample, const ValueOrder& order, const NetworkValue& target);

}  // namespace culprit
