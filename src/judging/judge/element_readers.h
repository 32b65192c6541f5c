#pragma once
// Reading elements of every type as numbers, without a branch on the type for each element.

#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tensor/half.h"
#include "tensor/tensor.h"
#include "tensor/ulp.h"

namespace culprit {

/// float and double as they lie in memory.
template <class T>
class PlainElements {
 public:
  using Sum = std::conditional_t<std::is_same_v<T, double>, long double, double>;  // squares must not overflow
  explicit PlainElements(const Tensor& tensor) : data_(reinterpret_cast<const T*>(tensor.bytes().data())) {}
  T at(std::int64_t i) const { return data_[i]; }
  double number(std::int64_t i) const { return static_cast<double>(data_[i]); }
  std::int64_t ulps(std::int64_t i, const PlainElements& other) const { return ulp_distance(data_[i], other.data_[i]); }

 private:
  const T* data_;
};

/// float16 and bfloat16.
template <float (*to_float)(std::uint16_t)>
class HalfElements {
 public:
  using Sum = double;
  explicit HalfElements(const Tensor& tensor) : data_(reinterpret_cast<const std::uint16_t*>(tensor.bytes().data())) {}
  float at(std::int64_t i) const { return to_float(data_[i]); }
  double number(std::int64_t i) const { return static_cast<double>(at(i)); }
  std::int64_t ulps(std::int64_t i, const HalfElements& other) const {
    return ulp_distance_bits16(data_[i], other.data_[i]);
  }

 private:
  const std::uint16_t* data_;
};

/// The 8-bit floats: 256 values, looked up.
class Float8Elements {
 public:
  using Sum = double;
  explicit Float8Elements(const Tensor& tensor) : data_(reinterpret_cast<const std::uint8_t*>(tensor.bytes().data())) {
    for (std::size_t bits = 0; bits < values_.size(); ++bits) {
      values_[bits] = float8_to_float(static_cast<std::uint8_t>(bits), static_cast<int>(tensor.dtype()));
    }
  }
  float at(std::int64_t i) const { return values_[data_[i]]; }
  double number(std::int64_t i) const { return static_cast<double>(at(i)); }
  std::int64_t ulps(std::int64_t i, const Float8Elements& other) const {
    return std::abs(place(data_[i]) - place(other.data_[i]));
  }

 private:
  /// The place of finite bits on the number line, counted from zero: sign and magnitude.
  static std::int64_t place(std::uint8_t bits) { return (bits & 0x80) != 0 ? -(bits & 0x7f) : (bits & 0x7f); }

  const std::uint8_t* data_;
  std::array<float, 256> values_{};
};

/// What Tensor::number gives: types that are rare (nibbles), and bool.
class AnyElements {
 public:
  using Sum = double;
  explicit AnyElements(const Tensor& tensor) : tensor_(&tensor) {}
  double at(std::int64_t i) const { return tensor_->number(i); }
  double number(std::int64_t i) const { return at(i); }
  std::int64_t ulps(std::int64_t, const AnyElements&) const { return 0; }

 private:
  const Tensor* tensor_;
};

/// Calls `work.operator()<Elements>(parts)` for a floating type, with how many numbers lie there: complex ones are two.
template <class Work>
bool with_float_elements(DType type, std::int64_t count, const Work& work) {
  switch (type) {
    case DType::f32:
      work.template operator()<PlainElements<float>>(count);
      return true;
    case DType::f64:
      work.template operator()<PlainElements<double>>(count);
      return true;
    case DType::c64:
      work.template operator()<PlainElements<float>>(2 * count);
      return true;
    case DType::c128:
      work.template operator()<PlainElements<double>>(2 * count);
      return true;
    case DType::f16:
      work.template operator()<HalfElements<half_to_float>>(count);
      return true;
    case DType::bf16:
      work.template operator()<HalfElements<bfloat16_to_float>>(count);
      return true;
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz:
      work.template operator()<Float8Elements>(count);
      return true;
    case DType::f4e2m1:
      work.template operator()<AnyElements>(count);
      return true;
    default:
      return false;
  }
}

}  // namespace culprit
