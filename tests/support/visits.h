#pragma once
// How often a pass fires: its single applications after which the graph means something else. The library gives no
// such count, and what its passes return does not say it.

#include <onnx/onnx_pb.h>

#include <string>

namespace culprit::testing {

/// Applies the pass once, in this process: not for passes that crash. A pass over the full graph counts 1 if it
/// changes anything. Throws what the pass throws.
int count_visits(const onnx::ModelProto& model, const std::string& pass);

}  // namespace culprit::testing
