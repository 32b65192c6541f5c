#pragma once
// What the places where passes would fire want to see: the table from operators to wishes (docs/inputs.md).

#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/wished_values.h"
#include "optimizer/optimizer.h"

namespace onnx {
class GraphProto;
class ModelProto;
}  // namespace onnx

namespace culprit {

struct Want {
  std::string pass;
  std::string value;  ///< that a node makes, or an input of the model or of a body
  Wish wish = Wish::large;
  WishDetails details = {};
  /// Where the place is in a body (of If, Loop or Scan), what its node makes: a run that makes it came there. Else "".
  std::string inside = {};
};

/// Each value and wish once, in the order of the places, at most 32. Names are not told apart by scope: of two bodies
/// that have one, the first counts.
std::vector<Want> wants_of(std::span<const Place> places, const onnx::ModelProto& model);

/// Inputs from which NaN and infinities reach nothing but operators that hand them on by the book. Where kernels differ
/// (Max, Relu, pools, sums in another order) a NaN says nothing about a pass.
std::set<std::string> inputs_for_not_finite(const onnx::GraphProto& graph);

}  // namespace culprit
