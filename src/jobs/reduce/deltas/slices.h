#pragma once
// Parts of tensors along one axis.

#include <optional>

#include "tensor/tensor.h"

namespace culprit {

/// `count` slices from number `from` on. Nothing where there are fewer, and of elements that are no whole bytes.
std::optional<Tensor> slices_of(const Tensor& tensor, std::size_t axis, std::int64_t from, std::int64_t count);

/// One slice, without the axis.
std::optional<Tensor> slice_of(const Tensor& tensor, std::size_t axis, std::int64_t number);

}  // namespace culprit
