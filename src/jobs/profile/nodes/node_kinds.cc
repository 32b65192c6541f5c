#include "profile/nodes/node_kinds.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace culprit {
namespace {

constexpr std::string_view nchwc = "com.microsoft.nchwc", microsoft = "com.microsoft", nhwc = "com.ms.internal.nhwc";

}  // namespace

std::string base_op(const onnx::NodeProto& node) {
  std::string_view op = node.op_type();
  if (node.domain() != microsoft) return std::string(op);
  for (const std::string_view prefix : {"Fused", "Nhwc"})
    if (op.starts_with(prefix)) op.remove_prefix(prefix.size());
  return std::string(op);
}

bool is_layout(const onnx::NodeProto& node) {
  constexpr std::array<std::string_view, 8> ops = {"ReorderInput", "ReorderOutput",  "Cast",         "Transpose",
                                                   "Identity",     "MemcpyFromHost", "MemcpyToHost", "Reshape"};
  return std::ranges::find(ops, node.op_type()) != ops.end();
}

bool takes_in(const onnx::NodeProto& node) {
  const bool is_fused = node.domain() == nchwc || node.domain() == microsoft || node.domain() == nhwc;
  return is_fused && base_op(node) == "Conv";
}

std::string activation_of(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == "activation") return attribute.s();
  return "";
}

}  // namespace culprit
