#pragma once
// Which input (output) of a variant stands for which of the original.

#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "record/words.h"

namespace culprit {

struct BoundInput {
  std::string original;
  std::string variant;
  DType cast_to = DType::undefined;  ///< undefined: as it is
};

struct Binding {
  std::vector<BoundInput> inputs;
  std::vector<std::size_t> outputs;  ///< for each output of the original, its position in the variant
  bool by_name = true;
};

/// By name where all names exist; else by position where count, kind and rank allow it, and names or types may only differ
/// if the contract is `interface`. An error's message tells what changed: "output 'y' is gone", "input 'x' became int32".
/// Outputs may not be reordered under any contract but `interface`. Symbolic dimensions match anything; an input that gained a
/// default is fine, one that lost it is not.
Result<Binding> bind(const Interface& original, const Interface& variant, Contract contract);

}  // namespace culprit
