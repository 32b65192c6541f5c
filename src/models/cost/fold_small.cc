#include "cost/fold_small.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "cost/op_name.h"
#include "cost/small_value.h"
#include "cost/value_shape.h"
#include "model/rounding_ops.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

using Inputs = std::vector<SmallValue>;
using Made = std::optional<SmallValue>;
/// What it makes of its inputs, in the shape that was inferred.
using Fold = std::function<Made(const onnx::NodeProto&, const Inputs&, const Shape&)>;

constexpr std::int64_t largest_number = std::int64_t{1} << 31;  ///< so that no sum or product overflows

std::optional<std::size_t> axis_in(std::int64_t axis, const Shape& shape) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  return at >= 0 && at < rank ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

Made reshaped(const onnx::NodeProto&, const Inputs& inputs, const Shape& shape) {
  SmallValue same = inputs[0];
  same.shape = shape;
  return same;
}

Made cast(const onnx::NodeProto& node, const Inputs& inputs, const Shape&) {
  const auto type = type_cast_to(node);
  return type ? inputs[0].cast_to(*type) : std::nullopt;
}

Made constant_of_shape(const onnx::NodeProto& node, const Inputs&, const Shape& shape) {
  const auto* value = attribute_of(node, "value");
  SmallValue one{DType::f32, {1}, {}, {0}};
  if (value != nullptr && value->has_t()) {
    const auto stored = small_value(value->t());
    if (!stored || stored->count() != 1) return std::nullopt;
    one = *stored;
  }
  one.shape = {};
  return one.broadcast_to(shape);
}

Made concat(const onnx::NodeProto& node, const Inputs& inputs, const Shape& shape) {
  const auto axis = axis_in(integer_of(node, "axis", 0), shape);
  if (!axis) return std::nullopt;
  SmallValue all{inputs[0].dtype, shape};
  const std::size_t outer = elements_of(Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*axis)));
  for (std::size_t i = 0; i < outer; ++i) {
    for (const auto& part : inputs) {
      if (part.dtype != all.dtype) return std::nullopt;
      const std::size_t block = part.count() / outer;
      for (std::size_t k = i * block; k < (i + 1) * block; ++k) {
        if (all.is_real()) {
          all.real.push_back(part.real[k]);
        } else {
          all.whole.push_back(part.whole[k]);
        }
      }
    }
  }
  return all;
}

Made transpose(const onnx::NodeProto& node, const Inputs& inputs, const Shape& shape) {
  const Shape& from = inputs[0].shape;
  if (from.size() != shape.size()) return std::nullopt;
  std::vector<std::size_t> perm;
  const auto* given = attribute_of(node, "perm");
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const bool is_given = given != nullptr && given->ints_size() == static_cast<int>(from.size());
    const auto at = is_given ? axis_in(given->ints(static_cast<int>(axis)), from) : from.size() - 1 - axis;
    if (!at || from[*at] != shape[axis]) return std::nullopt;
    perm.push_back(*at);
  }
  const auto own = steps_of(from), all = steps_of(shape);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < inputs[0].count(); ++i) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      place += i / all[axis] % static_cast<std::size_t>(shape[axis]) * own[perm[axis]];
    }
    places.push_back(place);
  }
  return inputs[0].pick(places, shape);
}

Made gather(const onnx::NodeProto& node, const Inputs& inputs, const Shape& shape) {
  const Shape& from = inputs[0].shape;
  const auto axis = axis_in(integer_of(node, "axis", 0), from);
  if (!axis || inputs[1].is_real()) return std::nullopt;
  const auto size = static_cast<std::size_t>(from[*axis]);
  const std::size_t inner = steps_of(from)[*axis];
  const std::size_t outer = size == 0 ? 0 : inputs[0].count() / (inner * size);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < outer; ++i) {
    for (const std::int64_t index : inputs[1].whole) {
      const std::int64_t at = index < 0 ? index + from[*axis] : index;
      if (at < 0 || at >= from[*axis]) return std::nullopt;
      for (std::size_t k = 0; k < inner; ++k) places.push_back((i * size + static_cast<std::size_t>(at)) * inner + k);
    }
  }
  return inputs[0].pick(places, shape);
}

