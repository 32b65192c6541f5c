#pragma once
// Graphs inside nodes, as deltas need them.

#include <string>
#include <vector>

#include "reduce/reduced_case.h"

namespace culprit {

/// The graph that a path (node, attribute, node, attribute ..., node) ends in.
onnx::GraphProto& graph_at(onnx::GraphProto& outermost, const std::vector<int>& path);

/// Does a node of this graph make the value?
bool is_made(const onnx::GraphProto& graph, const std::string& name);

/// `sweep` (reduce/cut_out.h), and in bodies nodes and initializers whose values nobody uses.
void sweep_all(onnx::ModelProto& model, std::vector<Inputs>& samples);

}  // namespace culprit
