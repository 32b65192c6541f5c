#pragma once
// Which value of the original a value of the graph that the runtime made of it stands for: has its elements, perhaps in
// another layout or type.
//
// The runtime keeps names: what a fused node makes is called as what the last of its nodes made. Where it does not, it
// says in its own names what it did (checked with ONNX Runtime 1.31 on the zoo):
//   <value>_nchwc                      name of a node of com.microsoft.nchwc whose output was that value (with "_bn" or
//                                      "_mul" between, where a scale became a convolution)
//   InsertedPrecisionFreeCast_<value>  the value in float32 instead of float16
//   <value>_token_<number>             the value in another layout (TransposeOptimizer)
//   _if_then_branch_<value>            the value of a body that took the place of its If (with "token_<number>_"
//   between
//                                      where there are several; and _if_else_branch_)
// What has no such name is found by its node's name, or by its place: the same operator on values that stand for the
// same. A convolution that took an Add or an activation in without a change of name is told by its inputs and its
// attribute; with ONNX Optimizer, which keeps the first name, a changed node is told by what uses its value.

#include <vector>

#include "profile/nodes/flat_model.h"

namespace culprit {

struct StandingValues {
  std::vector<int> original;  ///< by value of the optimized graph: value of the original, or -1
  /// By node of the optimized graph: it only hands on what it is given, in another layout or type, and the original has
  /// no such node there.
  std::vector<bool> hands_on;
};

StandingValues standing_values(const FlatModel& original, const FlatModel& optimized);

}  // namespace culprit