/// Starts, axes or steps of a Slice: an attribute in old versions, else an input; nothing where it is left out.
std::vector<std::int64_t> slice_list(const onnx::NodeProto& node, const Inputs& inputs, const char* name,
                                     std::size_t i) {
  if (const auto* list = attribute_of(node, name)) return {list->ints().begin(), list->ints().end()};
  return i < inputs.size() ? inputs[i].whole : std::vector<std::int64_t>();
}

Made slice(const onnx::NodeProto& node, const Inputs& inputs, const Shape& shape) {
  const Shape& from = inputs[0].shape;
  const auto starts = slice_list(node, inputs, "starts", 1), axes = slice_list(node, inputs, "axes", 3);
  const auto steps = slice_list(node, inputs, "steps", 4);
  std::vector<std::int64_t> start(from.size(), 0), step(from.size(), 1);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const auto axis = axis_in(k < axes.size() ? axes[k] : static_cast<std::int64_t>(k), from);
    if (!axis) return std::nullopt;
    const std::int64_t size = from[*axis];
    step[*axis] = k < steps.size() ? std::clamp(steps[k], -largest_number, largest_number) : 1;
    const std::int64_t given = std::clamp(starts[k], -largest_number, largest_number);
    const std::int64_t counted = given < 0 ? given + size : given;
    start[*axis] = std::clamp<std::int64_t>(counted, 0, step[*axis] < 0 ? std::max<std::int64_t>(size - 1, 0) : size);
  }
  const auto own = steps_of(from), all = steps_of(shape);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < elements_of(shape); ++i) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < shape.size() && axis < from.size(); ++axis) {
      const auto index = static_cast<std::int64_t>(i / all[axis] % static_cast<std::size_t>(shape[axis]));
      const std::int64_t at = start[axis] + index * step[axis];
      if (at < 0 || at >= from[axis]) return std::nullopt;
      place += static_cast<std::size_t>(at) * own[axis];
    }
    places.push_back(place);
  }
  return inputs[0].pick(places, shape);
}

Made where(const onnx::NodeProto&, const Inputs& inputs, const Shape& shape) {
  const auto is_so = inputs[0].broadcast_to(shape), one = inputs[1].broadcast_to(shape);
  auto other = inputs[2].broadcast_to(shape);
  if (!is_so || is_so->is_real() || !one || !other || one->dtype != other->dtype) return std::nullopt;
  for (std::size_t i = 0; i < other->count(); ++i) {
    if (is_so->whole[i] == 0) continue;
    if (other->is_real()) {
      other->real[i] = one->real[i];
    } else {
      other->whole[i] = one->whole[i];
    }
  }
  return other;
}

/// Folds two numbers; of integers the result is cut to one, as ONNX's Div does.
template <class Operation>
Fold of_two(Operation operation, bool makes_truth = false) {
  return [operation, makes_truth](const onnx::NodeProto&, const Inputs& inputs, const Shape& shape) -> Made {
    const auto one = inputs[0].broadcast_to(shape), other = inputs[1].broadcast_to(shape);
    if (!one || !other || one->dtype != other->dtype) return std::nullopt;
    SmallValue made{makes_truth ? DType::boolean : one->dtype, shape};
    for (std::size_t i = 0; i < one->count(); ++i) {
      const double number = operation(one->number(i), other->number(i));
      if (!(std::abs(number) <= static_cast<double>(largest_number))) return std::nullopt;
      if (made.is_real()) {
        made.real.push_back(number);
      } else {
        made.whole.push_back(static_cast<std::int64_t>(number));
      }
    }
    return made;
  };
}

template <class Operation>
Fold of_one(Operation operation) {
  return [operation](const onnx::NodeProto&, const Inputs& inputs, const Shape&) -> Made {
    SmallValue made = inputs[0];
    for (auto& number : made.whole) {
      if (std::abs(static_cast<double>(number)) > static_cast<double>(largest_number)) return std::nullopt;
      number = static_cast<std::int64_t>(operation(static_cast<double>(number)));
    }
    for (auto& number : made.real) number = operation(number);
    return made;
  };
}

struct Folder {
  std::size_t least_inputs;
  Fold fold;
};

