#pragma once
// What goes wrong when networks are converted, each at one place: made in the source's form, before any rewriting.

#include <functional>
#include <string>
#include <vector>

#include "support/conversion_rewrites.h"

namespace culprit::testing {

using Fault = std::function<void(onnx::ModelProto&)>;

/// Changes the constant that the operator number `number` of this type takes at `at`.
inline Fault wrong_weight(const std::string& type, int number, int at, const std::function<Tensor(const Tensor&)>& to) {
  return [=](onnx::ModelProto& model) {
    const std::string name = node_of_type(model, type, number).input(at);
    set_weight(model, name, to(weight(model, name)));
  };
}
inline Fault wrong_attribute(const std::string& type, int number, const std::string& name, const Attribute& value) {
  return [=](onnx::ModelProto& model) { set_attribute(node_of_type(model, type, number), name, value); };
}
inline Fault lost_operator(const std::string& type, int number) {
  return [=](onnx::ModelProto& model) {
    const onnx::NodeProto lost = node_of_type(model, type, number);
    std::vector<onnx::NodeProto> kept;
    for (auto node : all_nodes(model)) {
      if (node.name() == lost.name()) continue;
      std::ranges::replace(*node.mutable_input(), lost.output(0), lost.input(0));
      kept.push_back(node);
    }
    set_nodes(model, kept);
    for (auto& output : *model.mutable_graph()->mutable_output())
      if (output.name() == lost.output(0)) output.set_name(lost.input(0));
  };
}
/// Another operator of one operand.
inline Fault exchanged_operator(const std::string& type, int number, const std::string& by) {
  return [=](onnx::ModelProto& model) {
    onnx::NodeProto& node = node_of_type(model, type, number);
    node.set_op_type(by);
    node.clear_attribute();
    while (node.input_size() > 1) node.mutable_input()->RemoveLast();
  };
}
/// Operators of one operand, one behind the other, before what that operator takes first.
inline Fault added_operators(const std::string& before, int number, const std::vector<onnx::NodeProto>& added) {
  return [=](onnx::ModelProto& model) {
    const std::string name = node_of_type(model, before, number).name();
    std::vector<onnx::NodeProto> made;
    for (auto node : all_nodes(model)) {
      if (node.name() == name) {
        for (onnx::NodeProto one : added) {
          one.add_input(node.input(0));
          node.set_input(0, one.output(0));
          made.push_back(one);
        }
      }
      made.push_back(node);
    }
    set_nodes(model, made);
  };
}
inline Fault swapped_inputs(const std::string& type, int number, int one = 0, int other = 1) {
  return [=](onnx::ModelProto& model) { node_of_type(model, type, number).mutable_input()->SwapElements(one, other); };
}
/// The operator stays what it takes and says, and is called otherwise: Add as Sub, ReduceMean as ReduceMax.
inline Fault renamed_operator(const std::string& type, int number, const std::string& by) {
  return [=](onnx::ModelProto& model) { node_of_type(model, type, number).set_op_type(by); };
}
/// The numbers of another operator's constant.
inline Fault weight_of_another(const std::string& type, int number, int at, int other) {
  return [=](onnx::ModelProto& model) {
    const Tensor theirs = weight(model, node_of_type(model, type, other).input(at));
    set_weight(model, node_of_type(model, type, number).input(at), theirs);
  };
}
/// What is taken last is not taken any more.
inline Fault lost_bias(const std::string& type, int number) {
  return [=](onnx::ModelProto& model) { node_of_type(model, type, number).mutable_input()->RemoveLast(); };
}
/// An operator takes at `at` what another one makes.
inline Fault other_input(const std::string& type, int number, int at, const std::string& maker, int number_of_maker) {
  return [=](onnx::ModelProto& model) {
    node_of_type(model, type, number).set_input(at, node_of_type(model, maker, number_of_maker).output(0));
  };
}
inline Fault both(const Fault& one, const Fault& other) {
  return [=](onnx::ModelProto& model) {
    one(model);
    other(model);
  };
}

// What becomes of a weight.
inline Tensor one_wrong(const Tensor& tensor) {
  Floats numbers = floats_of(tensor);
  numbers[7 % numbers.size()] += 1;
  return Tensor::of<float>(tensor.shape(), numbers);
}
inline Tensor each_number(const Tensor& tensor, const std::function<float(float)>& to) {
  Floats numbers = floats_of(tensor);
  for (float& number : numbers) number = to(number);
  return Tensor::of<float>(tensor.shape(), numbers);
}
inline Tensor to_decimals(const Tensor& tensor, int decimals) {
  const double grid = std::pow(10, decimals);
  return each_number(tensor, [=](float number) { return static_cast<float>(std::round(number * grid) / grid); });
}
inline Tensor to_half(const Tensor& tensor) { return cast(cast(tensor, DType::f16).value(), DType::f32).value(); }
inline Tensor flipped(const Tensor& tensor, std::size_t axis) {
  Wholes order;
  for (auto i = tensor.shape()[axis]; i-- > 0;) order.push_back(i);
  return picked(tensor, axis, order);
}
inline Tensor scaled(const Tensor& tensor, float factor) {
  return each_number(tensor, [=](float number) { return number * factor; });
}
/// Everything is one slice of axis 0 too late.
inline Tensor late_by_one(const Tensor& tensor) {
  Wholes order(static_cast<std::size_t>(tensor.shape()[0]));
  std::iota(order.begin(), order.end(), -1);
  order[0] = tensor.shape()[0] - 1;
  return picked(tensor, 0, order);
}
/// Equal blocks of gates along axis 1 in another order; of a bias, which has two rows of them, in both.
inline Tensor gates_in_order(const Tensor& tensor, const Wholes& gates) {
  const std::int64_t rows = tensor.shape().size() == 2 ? 2 : 1, all = tensor.shape()[1] / rows,
                     gate = all / std::ssize(gates);
  Wholes order;
  for (std::int64_t row = 0; row < rows; ++row)
    for (const auto from : gates)
      for (std::int64_t i = 0; i < gate; ++i) order.push_back(row * all + from * gate + i);
  return picked(tensor, 1, order);
}
/// Places that count by `rows` of `columns`, in the order in which they count by columns.
inline Wholes by_columns(std::int64_t rows, std::int64_t columns) {
  Wholes order;
  for (std::int64_t column = 0; column < columns; ++column)
    for (std::int64_t row = 0; row < rows; ++row) order.push_back(row * columns + column);
  return order;
}
/// Axis 1 counted a picture by channels, and counts it by pixels.
inline Tensor rows_by_pixels(const Tensor& tensor, std::int64_t channels) {
  return picked(tensor, 1, by_columns(channels, tensor.shape()[1] / channels));
}
/// Output channels of `groups` groups as if each group had one channel after the other.
inline Tensor regrouped(const Tensor& tensor, std::int64_t groups) {
  return picked(tensor, 0, by_columns(groups, tensor.shape()[0] / groups));
}
/// The last two axes exchanged, which must be as long.
inline Tensor transposed_square(const Tensor& tensor) {
  const Floats numbers = floats_of(tensor);
  Floats made;
  each_index(tensor.shape(), [&](Wholes at) {
    std::swap(at[at.size() - 1], at[at.size() - 2]);
    made.push_back(numbers.at(offset_of(at, tensor.shape())));
  });
  return Tensor::of<float>(tensor.shape(), made);
}

}  // namespace culprit::testing
