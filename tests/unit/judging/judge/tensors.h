#pragma once
// Small tensors, for tests of the judge.

#include <vector>

#include "tensor/tensor.h"

namespace culprit {

/// `shape` empty: of one dimension.
inline Tensor floats(const std::vector<float>& values, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  return Tensor::of<float>(shape, values);
}

}  // namespace culprit
