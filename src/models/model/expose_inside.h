#pragma once
// Values inside the bodies of If, Loop and Scan made visible as outputs: they tell whether a run came there, and what
// it met.

#include <onnx/onnx_pb.h>

#include <span>
#include <string>
#include <vector>

namespace culprit {

struct Exposed {
  onnx::ModelProto model;
  std::vector<std::string> outputs;  ///< one for each value, behind the model's own; "" for what is nowhere
};

/// A copy with these values as further outputs, those of the top graph by their own names (as `expose`), those inside
/// of a body under made-up ones: as doubles, the first that was made in a run, and no element where no run of the body
/// made any. So a branch gives it to its If, and a Loop carries it along; a Scan gives all, of which the first is
/// taken. Of a name that two bodies have, the first one's. What does not load so has to be run as it is (strings,
/// opsets below 9, a Scan that has nothing to go over).
Exposed expose_inside(const onnx::ModelProto& model, std::span<const std::string> values);

}  // namespace culprit
