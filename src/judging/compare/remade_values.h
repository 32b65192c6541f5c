#pragma once
// Where rounding may move an output further than the tolerance: is a difference rounding's, or made? All values of B
// are made again by B's nodes from A's values, A's by A's nodes from the same, and what draws of A's nodes there
// explain is all that counts as rounding. So a chaotic part before them excuses nothing.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "compare/inner_values.h"

namespace culprit {

struct RemadeValues {
  struct Wrong {
    Measurement measurement;
    bool is_inherited = false;  ///< right where B's nodes are given all of A's values, wrong from those that are right
  };
  std::map<int, Wrong> wrong;  ///< by A's value; those that lead to an output that is wrong
  Measurements outputs;        ///< by A's output, wrong or right
  std::string message;         ///< why nothing could be told; else ""
};

/// A value is right if B's nodes make it, within rounding, of A's values that are right themselves: what one node
/// changes and a later one takes back is not wrong. `inner`: values that were read. Errors: interrupted, io.
Result<RemadeValues> remade_values(const ComparedGraphs& graphs, const InnerValues& inner, const InnerSamples& samples,
                                   const CompareOptions& options, const CompareTools& tools);

}  // namespace culprit
