#pragma once
// One way of making cases smaller, as in llvm-reduce: a small function that knows models and asks nobody. It lists the
// places where it could do something, and does it at a run of them; whether the failure stays is asked elsewhere.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reduce/reduced_case.h"

namespace culprit {

struct Delta {
  enum class Way {
    halving,  ///< all places at once, then halves, quarters ... down to single ones
    listed,   ///< each place is a choice of its own, in this order; after a success the list is made anew
  } way = Way::halving;
  /// Changes only what the fingerprint leaves out: answers are remembered by the bytes.
  bool to_the_letter = false;
  /// How many places there are.
  std::function<std::size_t(const View&)> count;
  /// The case with the places [first, last) done; nothing where that makes no model. Must not depend on anything but
  /// its arguments.
  std::function<std::optional<Case>(const View&, std::size_t first, std::size_t last)> apply;
  /// Inner values that it would like to be told; may be empty.
  std::function<std::vector<std::string>(const onnx::ModelProto&)> wants = {};
  std::string name = {};  ///< "drop_nodes", from the table
};

}  // namespace culprit
