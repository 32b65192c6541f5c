#include "twin/weight_uses.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>

#include "model/graph_walk.h"

namespace culprit {
namespace {

constexpr std::array<std::string_view, 8> moving = {"Identity",  "Reshape", "Transpose", "Squeeze",
                                                    "Unsqueeze", "Flatten", "Cast",      "Dropout"};

std::int64_t integer(const onnx::NodeProto& node, std::string_view name, std::int64_t otherwise) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) return attribute.i();
  }
  return otherwise;
}

std::int64_t product(const Shape& shape, std::size_t from) {
  std::int64_t count = 1;
  for (std::size_t i = from; i < shape.size(); ++i) count *= std::max<std::int64_t>(shape[i], 1);
  return count;
}

/// The size of an axis counted from the end, 1 where there is none.
std::int64_t from_end(const Shape& shape, std::size_t axis) {
  return axis < shape.size() ? std::max<std::int64_t>(shape[shape.size() - 1 - axis], 1) : 1;
}

std::int64_t fan_in_of_conv_transpose(const onnx::NodeProto& node, const Shape& shape) {
  std::int64_t count =
      shape.empty() ? 1 : shape[0] * product(shape, 2) / std::max<std::int64_t>(integer(node, "group", 1), 1);
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() != "strides") continue;
    for (const std::int64_t stride : attribute.ints()) count /= std::max<std::int64_t>(stride, 1);
  }
  return std::max<std::int64_t>(count, 1);
}

std::int64_t fan_in_of_gemm(const onnx::NodeProto& node, int position, const Shape& shape) {
  const bool turned = integer(node, position == 0 ? "transA" : "transB", 0) != 0;
  return from_end(shape, (position == 0) == turned ? 1 : 0);
}

std::int64_t fan_in(const onnx::NodeProto& node, int position, const Shape& shape) {
  const std::string_view op = node.op_type();
  if (op == "ConvTranspose") return fan_in_of_conv_transpose(node, shape);
  if (op == "Gemm") return fan_in_of_gemm(node, position, shape);
  if (op == "MatMul") return from_end(shape, position == 1 && shape.size() > 1 ? 1 : 0);
  if (op == "LSTM" || op == "GRU" || op == "RNN") return from_end(shape, 0);
  return product(shape, 1);  // Conv; of Einsum it is a guess
}

using Roles = std::map<int, Role>;

const Roles* roles_in(std::string_view op) {
  static const Roles affine{{1, Role::scale}, {2, Role::shift}};
  static const Roles product{{0, Role::scale}, {1, Role::scale}};
  static const Roles sum{{0, Role::shift}, {1, Role::shift}};
  static const Roles conv{{1, Role::kernel}, {2, Role::shift}};
  static const Roles recurrent{{1, Role::kernel}, {2, Role::kernel}, {3, Role::shift}, {7, Role::shift}};
  static const std::map<std::string_view, Roles> table{
      {"Conv", conv},
      {"ConvTranspose", conv},
      {"Gemm", {{0, Role::kernel}, {1, Role::kernel}, {2, Role::shift}}},
      {"MatMul", {{0, Role::kernel}, {1, Role::kernel}}},
      {"Einsum", {{0, Role::kernel}, {1, Role::kernel}}},
      {"LSTM", recurrent},
      {"GRU", recurrent},
      {"RNN", recurrent},
      {"BatchNormalization", {{1, Role::scale}, {2, Role::shift}, {3, Role::mean}, {4, Role::variance}}},
      {"InstanceNormalization", affine},
      {"LayerNormalization", affine},
      {"GroupNormalization", affine},
      {"RMSNormalization", affine},
      {"PRelu", {{1, Role::slope}}},
      {"Gather", {{0, Role::table}}},
      {"Mul", product},
      {"Div", {{1, Role::scale}}},
      {"Add", sum},
      {"Sub", sum},
      {"Sum", sum},
  };
  const auto found = table.find(op);
  return found == table.end() ? nullptr : &found->second;
}

Shape transposed(const onnx::NodeProto& node, const Shape& shape) {
  Shape turned(shape.rbegin(), shape.rend());
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() != "perm" || attribute.ints_size() != static_cast<int>(shape.size())) continue;
    for (int i = 0; i < attribute.ints_size(); ++i) {
      const std::int64_t axis = attribute.ints(i);
      if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size())) return shape;
      turned[static_cast<std::size_t>(i)] = shape[static_cast<std::size_t>(axis)];
    }
  }
  return turned;
}

}  // namespace

std::optional<WeightUse> weight_use(const onnx::NodeProto& node, int position, const Shape& shape) {
  if (!domain_of(node.domain()).empty()) return std::nullopt;
  const Roles* roles = roles_in(node.op_type());
  if (roles == nullptr) return std::nullopt;
  const auto role = roles->find(node.op_type() == "Sum" ? std::min(position, 1) : position);
  if (role == roles->end()) return std::nullopt;
  return WeightUse{role->second, role->second == Role::kernel ? fan_in(node, position, shape) : 1};
}

bool only_moves(const onnx::NodeProto& node) {
  return domain_of(node.domain()).empty() && std::ranges::find(moving, node.op_type()) != moving.end();
}

Shape moved_shape(const onnx::NodeProto& node, const Shape& shape) {
  return node.op_type() == "Transpose" ? transposed(node, shape) : shape;
}

bool scales_with(const onnx::NodeProto& node, int position) {
  const std::string_view op = node.op_type();
  if (op == "Conv" || op == "ConvTranspose") return position == 1;
  return (op == "Gemm" || op == "MatMul" || op == "Einsum") && position < 2;
}

int bias_position(const onnx::NodeProto& node) {
  const std::string_view op = node.op_type();
  return op == "Conv" || op == "ConvTranspose" || op == "Gemm" ? 2 : -1;
}

}  // namespace culprit
