#pragma once
// How the elements of a value of the target lie beside those of the source's: axes in another order, and perhaps the
// slices along one axis (hidden channels) in another order.

#include <cstdint>
#include <string>
#include <vector>

#include "conversion/axis_order.h"
#include "tensor/tensor.h"

namespace culprit {

/// First the axes (of the whole shape, the batch among them), then the slices along `channel_axis`: the target's slice
/// i is the slice channels[i] of the source in the order of `axes`.
struct ValueOrder {
  AxisOrder axes = {};                      ///< empty: as it is, in the target's shape
  std::vector<std::int64_t> channels = {};  ///< empty: as they are
  int channel_axis = -1;                    ///< of the target
  /// Does every element stay where it is? (The shape may be another one.)
  [[nodiscard]] bool moves_nothing() const;
  bool operator==(const ValueOrder&) const = default;
};

/// The source's tensor as the target has it. Errors: counts of elements, or of slices, that do not fit.
Result<Tensor> laid_out(const Tensor& source, const ValueOrder& order, const Shape& target);
/// The inverse: the target's tensor as the source has it. Errors likewise.
Result<Tensor> brought_back(const Tensor& target, const ValueOrder& order, const Shape& source);
/// The shape that the source's shape has in the order of the axes, where these name all of the source's axes and
/// nothing says that the target has others: [1,3,8,9] by 0,2,3,1 is [1,8,9,3]. What the target should have where its
/// own shape is the wrong one. The source's own shape where `axes` is empty or of the target.
Shape laid_out_shape(const Shape& source, const ValueOrder& order);

/// "as it is"; "axes 0, 2, 3, 1 of [1,3,8,8]"; "..., channels in another order".
std::string to_string(const ValueOrder& order, const Shape& source, const Shape& target);

}  // namespace culprit
