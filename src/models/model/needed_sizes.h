#pragma once
// Which sizes an operator's weights leave to what they are applied to.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/traced_value.h"

namespace culprit {

/// Adds the sizes that this node asks of open dimensions; the first that is asked for stays.
void add_needs(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs,
               std::map<std::string, std::int64_t>& sizes);

}  // namespace culprit
