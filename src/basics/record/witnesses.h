#pragma once
// What others that can run a model give for it as it is.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

struct NodeRef {
  std::string name;         ///< "" where it has none
  std::string op;           ///< "Conv"; "" where there is no node: an input or initializer
  std::int64_t index = -1;  ///< in the order of the top graph; -1: no node
  std::string output = {};  ///< its first output: a name that it always has
};

/// A second runtime, or ONNX's reference evaluator, on the model as it was given.
struct WitnessRecord {
  std::string runner;      ///< "onnxruntime", "onnx.reference"
  std::string version;     ///< of the runner
  std::string outcome;     ///< "agrees", "differs", "fails"
  double max_abs = 0;      ///< the largest distance from the reference's outputs; infinity for another shape
  bool set_aside = false;  ///< it differs, and another witness agrees with the reference: it is the one that is wrong
  std::string message;     ///< what differs or fails; ""
};

/// What witnesses said of a model that they were asked about.
struct WitnessesRecord {
  std::vector<WitnessRecord> asked;
  std::optional<NodeRef> first_node;  ///< where the values of the runtime and of the first that differs part first
  bool is_trusted = false;            ///< --trust-runtime: that they differ keeps nothing from being judged

  [[nodiscard]] bool differ() const {
    for (const WitnessRecord& witness : asked)
      if (witness.outcome == "differs" && !witness.set_aside) return true;
    return false;
  }
};

}  // namespace culprit
