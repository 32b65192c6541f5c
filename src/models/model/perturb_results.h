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

/// Puts nodes `culprit.Rounding`, which the runtime room has, into a model; subgraphs and model functions included:
/// - behind each node that computes (sums, products, functions of numbers). Each gets moves of its own, so that two
///   branches that are the same come apart. Not behind nodes that only move or choose elements, for those are exact,
///   nor where only shapes or constants are computed; but constants that are cast to another float move behind the
///   Cast, in that type;
/// - before each node that adds up what does not move by itself: inputs as they are given, or values along an axis, for
///   a sum errs as its partial sums do. Only that node sees what moved;
/// - before each recurrent node whose weights do not move by themselves: it rounds at every step, inside.
/// Whole numbers and the like stay as they are (RoundingMoves::may_be_exact). Returns how many were put in.
std::int64_t perturb_results(onnx::ModelProto& model, std::uint64_t seed, unsigned ulps);

/// How many `perturb_results` would put in.
std::int64_t perturbable_results(const onnx::ModelProto& model);

/// Does this tensor move as a weight: more than one float, of which some were rounded (not is_on_a_grid)?
bool moves_in_place(const onnx::TensorProto& tensor);

/// Weights that are cast to another float before they are used: there they move, and not as they are stored.
std::set<std::string> casted_weights(const onnx::ModelProto& model);

}  // namespace culprit
