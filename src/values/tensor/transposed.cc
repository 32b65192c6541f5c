#include "tensor/transposed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/as_index.h"
#include "tensor/strides.h"

namespace culprit {
namespace {

/// Tells where each element of the new order stands in the old one, in turn.
template <class Visit>
void for_each_place(const Shape& shape, std::span<const int> axes, const Visit& visit) {
  const Shape strides = strides_of(shape);
  Shape at(axes.size(), 0);
  std::int64_t place = 0;
  const std::int64_t count = element_count(shape).value_or(0);
  for (std::int64_t i = 0; i < count; ++i) {
    visit(static_cast<std::size_t>(place));
    for (std::size_t turn = axes.size(); turn-- > 0;) {
      const std::size_t axis = as_index(axes[turn]);
      place += strides[axis];
      if (++at[turn] < shape[axis]) break;
      place -= strides[axis] * shape[axis];
      at[turn] = 0;
    }
  }
}

}  // namespace

bool are_axes_of(std::span<const int> axes, const Shape& shape) {
  std::vector<bool> named(shape.size(), false);
  for (const int axis : axes) {
    if (axis < 0 || as_index(axis) >= shape.size() || named[as_index(axis)]) return false;
    named[as_index(axis)] = true;
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!named[axis] && shape[axis] != 1) return false;
  return true;
}

Result<Tensor> transposed(const Tensor& tensor, std::span<const int> axes, const Shape& as) {
  const Shape& shape = tensor.shape();
  if (!are_axes_of(axes, shape) || element_count(as).value_or(-1) != tensor.count())
    return fail(ErrorKind::bad_input,
                fmt::format("axes {} of {} do not make {}", fmt::join(axes, ","), to_string(shape), to_string(as)));
  const std::size_t bits = bits_of(tensor.dtype()), width = bits / 8;
  if (width == 0 || bits % 8 != 0)
    return fail(ErrorKind::unsupported, fmt::format("elements of {} cannot be moved", name_of(tensor.dtype())));
  std::vector<std::byte> bytes(tensor.bytes().size());
  std::byte* to = bytes.data();
  for_each_place(shape, axes, [&](std::size_t place) {
    std::memcpy(to, tensor.bytes().data() + place * width, width);
    to += width;
  });
  return Tensor::from_bytes(tensor.dtype(), as, std::move(bytes));
}

}  // namespace culprit
