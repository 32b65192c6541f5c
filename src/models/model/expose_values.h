#pragma once
// Values inside a model made visible as outputs, and which of them mean the same in a model and a variant of it.

#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace culprit {

/// Values inside the top graph that can be held against a tolerance, in the order of the nodes: outputs of nodes, not
/// of the graph; tensors of numbers as far as their type is declared (where it is not, what comes out tells). Left out
/// is what jumps where its inputs move by rounding alone, and all that follows from it: floats that were turned into
/// integers or truth values (ArgMax, TopK, Round, Cast, Greater, quantized kernels) and what comes out of nodes with
/// subgraphs. Shapes are no such thing: they do not follow from values.
std::vector<std::string> inner_values(const onnx::ModelProto& model);

/// At most `most` of them, evenly spread, the last among them.
std::vector<std::string> spread(const std::vector<std::string>& values, std::size_t most);

/// The ones of `values` that mean the same in both: a node of the top graph makes them in both, and what consumes them
/// is the same: operator, attributes, place among its inputs, names of its outputs; or the graph, as an output. A
/// fusion keeps names and changes meanings (fuse_bn_into_conv leaves the name of the convolution's result to the
/// normalized one), but not without taking a consumer away. Subgraphs count as consumers.
std::vector<std::string> comparable_values(const onnx::ModelProto& original, const onnx::ModelProto& variant,
                                           std::span<const std::string> values);

/// A copy with these values as additional outputs behind its own, in this order, with the types that are declared for
/// them; an output without a type is taken by ONNX Runtime, which infers it.
onnx::ModelProto expose(const onnx::ModelProto& model, std::span<const std::string> values);

}  // namespace culprit
