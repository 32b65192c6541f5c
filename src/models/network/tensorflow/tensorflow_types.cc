#include "network/tensorflow/tensorflow_types.h"

#include <algorithm>
#include <array>

namespace culprit {
namespace {

struct TensorFlowType {
  int number;
  DType type;
};
/// Source: DataType in TensorFlow's types.proto.
constexpr std::array tensorflow_types{
    TensorFlowType{1, DType::f32},      TensorFlowType{2, DType::f64},     TensorFlowType{3, DType::i32},
    TensorFlowType{4, DType::u8},       TensorFlowType{5, DType::i16},     TensorFlowType{6, DType::i8},
    TensorFlowType{7, DType::string},   TensorFlowType{8, DType::c64},     TensorFlowType{9, DType::i64},
    TensorFlowType{10, DType::boolean}, TensorFlowType{14, DType::bf16},   TensorFlowType{17, DType::u16},
    TensorFlowType{18, DType::c128},    TensorFlowType{19, DType::f16},    TensorFlowType{22, DType::u32},
    TensorFlowType{23, DType::u64},     TensorFlowType{24, DType::f8e5m2}, TensorFlowType{25, DType::f8e4m3fn}};

}  // namespace

std::optional<DType> dtype_of_tensorflow(int type) {
  const auto* const found = std::ranges::find(tensorflow_types, type, &TensorFlowType::number);
  return found == tensorflow_types.end() ? std::nullopt : std::optional(found->type);
}

std::optional<int> tensorflow_type_of(DType type) {
  const auto* const found = std::ranges::find(tensorflow_types, type, &TensorFlowType::type);
  return found == tensorflow_types.end() ? std::nullopt : std::optional(found->number);
}

}  // namespace culprit
