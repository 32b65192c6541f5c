#pragma once
// Paddings and slices, whose numbers TensorFlow and ONNX put in other places.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "network/network.h"

namespace culprit {

using HyperWords = std::map<std::string, Hyper>;

/// TensorFlow's [begin, end] of each axis as ONNX has them: all begins, then all ends; and back.
void tell_pads_as_onnx(HyperWords& hyper);
std::vector<std::int64_t> tensorflow_pads(const std::vector<std::int64_t>& onnx);

/// Masks and sizes of TensorFlow's slices as ONNX's starts, ends, axes and steps. What ONNX has no word for stays:
/// shrink_axis_mask. All stays where a part is not a constant, or axes are added.
void tell_slice_as_onnx(HyperWords& hyper);

/// One number for each axis from the first on. Where a mask has the bit of an axis, its number means nothing.
struct SliceParts {
  std::vector<std::int64_t> starts, ends, steps;
  std::int64_t begin_mask = 0, end_mask = 0;
  /// What Slice has in the place of ends; -1: up to the end. Nothing where it has no such slice.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> sizes() const;
};
/// A slice in TensorFlow's words, made of ONNX's; nothing where these are not complete, or count axes from the last.
std::optional<SliceParts> tensorflow_slice(const HyperWords& hyper);

}  // namespace culprit
