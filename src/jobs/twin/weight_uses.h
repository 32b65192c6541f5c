#pragma once
// What an operator does with a constant that it is given: one table for all that are known.

#include <cstdint>
#include <optional>

#include "tensor/tensor.h"
#include "twin/find_weights.h"

namespace onnx {
class NodeProto;
}

namespace culprit {

struct WeightUse {
  Role role = Role::kernel;
  std::int64_t fan_in = 1;
};

/// What `node` does with a constant of this shape as input `position`; nothing where it is not taken as a weight.
std::optional<WeightUse> weight_use(const onnx::NodeProto& node, int position, const Shape& shape);

/// Does the node only hand on or rearrange the elements of its first input?
bool only_moves(const onnx::NodeProto& node);

/// The shape behind such a node, as far as it is simple to tell; else the shape before it.
Shape moved_shape(const onnx::NodeProto& node, const Shape& shape);

/// Does the scale of the node's output follow that of this input, if it is a kernel? Not so in recurrent nets.
bool scales_with(const onnx::NodeProto& node, int position);

/// The input that is the bias of such a node, -1 where it has none.
int bias_position(const onnx::NodeProto& node);

}  // namespace culprit
