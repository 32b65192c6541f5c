#pragma once
// Tells where the elements of a row-major tensor lie.

#include "tensor/tensor.h"

namespace culprit {

/// How far apart elements lie that are neighbours along each axis.
inline Shape strides_of(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis > 1; --axis) strides[axis - 2] = strides[axis - 1] * shape[axis - 1];
  return strides;
}

}  // namespace culprit
