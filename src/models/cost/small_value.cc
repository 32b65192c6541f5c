#include "cost/small_value.h"

#include <algorithm>
#include <cmath>

#include "tensor/tensor_proto.h"

namespace culprit {

SmallValue SmallValue::pick(const std::vector<std::size_t>& places, Shape to) const {
  SmallValue picked{dtype, std::move(to)};
  for (const std::size_t place : places) {
    if (is_real()) {
      picked.real.push_back(real[place]);
    } else {
      picked.whole.push_back(whole[place]);
    }
  }
  return picked;
}

std::optional<SmallValue> SmallValue::broadcast_to(const Shape& target) const {
  if (shape.size() > target.size() || elements_of(target) > most_small_elements) return std::nullopt;
  const std::size_t missing = target.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && shape[axis] != target[axis + missing]) return std::nullopt;
  }
  const auto own = steps_of(shape), all = steps_of(target);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < elements_of(target); ++i) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::size_t index = i / all[axis + missing] % static_cast<std::size_t>(target[axis + missing]);
      if (shape[axis] != 1) place += index * own[axis];
    }
    places.push_back(place);
  }
  return pick(places, target);
}

std::optional<SmallValue> SmallValue::cast_to(DType type) const {
  if (type == dtype) return *this;
  const bool is_known =
      type == DType::f32 || type == DType::f64 || type == DType::i32 || type == DType::i64 || type == DType::boolean;
  if (!is_known) return std::nullopt;
  SmallValue made{type, shape};
  for (std::size_t i = 0; i < count(); ++i) {
    if (type == DType::boolean) {
      made.whole.push_back(number(i) != 0 ? 1 : 0);
    } else if (is_float(type)) {
      made.real.push_back(type == DType::f32 ? static_cast<double>(static_cast<float>(number(i))) : number(i));
    } else if (!is_real()) {
      made.whole.push_back(whole[i]);
    } else if (std::abs(real[i]) < 1e9) {
      made.whole.push_back(static_cast<std::int64_t>(real[i]));
    } else {
      return std::nullopt;
    }
  }
  return made;
}

std::optional<SmallValue> small_value(const onnx::TensorProto& proto) {
  const auto count = element_count(Shape(proto.dims().begin(), proto.dims().end()));
  if (!count || static_cast<std::size_t>(*count) > most_small_elements) return std::nullopt;
  const auto tensor = from_proto(proto);
  if (!tensor) return std::nullopt;
  const DType type = tensor->dtype();
  SmallValue value{type, tensor->shape()};
  for (std::int64_t i = 0; i < tensor->count(); ++i) {
    if (type == DType::i64) {
      value.whole.push_back(tensor->as<std::int64_t>()[static_cast<std::size_t>(i)]);
    } else if (type == DType::i32 || type == DType::boolean) {
      value.whole.push_back(static_cast<std::int64_t>(tensor->number(i)));
    } else if (type == DType::f32 || type == DType::f64) {
      value.real.push_back(tensor->number(i));
    } else {
      return std::nullopt;
    }
  }
  return value;
}

void write_small(const SmallValue& value, onnx::TensorProto& tensor) {
  tensor.set_data_type(static_cast<std::int32_t>(value.dtype));
  for (const std::int64_t size : value.shape) tensor.add_dims(size);
  for (const std::int64_t number : value.whole) {
    if (value.dtype == DType::i64) {
      tensor.add_int64_data(number);
    } else {
      tensor.add_int32_data(static_cast<std::int32_t>(number));
    }
  }
  for (const double number : value.real) {
    if (value.dtype == DType::f64) {
      tensor.add_double_data(number);
    } else {
      tensor.add_float_data(static_cast<float>(number));
    }
  }
}

std::vector<std::size_t> steps_of(const Shape& shape) {
  std::vector<std::size_t> steps(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis > 1; --axis) {
    steps[axis - 2] = steps[axis - 1] * static_cast<std::size_t>(std::max<std::int64_t>(shape[axis - 1], 1));
  }
  return steps;
}

std::size_t elements_of(const Shape& shape) { return static_cast<std::size_t>(element_count(shape).value_or(0)); }

}  // namespace culprit
