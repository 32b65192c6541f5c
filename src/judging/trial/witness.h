#pragma once
// Somebody else who can run the original: a second runtime, ONNX's reference evaluator.

#include <functional>
#include <string>

#include "base/error.h"
#include "executor/executor.h"

namespace culprit {

struct Witness {
  std::string runner;  ///< "onnxruntime", "onnx.reference"
  /// Runs samples through a model as it is; the outcome tells the version. What the model did is no Error:
  /// ErrorKind::interrupted, io.
  std::function<Result<RunOutcome>(const RunJob&)> run;
};

}  // namespace culprit
