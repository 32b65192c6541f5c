#include "tensor/nudge.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace culprit {
namespace {

/// Works on the bits: in IEEE formats the next number away from zero is the next integer. `infinity`: its bits without
/// the sign.
template <class Bits>
void nudge_bits(std::span<std::byte> bytes, Bits infinity, Random& random, unsigned ulps) {
  constexpr auto sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const auto step = static_cast<std::uint64_t>(ulps);
  std::uint64_t draw = 0;
  for (std::size_t i = 0; (i + 1) * sizeof(Bits) <= bytes.size(); ++i) {
    if (i % 64 == 0) draw = random.next();  // one fair bit an element
    Bits bits = 0;
    std::memcpy(&bits, bytes.data() + i * sizeof(Bits), sizeof bits);
    const std::uint64_t magnitude = bits & static_cast<Bits>(~sign);
    if (magnitude == 0 || magnitude >= infinity) continue;
    const bool outward = ((draw >> (i % 64)) & 1) != 0;
    const std::uint64_t moved = outward            ? std::min<std::uint64_t>(magnitude + step, infinity - 1)
                                : magnitude > step ? magnitude - step
                                                   : 1;
    bits = static_cast<Bits>((bits & sign) | static_cast<Bits>(moved));
    std::memcpy(bytes.data() + i * sizeof(Bits), &bits, sizeof bits);
  }
}

}  // namespace

bool is_nudgeable(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16;
}

void nudge(DType type, std::span<std::byte> bytes, Random& random, unsigned ulps) {
  switch (type) {
    case DType::f64:
      return nudge_bits<std::uint64_t>(bytes, UINT64_C(0x7ff0000000000000), random, ulps);
    case DType::f32:
      return nudge_bits<std::uint32_t>(bytes, UINT32_C(0x7f800000), random, ulps);
    case DType::f16:
      return nudge_bits<std::uint16_t>(bytes, std::uint16_t{0x7c00}, random, ulps);
    case DType::bf16:
      return nudge_bits<std::uint16_t>(bytes, std::uint16_t{0x7f80}, random, ulps);
    default:
      return;
  }
}

Tensor nudged(const Tensor& tensor, Random& random, unsigned ulps) {
  if (!is_nudgeable(tensor.dtype())) return tensor;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  nudge(tensor.dtype(), bytes, random, ulps);
  return Tensor::from_bytes(tensor.dtype(), tensor.shape(), std::move(bytes)).value();  // as many bytes as before
}

}  // namespace culprit
