#pragma once
// Parameters as floats with letters for their axes, and what converters do with them: scale, stack, slice, reorder.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conversion/map/derived_parameters.h"
#include "network/network.h"

namespace culprit {

struct ParameterNumbers {
  Shape shape;
  std::vector<float> numbers;
  std::string axes;  ///< a letter for each axis, or ""
};

/// The letters for a tensor of so many axes: "OIHW" of a kernel with one spatial axis is "OIW", with three "OIDHW". ""
/// where they do not fit.
std::string letters_for(const std::string& axes, std::size_t rank);

/// The place of a letter; nullopt where it is missing.
std::optional<std::size_t> axis_of(const ParameterNumbers& tensor, char letter);

/// The floats of a constant, stored or computed, as numbers in its shape; of quantized ones what they mean. nullopt: it
/// is none, or not of floats.
std::optional<ParameterNumbers> numbers_of_constant(const Network& network, int value,
                                                    const ComputedConstants& computed);

/// Times a factor for each slice along an axis.
ParameterNumbers times_along(ParameterNumbers tensor, std::size_t axis, std::span<const double> factors);
ParameterNumbers times(ParameterNumbers tensor, double factor);

/// `count` slices along an axis, from `first` on.
ParameterNumbers slice_along(const ParameterNumbers& tensor, std::size_t axis, std::int64_t first, std::int64_t count);

/// One behind the other along an axis. All other sizes must be equal; nullopt where they are not.
std::optional<ParameterNumbers> stacked_along(std::span<const ParameterNumbers> tensors, std::size_t axis);

/// Cut into `order.size()` equal blocks along an axis, and these in another order: block i is what was block order[i].
ParameterNumbers with_blocks(const ParameterNumbers& tensor, std::size_t axis, std::span<const int> order);

}  // namespace culprit
