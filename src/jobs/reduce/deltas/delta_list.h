#pragma once
// All deltas, one small file each, which defines the function of that name. Private to this room.

#include <string>
#include <vector>

#include "reduce/delta.h"
#include "reduce/renumber.h"

/// The table: a new delta is its file and a line here. Lines stand in the order in which the deltas help each other.
/// - DELTA makes one of nothing, NEAR one of the values that the failure is known to be near.
/// - `cutting`: a model of thousands of nodes is cut by these before single nodes are tried (`single`).
/// - `renumbering`: the same steps are made again with names that are bare numbers changed (and_renumber).
#define CULPRIT_DELTAS(DELTA, NEAR)                                                                                  \
  DELTA(drop_samples, cutting, as_they_are, "fewer samples")                                                         \
  NEAR(cut_around, cutting, renumbering, "the nodes around values that are known to be near the fault")              \
  DELTA(cut_windows, cutting, renumbering, "halves of the nodes, the middle half, then less and less at either end") \
  DELTA(lift_bodies, single, as_they_are, "Loop, Scan: one turn of the body as the whole model")                     \
  DELTA(inline_branches, single, as_they_are, "If: one of its branches instead, at any depth")                       \
  DELTA(drop_outputs, single, renumbering, "outputs that the fault does not need, and what only they need")          \
  DELTA(drop_nodes, single, renumbering, "nodes anywhere: what they made is fed")                                    \
  DELTA(fold_nodes, single, renumbering, "nodes anywhere: what they made becomes a constant")                        \
  DELTA(bypass_nodes, single, renumbering, "a node's output replaced by an input of the same type and shape")        \
  DELTA(fold_bodies, single, as_they_are, "graphs inside nodes: what makes their outputs becomes zeros")             \
  DELTA(drop_operands, single, renumbering, "inputs of nodes that may be left out, such as biases")                  \
  DELTA(shrink_sizes, single, as_they_are, "one size everywhere, or one axis of one input, to 1, 2 or half")         \
  DELTA(fill_zeros, single, as_they_are, "stored tensors and inputs become zeros")                                   \
  DELTA(fill_ones, single, as_they_are, "stored tensors and inputs become ones")                                     \
  DELTA(drop_attributes, single, as_they_are, "attributes that have a default")                                      \
  DELTA(strip, single, as_they_are, "names of nodes, documentation and whatever else nothing uses")

namespace culprit {

#define CULPRIT_DECLARE_DELTA(name, ...) Delta name();
#define CULPRIT_DECLARE_NEAR(name, ...) Delta name(const std::vector<std::string>& values);
CULPRIT_DELTAS(CULPRIT_DECLARE_DELTA, CULPRIT_DECLARE_NEAR)
#undef CULPRIT_DECLARE_DELTA
#undef CULPRIT_DECLARE_NEAR

/// Takes the same steps, and what is called by a bare number is renumbered after each: for faults of names that an
/// optimizer makes by counting values. It is of use only where such names are there, and more than three nodes.
Delta and_renumber(const Delta& delta, Renumbering way);

}  // namespace culprit
