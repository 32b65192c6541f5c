#include "network/tensorflow/tensorflow_types.h"

#include <algorithm>
#include <array>

namespace culprit {
namespace {

struct TensorflowType {
  int number;
  DType type;
};
/// Source: DataType in TensorFlow's types.proto. Its four-bit types have a byte for each element.
constexpr std::array tensorflow_types{
    TensorflowType{1, DType::f32},       TensorflowType{2, DType::f64},
    TensorflowType{3, DType::i32},       TensorflowType{4, DType::u8},
    TensorflowType{5, DType::i16},       TensorflowType{6, DType::i8},
    TensorflowType{8, DType::c64},       TensorflowType{9, DType::i64},
    TensorflowType{10, DType::boolean},  TensorflowType{14, DType::bf16},
    TensorflowType{17, DType::u16},      TensorflowType{18, DType::c128},
    TensorflowType{19, DType::f16},      TensorflowType{22, DType::u32},
    TensorflowType{23, DType::u64},      TensorflowType{24, DType::f8e5m2},
    TensorflowType{25, DType::f8e4m3fn}, TensorflowType{tensorflow_string, DType::string}};

}  // namespace

std::optional<DType> dtype_of_tensorflow(int type) {
  const auto* const found = std::ranges::find(tensorflow_types, type, &TensorflowType::number);
  return found == tensorflow_types.end() ? std::nullopt : std::optional(found->type);
}

std::optional<int> tensorflow_type_of(DType type) {
  const auto* const found = std::ranges::find(tensorflow_types, type, &TensorflowType::type);
  return found == tensorflow_types.end() ? std::nullopt : std::optional(found->number);
}

}  // namespace culprit
