#include "reduce/deltas/slices.h"

#include <cstring>

namespace culprit {

std::optional<Tensor> slices_of(const Tensor& tensor, std::size_t axis, std::int64_t from, std::int64_t count) {
  const std::size_t bits = bits_of(tensor.dtype());
  if (bits == 0 || bits % 8 != 0 || axis >= tensor.shape().size()) return std::nullopt;
  if (from < 0 || count < 0 || from > tensor.shape()[axis] - count) return std::nullopt;
  std::size_t inner = bits / 8, outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>(tensor.shape()[i]);
  for (std::size_t i = axis + 1; i < tensor.shape().size(); ++i) inner *= static_cast<std::size_t>(tensor.shape()[i]);
  const std::size_t before = inner * static_cast<std::size_t>(tensor.shape()[axis]);
  const std::size_t after = inner * static_cast<std::size_t>(count), start = inner * static_cast<std::size_t>(from);
  std::vector<std::byte> bytes(outer * after);
  for (std::size_t i = 0; i < outer && after > 0; ++i) {
    std::memcpy(bytes.data() + i * after, tensor.bytes().data() + i * before + start, after);
  }
  Shape shape = tensor.shape();
  shape[axis] = count;
  auto made = Tensor::from_bytes(tensor.dtype(), std::move(shape), std::move(bytes));
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

std::optional<Tensor> slice_of(const Tensor& tensor, std::size_t axis, std::int64_t number) {
  const auto thin = slices_of(tensor, axis, number, 1);
  if (!thin) return std::nullopt;
  Shape shape = thin->shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  auto made = Tensor::from_bytes(thin->dtype(), std::move(shape), {thin->bytes().begin(), thin->bytes().end()});
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

}  // namespace culprit
