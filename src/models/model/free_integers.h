#pragma once
// Whole numbers that are only reckoned with: whatever they are, nothing gets another size or is looked up elsewhere.

#include <set>
#include <string>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Inputs of integers, without a default, from which no index, length, shape, axis, count of rounds or anything else
/// that steers is made, by whatever operators; what goes into a Loop, a Scan or an operator of an unknown domain is
/// left out.
std::set<std::string> integers_that_steer_nothing(const onnx::ModelProto& model);

}  // namespace culprit
