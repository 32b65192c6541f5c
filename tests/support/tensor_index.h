#pragma once
// Elements of tensors by index, for tests.

#include <stdexcept>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace culprit::testing {

using Floats = std::vector<float>;
using Wholes = std::vector<std::int64_t>;

inline Floats floats_of(const Tensor& tensor) {
  Floats numbers;
  for (std::int64_t i = 0; i < tensor.count(); ++i) numbers.push_back(static_cast<float>(tensor.number(i)));
  return numbers;
}
inline Wholes wholes_of(const Tensor& tensor) {
  Wholes numbers;
  for (std::int64_t i = 0; i < tensor.count(); ++i) numbers.push_back(static_cast<std::int64_t>(tensor.number(i)));
  return numbers;
}
inline std::int64_t product_of(const Shape& shape, std::size_t from, std::size_t to) {
  std::int64_t product = 1;
  for (std::size_t i = from; i < to; ++i) product *= shape[i];
  return product;
}
inline void demand(bool is_so, const std::string& why) {
  if (!is_so) throw std::runtime_error(why);
}

/// Calls `visit` with each index of the shape, in row-major order.
template <class Visit>
void each_index(const Shape& shape, const Visit& visit) {
  Wholes at(shape.size(), 0);
  for (std::int64_t left = product_of(shape, 0, shape.size()); left > 0; --left) {
    visit(at);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++at[axis] < shape[axis]) break;
      at[axis] = 0;
    }
  }
}
inline std::size_t offset_of(const Wholes& at, const Shape& shape) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) offset = offset * shape[axis] + at[axis];
  return static_cast<std::size_t>(offset);
}

}  // namespace culprit::testing
