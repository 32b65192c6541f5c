#include "tensor/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace culprit {
namespace {

constexpr SmallFormat f16{5, 10, 15, Top::ieee, false};
constexpr SmallFormat bf16{8, 7, 127, Top::ieee, false};
constexpr SmallFormat f8e4m3fn{4, 3, 7, Top::fn, true};
constexpr SmallFormat f8e4m3fnuz{4, 3, 8, Top::fnuz, true};
constexpr SmallFormat f8e5m2{5, 2, 15, Top::ieee, true};
constexpr SmallFormat f8e5m2fnuz{5, 2, 16, Top::fnuz, true};
constexpr SmallFormat f4e2m1{2, 1, 1, Top::finite, true};

std::uint32_t sign_bit(const SmallFormat& format) { return 1U << (format.exponent_bits + format.mantissa_bits); }
std::uint32_t infinity(const SmallFormat& format) { return ((1U << format.exponent_bits) - 1) << format.mantissa_bits; }

std::uint32_t largest_finite(const SmallFormat& format) {
  switch (format.top) {
    case Top::ieee:
      return infinity(format) - 1;
    case Top::fn:
      return sign_bit(format) - 2;
    case Top::fnuz:
    case Top::finite:
      break;
  }
  return sign_bit(format) - 1;
}

std::uint32_t not_a_number(const SmallFormat& format) {
  switch (format.top) {
    case Top::ieee:
      return infinity(format) | 1U << (format.mantissa_bits - 1);
    case Top::fn:
      return sign_bit(format) - 1;
    case Top::fnuz:
      return sign_bit(format);
    case Top::finite:
      break;
  }
  return largest_finite(format);
}

/// The code of a finite |value|, which may run past the largest one: exponent and mantissa are one number that carries.
std::uint64_t rounded_magnitude(const SmallFormat& format, std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const std::uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  const int below_normal = std::max(0, 1 - format.bias - exponent);
  const int shift = 52 - format.mantissa_bits + below_normal;
  if (shift >= 54) return 0;  // less than half the smallest; all of double's own subnormal numbers are
  std::uint64_t kept = mantissa >> shift;
  const std::uint64_t rest = mantissa & ((UINT64_C(1) << shift) - 1);
  const std::uint64_t half = UINT64_C(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  if (below_normal > 0) return kept;
  return kept + (static_cast<std::uint64_t>(exponent + format.bias - 1) << format.mantissa_bits);
}

}  // namespace

const SmallFormat* small_format_of(DType type) {
  switch (type) {
    case DType::f16:
      return &f16;
    case DType::bf16:
      return &bf16;
    case DType::f8e4m3fn:
      return &f8e4m3fn;
    case DType::f8e4m3fnuz:
      return &f8e4m3fnuz;
    case DType::f8e5m2:
      return &f8e5m2;
    case DType::f8e5m2fnuz:
      return &f8e5m2fnuz;
    case DType::f4e2m1:
      return &f4e2m1;
    default:
      return nullptr;
  }
}

std::uint16_t encode_small(const SmallFormat& format, double value) {
  if (std::isnan(value)) return static_cast<std::uint16_t>(not_a_number(format));
  if (std::isinf(value) && format.top == Top::fnuz) return static_cast<std::uint16_t>(not_a_number(format));
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = (bits >> 63) != 0 ? sign_bit(format) : 0;
  const std::uint64_t limit = largest_finite(format);
  std::uint64_t code = std::isinf(value) ? limit + 1 : rounded_magnitude(format, bits & ~(UINT64_C(1) << 63));
  if (code > limit) code = format.saturates ? limit : infinity(format);
  if (code == 0 && format.top == Top::fnuz) return 0;
  return static_cast<std::uint16_t>(sign | code);
}

double decode_small(const SmallFormat& format, std::uint16_t bits) {
  const std::uint32_t magnitude = bits & (sign_bit(format) - 1);
  const bool negative = (bits & sign_bit(format)) != 0;
  const double sign = negative ? -1 : 1;
  const bool nan_in_place_of_minus_zero = format.top == Top::fnuz && magnitude == 0 && negative;
  if (nan_in_place_of_minus_zero || magnitude > largest_finite(format)) {
    if (format.top == Top::ieee && magnitude == infinity(format)) return sign * std::numeric_limits<double>::infinity();
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  }
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint32_t one = 1U << format.mantissa_bits;
  const std::uint32_t mantissa = magnitude & (one - 1);
  const int scale = std::max(exponent, 1) - format.bias - format.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(exponent == 0 ? mantissa : mantissa | one), scale);
}

}  // namespace culprit
