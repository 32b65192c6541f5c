#include "network/tflite/tflite_types.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "network/tflite/tflite_operators.h"

namespace culprit {

DType dtype_of_tflite(std::int8_t type) {
  static constexpr std::array types{
      std::pair{"FLOAT32", DType::f32},  std::pair{"FLOAT16", DType::f16},   std::pair{"INT32", DType::i32},
      std::pair{"UINT8", DType::u8},     std::pair{"INT64", DType::i64},     std::pair{"STRING", DType::string},
      std::pair{"BOOL", DType::boolean}, std::pair{"INT16", DType::i16},     std::pair{"COMPLEX64", DType::c64},
      std::pair{"INT8", DType::i8},      std::pair{"FLOAT64", DType::f64},   std::pair{"COMPLEX128", DType::c128},
      std::pair{"UINT64", DType::u64},   std::pair{"UINT32", DType::u32},    std::pair{"UINT16", DType::u16},
      std::pair{"INT4", DType::i4},      std::pair{"BFLOAT16", DType::bf16}, std::pair{"UINT4", DType::u4}};
  const std::string name = tflite_type_name(type);
  const auto* const found = std::ranges::find_if(types, [&](const auto& pair) { return name == pair.first; });
  return found == types.end() ? DType::undefined : found->second;
}

std::optional<std::int8_t> tflite_type_of(DType type) {
  constexpr std::int8_t more_than_there_are = 64;
  for (std::int8_t number = 0; number < more_than_there_are; ++number)
    if (type != DType::undefined && dtype_of_tflite(number) == type) return number;
  return std::nullopt;
}

}  // namespace culprit
