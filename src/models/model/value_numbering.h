#pragma once
// Value numbering over two graphs at once: equal numbers (hashes) for values that are computed equally. Where a
// computation of B has no equal in A, a value of A is looked for whose place it takes, by name or position; B's then
// gets its number, so that what follows is numbered as in A.

#include <unordered_map>
#include <utility>
#include <vector>

#include "model/graph_index.h"
#include "record/comparison.h"

namespace culprit {

/// Inputs and outputs that stand for each other, by number of the value in either graph.
struct BoundValues {
  std::vector<std::pair<int, int>> inputs, outputs;
};

struct NumberHash {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};
using Members = std::unordered_map<Hash128, std::vector<int>, NumberHash>;

struct Numbering {
  std::vector<Hash128> a, b;   ///< by value
  std::vector<MappedBy> b_by;  ///< why B's value has its number
  Members members_a;           ///< values of A by number, in their order
  Members members_b;           ///< values of B by number, of those that A has too
};

Numbering number_values(const GraphIndex& a, const GraphIndex& b, const BoundValues& bound);

/// Do declared types and shapes allow that these mean the same?
bool are_plausible(const GraphIndex::Value& a, const GraphIndex::Value& b);

}  // namespace culprit
