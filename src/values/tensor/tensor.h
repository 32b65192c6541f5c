#pragma once
// A tensor is a value: a type, a shape and elements in row-major order. Copies share their elements, which never
// change.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensor/dtype.h"

namespace culprit {

using Shape = std::vector<std::int64_t>;

/// The product of the dimensions; an error where one is negative or the product leaves int64 (sizes are never
/// believed).
Result<std::int64_t> element_count(const Shape& shape);
/// Bytes that `count` elements take; nibble types round up; UINT64_MAX where they are too many.
std::uint64_t bytes_for(DType type, std::int64_t count);
std::string to_string(const Shape& shape);  ///< "[1,3,224,224]", "[]" for a scalar

class Tensor {
 public:
  Tensor() = default;
  /// Takes numeric elements as little-endian bytes; an error unless there are exactly as many as type and shape need.
  static Result<Tensor> from_bytes(DType type, Shape shape, std::vector<std::byte> bytes);
  /// Views bytes owned by somebody else (a mapped file) and keeps the owner alive. Same checks; alignment is ours to
  /// mind.
  static Result<Tensor> view(DType type, Shape shape, std::span<const std::byte> bytes,
                             std::shared_ptr<const void> owner);
  static Result<Tensor> from_strings(Shape shape, std::vector<std::string> strings);
  /// For known-good shapes, chiefly in tests: Tensor::of<float>({2}, {1, 2}). Asserts that the counts agree.
  template <class T>
  static Tensor of(const Shape& shape, const std::vector<T>& values);

  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t count() const { return count_; }  ///< elements; 1 for a scalar, 0 for an empty tensor
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }  ///< empty for strings
  [[nodiscard]] std::span<const std::string> strings() const;                ///< empty unless strings
  template <class T>
  [[nodiscard]] std::span<const T> as() const {  ///< the caller knows that T is the element type
    return {reinterpret_cast<const T*>(bytes_.data()), static_cast<std::size_t>(count_)};
  }
  /// Element `i` as a double: floats of any width, integers (64-bit ones rounded), bool as 0 or 1. NaN for strings and
  /// complex.
  [[nodiscard]] double number(std::int64_t i) const;
  [[nodiscard]] bool identical(const Tensor& other) const;  ///< same type, shape and bits

 private:
  DType dtype_ = DType::undefined;
  Shape shape_;
  std::int64_t count_ = 0;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

struct NamedTensor {
  std::string name;
  Tensor value;
  std::string part =
      {};  ///< "" for a tensor; which part of a value that is none: ".length", "[0]" (tensor/structured_value.h)
};

/// The first of that name; nullptr where there is none.
const Tensor* find_value(std::span<const NamedTensor> values, std::string_view name);

/// Makes the same values in another numeric type, rounded once, to nearest even. Integers saturate, and NaN becomes 0;
/// 8- and 4-bit floats saturate as in ONNX's Cast; true is all but 0. An error for strings, and between complex and
/// real.
Result<Tensor> cast(const Tensor& tensor, DType to);

template <class T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<float>() {
  return DType::f32;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::f64;
}
template <>
constexpr DType dtype_of<std::uint8_t>() {
  return DType::u8;
}
template <>
constexpr DType dtype_of<std::int8_t>() {
  return DType::i8;
}
template <>
constexpr DType dtype_of<std::uint16_t>() {
  return DType::u16;
}
template <>
constexpr DType dtype_of<std::int16_t>() {
  return DType::i16;
}
template <>
constexpr DType dtype_of<std::uint32_t>() {
  return DType::u32;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
  return DType::i32;
}
template <>
constexpr DType dtype_of<std::uint64_t>() {
  return DType::u64;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::i64;
}

template <class T>
Tensor Tensor::of(const Shape& shape, const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  auto made = from_bytes(dtype_of<T>(), shape, std::vector<std::byte>(first, first + values.size() * sizeof(T)));
  return made.value();  // throws tl::bad_expected_access where a test's literal is wrong
}

}  // namespace culprit
