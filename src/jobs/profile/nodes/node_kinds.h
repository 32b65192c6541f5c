#pragma once
// Kinds of nodes that the runtime makes.

#include <onnx/onnx_pb.h>

#include <string>

namespace culprit {

/// The operator without what the runtime says of its form: "Conv" of com.microsoft FusedConv and com.microsoft.nchwc
/// Conv.
std::string base_op(const onnx::NodeProto& node);

/// Gives what it is given in another layout, type or place: ReorderInput, Cast, Transpose, MemcpyFromHost.
bool is_layout(const onnx::NodeProto& node);

/// May it have taken in the nodes behind it (an Add, an activation) under its old name?
bool takes_in(const onnx::NodeProto& node);

/// "Relu": what a fused node does to its result; "": nothing.
std::string activation_of(const onnx::NodeProto& node);

}  // namespace culprit
