#pragma once
// A model whose weights were moved by a rounding step each: one draw for the noise floor (docs/judging.md).

#include <cstdint>
#include <set>
#include <string>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Names of values that steer rather than carry: what feeds an exponent, a scale, a zero point, a region, a bound, a
/// threshold, a comparison or a cast to whole numbers, also through operators that only move elements. Inside
/// subgraphs and functions as well; names are not told apart by scope.
std::set<std::string> steering_values(const onnx::ModelProto& model);

/// How many tensors `perturb_weights` would move; looks at types and shapes only, so external data may be outside.
std::int64_t movable_weights(const onnx::ModelProto& model);

/// Moves the float weights of `model` (initializers and Constant nodes, subgraphs and functions included) by `ulps`
/// units in the last place, each element up or down, and along the axes of the sum that it goes into as partial sums
/// err (tensor/imitate_rounding.h). Left alone are single elements, `steering_values`, weights that are cast to another
/// float first (`perturb_results` moves them there), what is exact (masks, counts), external and unreadable tensors.
/// Returns how many tensors were moved. The draw of a tensor follows from seed and name alone.
std::int64_t perturb_weights(onnx::ModelProto& model, std::uint64_t seed, unsigned ulps = 1);

}  // namespace culprit
