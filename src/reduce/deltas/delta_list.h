#pragma once
// All deltas, one small file each.

#include <string>
#include <vector>

#include "reduce/delta.h"
#include "reduce/renumber.h"

namespace culprit {

/// Windows over the nodes in their order: halves, the middle half, then all but a quarter, an eighth ... at either end.
/// A model of thousands of nodes is small after a dozen steps, and each costs less than half of the one before.
Delta cut_windows();
/// The nodes that make these values, and all within 1, 2, 4, 8 and 16 steps of them along values.
Delta cut_around(const std::vector<std::string>& values);
/// Outputs that the failure does not need, and what only they need.
Delta drop_outputs();
/// Nodes anywhere: what they made is fed, what they used becomes an output.
Delta drop_nodes();
/// Nodes anywhere: what they made becomes a constant, of a single sample only.
Delta fold_nodes();
/// A node's output replaced by an input of it of the same type and shape; in bodies by any.
Delta bypass_nodes();
/// In the graphs inside nodes: what makes an output of such a graph, replaced by zeros.
Delta fold_bodies();
/// If -> one of its branches, at any depth.
Delta inline_branches();
/// Loop, Scan -> one turn of the body as the whole model, fed with what that turn meets.
Delta lift_bodies();
/// Inputs of nodes that may be left out, such as biases.
Delta drop_operands();
/// Samples: fewer of them.
Delta drop_samples();
/// Dimensions: one size everywhere it occurs, or one axis of one input, to 1, 2 or half.
Delta shrink_sizes();
/// Stored tensors and fed values of zeros.
Delta fill_zeros();
/// The same of ones.
Delta fill_ones();
/// Attributes that have a default.
Delta drop_attributes();
/// Names of nodes, documentation, metadata, value_info, operator sets and functions that nothing uses.
Delta strip();

/// The same steps, and what is called by a bare number is renumbered after each: for faults of names that an optimizer
/// makes by counting values. Only where such names are there, and more than three nodes.
Delta and_renumber(const Delta& delta, Renumbering way);

/// In the order in which they help each other. `around`: values that the failure is known to be near; may be empty.
std::vector<Delta> all_deltas(const std::vector<std::string>& around = {});

}  // namespace culprit
