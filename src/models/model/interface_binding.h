#pragma once
// Which input (output) of a variant stands for which of the original.

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "record/enum_names.h"
#include "tensor/tensor.h"

namespace culprit {

using ValueInfos = std::vector<ValueInfo>;

/// All inputs that can be fed: those that have to be, then those with a default.
ValueInfos feedable(const Interface& interface);

struct BoundInput {
  std::string original;
  std::string variant;
  DType cast_to = DType::undefined;  ///< undefined: as it is
  /// The variant takes the axes of the original's in this order, in the shape `as` (tensor/transposed.h); empty: as it
  /// is.
  std::vector<int> axes = {};
  Shape as = {};
};

/// Outputs of the original that a variant calls otherwise: the original's name, and the variant's.
using RenamedOutputs = std::vector<std::pair<std::string, std::string>>;

struct Binding {
  std::vector<BoundInput> inputs;
  std::vector<std::size_t> outputs;  ///< for each output of the original, its position in the variant
  bool by_name = true;
};

/// By name where all names exist; else by position where count, kind and rank allow it. Inputs and outputs are looked
/// at apart: a pass may rename one side only. Names, types and order may differ only if the contract is `interface`,
/// and types only among numbers (`cast_to` is then what the variant wants; the caller casts outputs back). An error's
/// message tells what changed: "output 'y' is gone", "input 'x' became int32[2] (was int64[2])". Symbolic dimensions,
/// unknown ranks and unknown types match anything; an input that gained a default is fine, one that lost it is not. An
/// optional input that is no longer among the inputs is fine: nobody has to feed it.
Result<Binding> bind(const Interface& original, const Interface& variant, Contract contract);

/// Those that have another name in the variant that is bound so.
RenamedOutputs renamed_outputs(const Binding& binding, const Interface& original, const Interface& variant);

/// The interface as it is. Where a shape that is declared for an output is not kept to by the model itself in these
/// outputs of several samples, it becomes the one that they have. An optimizer that corrects such a declaration changes
/// nothing that anybody got.
Interface with_true_sizes(Interface declared, const std::vector<std::vector<NamedTensor>>& outputs);

}  // namespace culprit
