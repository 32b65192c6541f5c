#include "cost/constant_value.h"

#include "model/traced_value.h"

namespace culprit {
namespace {

/// Longer lists are no shapes, axes or sizes.
constexpr int longest_constant = 4096;

template <class Numbers>
void set_numbers(onnx::TensorProto& tensor, const Numbers& numbers, bool is_scalar) {
  tensor.set_data_type(onnx::TensorProto::INT64);
  if (!is_scalar) tensor.add_dims(numbers.size());
  for (const std::int64_t number : numbers) tensor.add_int64_data(number);
}

}  // namespace

void set_constant(const onnx::NodeProto& node, ShapeScope& scope) {
  if (node.output_size() != 1) return;
  const std::string& name = node.output(0);
  if (const auto* value = attribute_of(node, "value"); value != nullptr && value->has_t()) {
    scope.set_stored(name, value->t());
  } else if (const auto* number = attribute_of(node, "value_int")) {
    auto& tensor = scope.make_tensor();
    set_numbers(tensor, std::initializer_list<std::int64_t>{number->i()}, true);
    scope.set_stored(name, tensor);
  } else if (const auto* list = attribute_of(node, "value_ints");
             list != nullptr && list->ints_size() <= longest_constant) {
    auto& tensor = scope.make_tensor();
    set_numbers(tensor, list->ints(), false);
    scope.set_stored(name, tensor);
  } else if (const auto* floats = attribute_of(node, "value_floats");
             floats != nullptr && floats->floats_size() <= longest_constant) {
    auto& tensor = scope.make_tensor();
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(floats->floats_size());
    for (const float element : floats->floats()) tensor.add_float_data(element);
    scope.set_stored(name, tensor);
  }
}

}  // namespace culprit
