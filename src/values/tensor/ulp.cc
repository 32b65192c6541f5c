#include "tensor/ulp.h"

#include <bit>
#include <limits>

#include "tensor/small_float.h"

namespace culprit {
namespace {

/// Sign and magnitude -> a place on the number line: neighbours differ by 1, both zeros are 0.
std::int64_t place(bool negative, std::int64_t magnitude) { return negative ? -magnitude : magnitude; }

std::int64_t place(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return place((bits >> 31) != 0, bits & 0x7fffffff);
}

std::int64_t place(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return place((bits >> 63) != 0, static_cast<std::int64_t>(bits & ~(UINT64_C(1) << 63)));
}

std::int64_t place(std::uint16_t bits) { return place((bits >> 15) != 0, bits & 0x7fff); }

std::int64_t distance(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  const bool overflowed = a > b ? __builtin_sub_overflow(a, b, &difference) : __builtin_sub_overflow(b, a, &difference);
  return overflowed ? std::numeric_limits<std::int64_t>::max() : difference;
}

}  // namespace

std::int64_t ulp_distance(float a, float b) { return distance(place(a), place(b)); }
std::int64_t ulp_distance(double a, double b) { return distance(place(a), place(b)); }
std::int64_t ulp_distance_bits16(std::uint16_t a, std::uint16_t b) { return distance(place(a), place(b)); }

double epsilon_of(DType type) {
  if (type == DType::f32 || type == DType::c64) return 0x1p-23;
  if (type == DType::f64 || type == DType::c128) return 0x1p-52;
  const SmallFormat* format = small_format_of(type);
  return format == nullptr ? 0 : 1.0 / static_cast<double>(1 << format->mantissa_bits);
}

double smallest_of(DType type) {
  switch (type) {
    case DType::f64:
    case DType::c128:
      return 0x1p-1074;
    case DType::f32:
    case DType::c64:
      return 0x1p-149;
    case DType::f16:
      return 0x1p-24;
    case DType::bf16:
      return 0x1p-133;
    default:
      return 0;
  }
}

}  // namespace culprit
