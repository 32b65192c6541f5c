#pragma once
// Attributes that the nodes of a function take from where the function is called.

#include <onnx/onnx_pb.h>

#include <memory>

namespace culprit {

/// A copy of a node of `function`, in which the attributes that refer to the function's own are those of `call`, or the
/// function's defaults; where neither has one, the attribute is left out. Graphs inside as well.
std::shared_ptr<const onnx::NodeProto> with_call_attributes(const onnx::NodeProto& node, const onnx::NodeProto& call,
                                                            const onnx::FunctionProto& function);

}  // namespace culprit