const std::unordered_map<std::string_view, Folder>& folders() {
  static const std::unordered_map<std::string_view, Folder> all = {
      {"Reshape", {1, reshaped}},
      {"Squeeze", {1, reshaped}},
      {"Unsqueeze", {1, reshaped}},
      {"Identity", {1, reshaped}},
      {"Flatten", {1, reshaped}},
      {"Cast", {1, cast}},
      {"ConstantOfShape", {1, constant_of_shape}},
      {"Concat", {1, concat}},
      {"Transpose", {1, transpose}},
      {"Gather", {2, gather}},
      {"Slice", {1, slice}},
      {"Where", {3, where}},
      {"Add", {2, of_two([](double a, double b) { return a + b; })}},
      {"Sub", {2, of_two([](double a, double b) { return a - b; })}},
      {"Mul", {2, of_two([](double a, double b) { return a * b; })}},
      {"Div", {2, of_two([](double a, double b) { return a / b; })}},
      {"Min", {2, of_two([](double a, double b) { return std::min(a, b); })}},
      {"Max", {2, of_two([](double a, double b) { return std::max(a, b); })}},
      {"Equal", {2, of_two([](double a, double b) { return a == b ? 1.0 : 0.0; }, true)}},
      {"Less", {2, of_two([](double a, double b) { return a < b ? 1.0 : 0.0; }, true)}},
      {"LessOrEqual", {2, of_two([](double a, double b) { return a <= b ? 1.0 : 0.0; }, true)}},
      {"Greater", {2, of_two([](double a, double b) { return a > b ? 1.0 : 0.0; }, true)}},
      {"GreaterOrEqual", {2, of_two([](double a, double b) { return a >= b ? 1.0 : 0.0; }, true)}},
      {"And", {2, of_two([](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, true)}},
      {"Or", {2, of_two([](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, true)}},
      {"Not", {1, of_one([](double a) { return 1 - a; })}},
      {"Neg", {1, of_one([](double a) { return -a; })}},
      {"Floor", {1, of_one([](double a) { return std::floor(a); })}},
      {"Ceil", {1, of_one([](double a) { return std::ceil(a); })}},
  };
  return all;
}

/// Shape and Size need no elements, only that all sizes are known.
Made of_sizes(const onnx::NodeProto& node, const ShapeScope& scope) {
  const auto* type = node.input_size() == 1 ? scope.type(node.input(0)) : nullptr;
  if (type == nullptr) return std::nullopt;
  const ValueShape value = value_shape("", *type);
  const double count = value.count();
  if (!(count >= 0 && count < 9e15)) return std::nullopt;
  if (node.op_type() == "Size") return SmallValue{DType::i64, {}, {static_cast<std::int64_t>(count)}};
  const auto rank = static_cast<std::int64_t>(value.dims->size());
  const auto end_at = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t from = end_at(integer_of(node, "start", 0)), to = end_at(integer_of(node, "end", rank));
  SmallValue sizes{DType::i64, {std::max<std::int64_t>(to - from, 0)}};
  for (std::int64_t axis = from; axis < to; ++axis)
    sizes.whole.push_back((*value.dims)[static_cast<std::size_t>(axis)]);
  return sizes;
}

Made of_elements(const onnx::NodeProto& node, const ShapeScope& scope) {
  const auto folder = folders().find(node.op_type());
  const auto* type = scope.type(node.output(0));
  if (folder == folders().end() || type == nullptr) return std::nullopt;
  const ValueShape shape = value_shape("", *type);
  if (!(shape.count() <= most_small_elements)) return std::nullopt;
  Inputs inputs;
  for (const auto& name : node.input()) {
    const auto* stored = name.empty() ? nullptr : scope.data(name);
    auto value = stored == nullptr ? std::nullopt : small_value(*stored);
    if (!value) return std::nullopt;
    inputs.push_back(std::move(*value));
  }
  if (inputs.size() < folder->second.least_inputs) return std::nullopt;
  return folder->second.fold(node, inputs, *shape.dims);
}

}  // namespace

void fold_small(const onnx::NodeProto& node, ShapeScope& scope) {
  if (node.output_size() != 1 || node.output(0).empty() || !domain_of(node.domain()).empty()) return;
  const bool asks_sizes = node.op_type() == "Shape" || node.op_type() == "Size";
  const auto made = asks_sizes ? of_sizes(node, scope) : of_elements(node, scope);
  if (!made || made->count() > most_small_elements || made->count() != elements_of(made->shape)) return;
  auto& tensor = scope.make_tensor();
  write_small(*made, tensor);
  scope.set_stored(node.output(0), tensor);
}

}  // namespace culprit
