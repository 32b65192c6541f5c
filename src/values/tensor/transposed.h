#pragma once
// A tensor with its axes in another order.

#include <span>

#include "tensor/tensor.h"

namespace culprit {

/// Is each axis of the shape named at most once, and each that counts (of another size than 1)?
bool are_axes_of(std::span<const int> axes, const Shape& shape);

/// The elements of `tensor` with its axes in this order, in the shape `as` of as many elements: [1,3,8,9] by 0,2,3,1 as
/// [1,8,9,3]. Axes of size 1 may be missing. Errors: bad_input, where an axis is not there, is named twice, or is
/// missing and counts, or where `as` has another count of elements; unsupported, for elements without whole bytes.
Result<Tensor> transposed(const Tensor& tensor, std::span<const int> axes, const Shape& as);

}  // namespace culprit
