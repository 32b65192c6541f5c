#pragma once
// What is said of a model that runs on nothing that it was fed, and which flag helps.

#include <optional>
#include <span>
#include <string>

#include "baseline/refused_node.h"
#include "data/sample.h"
#include "executor/executor.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

struct Refusal {
  const Failure& failure;
  const Limits& limits;
  const Interface& interface;
  const onnx::ModelProto* proto = nullptr;  ///< names the node that is not known, and its opset
  std::optional<RefusedNode> node = {};     ///< with which it stops loading, where that was found
};

/// "the model does not load: ...", with --custom-ops where an operator is missing. Where the runtime says by its code
/// that it has no kernel, or stops loading with a node: which one, and what can be done.
std::string load_message(const Refusal& refusal);
/// Which input it is about where the runtime names one, the runtime's reason, what was tried, and the flags that say
/// what the model takes.
std::string run_message(const Refusal& refusal, std::span<const Proposal* const> tried);

}  // namespace culprit
