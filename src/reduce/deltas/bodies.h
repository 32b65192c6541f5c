#pragma once
// Graphs inside nodes, as deltas need them.

#include <vector>

#include "reduce/reduced_case.h"

namespace culprit {

/// The graph that a path (node, attribute, node, attribute ..., node) ends in.
onnx::GraphProto& graph_at(onnx::GraphProto& outermost, const std::vector<int>& path);

/// `sweep` (reduce/cut_out.h), and in bodies nodes and initializers whose values nobody uses.
void sweep_all(onnx::ModelProto& model, std::vector<Inputs>& samples);

}  // namespace culprit
