#pragma once
// Operators that only move elements: where each element of the result stood before.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

struct Move {
  static constexpr std::int64_t filled = -1;
  Shape shape;
  std::vector<std::int64_t> from;  ///< by element of the result: its place before, or `filled`
};

using Numbers = std::vector<std::int64_t>;

/// `order` empty: reversed. All of these: nullopt where the arguments make no sense for the
/// shape, or the result is absurdly large.
std::optional<Move> transposed(const Shape& shape, Numbers order);
/// As ONNX's Slice: ends beyond the size are clamped, negative numbers count from the end. `axes` empty: the first
/// ones; `steps` empty: 1.
std::optional<Move> sliced(const Shape& shape, const Numbers& starts, const Numbers& ends, Numbers axes, Numbers steps);
/// As ONNX's Pad: all that comes before, then all that comes after. Negative pads crop.
std::optional<Move> padded(const Shape& shape, const Numbers& pads);
/// Along one axis, by indices of rank 1.
std::optional<Move> gathered(const Shape& shape, const Numbers& indices, std::int64_t axis);

/// 0 <= axis < rank, or nullopt.
std::optional<std::size_t> axis_in(std::int64_t axis, std::size_t rank);
/// The shape that ONNX's Reshape makes of it: 0 keeps a size (unless `allow_zero`), one -1 takes the rest.
std::optional<Shape> shape_like(const Shape& shape, Numbers wanted, bool allow_zero);
std::optional<Shape> squeezed(const Shape& shape, const Numbers& axes);
std::optional<Shape> unsqueezed(const Shape& shape, const Numbers& axes);

}  // namespace culprit
