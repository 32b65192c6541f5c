#pragma once
// A part of a model as a model of its own: what computes some values from others that are fed.

#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace culprit {

/// A value of the top graph that is fed instead of computed. ONNX Runtime wants its type to be declared.
struct FedValue {
  std::string name;
  DType dtype = DType::undefined;
  std::vector<Dim> dims;
};

struct Extract {
  std::vector<std::string> inputs;   ///< names to feed: of `fed` and of the model's own inputs, those that are needed
  std::vector<std::string> outputs;  ///< what each of `wanted` is called there, in that order
  std::vector<std::string> unknown;  ///< of `wanted`, those that no node makes; they have no output
};

/// Leaves in `model` the nodes that compute `wanted`, back to values that are `fed`, initializers and the model's
/// inputs. Initializers that are no longer used go. A value may be both fed and wanted: its consumers get what is fed,
/// and what its own node makes comes out under another name. So one run computes many regions, each on inputs that are
/// given. What subgraphs take from around them counts as used.
Extract extract(onnx::ModelProto& model, std::span<const FedValue> fed, std::span<const std::string> wanted);

}  // namespace culprit
