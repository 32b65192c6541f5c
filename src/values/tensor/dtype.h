#pragma once
// Element types, with the numbers that ONNX gives them (TensorProto.DataType).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace culprit {

enum class DType : std::int32_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  c64 = 14,
  c128 = 15,
  bf16 = 16,
  f8e4m3fn = 17,
  f8e4m3fnuz = 18,
  f8e5m2 = 19,
  f8e5m2fnuz = 20,
  u4 = 21,
  i4 = 22,
  f4e2m1 = 23,
};

/// "float32", "int64", "bool", "float16", ...: numpy's names where it has them.
std::string_view name_of(DType type);
/// Also takes ONNX's and C's short names: float, double, f32, i64.
std::optional<DType> dtype_named(std::string_view name);
std::optional<DType> dtype_from_onnx(std::int32_t number);

/// Bits of one element (4 for the nibble types, which are packed two a byte); 0 for strings and undefined.
std::size_t bits_of(DType type);
bool is_float(DType type);    ///< real floating point of any width
bool is_integer(DType type);  ///< signed or unsigned; not bool

}  // namespace culprit
