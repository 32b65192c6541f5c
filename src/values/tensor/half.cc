#include "tensor/half.h"

#include <bit>
#include <limits>

#include "tensor/small_float.h"

namespace culprit {
namespace {

constexpr std::uint32_t f32_infinity = 0x7f800000;

/// Drops the lowest `shift` bits (1..31), rounding to nearest, ties to even.
std::uint32_t round_off(std::uint32_t value, std::uint32_t shift) {
  const std::uint32_t half = 1U << (shift - 1);
  const std::uint32_t odd = (value >> shift) & 1;
  return (value + half - 1 + odd) >> shift;
}

}  // namespace

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | f32_infinity | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x0400) return std::bit_cast<float>(sign | ((magnitude << 13) + ((127U - 15U) << 23)));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24F;  // exact
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  std::uint32_t code = 0;
  if (magnitude > f32_infinity) {  // NaN keeps what fits of its payload; an empty one would be infinity
    const std::uint32_t payload = (magnitude >> 13) & 0x3ff;
    code = 0x7c00 | (payload != 0 ? payload : 0x200);
  } else if (magnitude >= 0x477ff000) {  // 65520 and more
    code = 0x7c00;
  } else if (magnitude >= 0x38800000) {  // 2^-14, the smallest normal number
    code = round_off(magnitude - ((127U - 15U) << 23), 13);
  } else if (magnitude >= 0x33000000) {  // 2^-25, half of the smallest number, which is a tie and goes to 0
    code = round_off((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >> 23));
  }
  return static_cast<std::uint16_t>(sign | code);
}

float bfloat16_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > f32_infinity) {
    const std::uint32_t cut = bits >> 16;
    return static_cast<std::uint16_t>((cut & 0x7f) != 0 ? cut : cut | 0x40);
  }
  return static_cast<std::uint16_t>(round_off(bits, 16));
}

float float8_to_float(std::uint8_t bits, int onnx_type) {
  const SmallFormat* format = small_format_of(static_cast<DType>(onnx_type));
  if (format == nullptr || bits_of(static_cast<DType>(onnx_type)) != 8) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(decode_small(*format, bits));
}

}  // namespace culprit
