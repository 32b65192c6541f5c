#pragma once
// Rounding inside a model: what its nodes compute, moved by units in the last place. Random rounding of every result is
// Monte Carlo arithmetic (D. Stott Parker, "Monte Carlo Arithmetic: exploiting randomness in floating-point
// arithmetic", 1997).

#include <cstdint>
#include <set>
#include <string>

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

/// Behind each node that computes (sums, products, functions of numbers; subgraphs and model functions included) puts a
/// node `culprit.Rounding`, which the runtime room has. Each node gets moves of its own, so that two branches that are
/// the same come apart. Not behind nodes that only move or choose elements, for those are exact, nor where only shapes
/// or constants are computed; but constants that are cast to another float move behind the Cast, in that type. Returns
/// how many were put in.
std::int64_t perturb_results(onnx::ModelProto& model, std::uint64_t seed, unsigned ulps);

/// How many `perturb_results` would put in.
std::int64_t perturbable_results(const onnx::ModelProto& model);

/// Inputs of the model that are summed up as they are (by way of operators that only move elements): the order of such
/// sums tells in the last places of what is summed.
std::set<std::string> summed_inputs(const onnx::ModelProto& model);

/// Values that something else than plain arithmetic takes: in x - w the result's rounding is all there is, in a product
/// of matrices the order of the sum counts as well.
std::set<std::string> summed_values(const onnx::ModelProto& model);

/// Are all its elements whole numbers, of which sums are exact? Masks and counts are; false for texts and what is
/// unreadable.
bool holds_whole_numbers(const onnx::TensorProto& tensor);

/// Weights that are cast to another float before they are used: there they move, and not as they are stored.
std::set<std::string> casted_weights(const onnx::ModelProto& model);

}  // namespace culprit
