#pragma once
// A runner that shares no code with the runtime: ONNX's reference evaluator (`onnx.reference`), in a Python that a flag
// names. Slow, in places wrong about old operator sets (docs/judging.md), and independent.
// https://onnx.ai/onnx/api/reference.html

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/executor.h"

namespace culprit {

/// One model on one sample.
struct EvaluatorJob {
  std::filesystem::path model;
  std::filesystem::path inputs;   ///< pack, by the original's names
  std::vector<BoundInput> bound;  ///< empty: feed every tensor of the pack by its own name
  bool in_float64 = false;        ///< where all operators of the model permit that; else in the model's own types
  std::filesystem::path folder;   ///< for its files; made, and left to the caller
  Limits limits;
};

struct EvaluatorOutcome {
  std::string failure;            ///< why there is no outcome, on one line; "" where there is
  std::filesystem::path outputs;  ///< pack, in the types that the model declares
  bool in_float64 = false;        ///< so were all values of the graph computed
  std::string why;                ///< why not, where that was asked for
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  [[nodiscard]] virtual std::string version() const = 0;  ///< of ONNX
  /// One outcome for each job, in order. Errors are the machine's: ErrorKind::io, interrupted.
  virtual Result<std::vector<EvaluatorOutcome>> run(std::span<const EvaluatorJob> jobs) = 0;
  [[nodiscard]] virtual Counts counts() const { return {}; }  ///< since it was made
};

struct PythonOptions {
  std::string program;           ///< path, or a name that the shell finds
  std::filesystem::path folder;  ///< exists; the host script is written there
  std::size_t jobs = 1;          ///< processes at once
  std::function<bool()> is_interrupted = {};
};

/// Tries the Python first: ErrorKind::bad_input, with Python's own words, where it cannot be started or has no onnx
/// with an evaluator. Every run is a process of its own, without the user's site, working folder or environment
/// variables of Python, within the limits of its job; it sees a copy of the model with all weights inside.
Result<std::unique_ptr<Evaluator>> make_onnx_evaluator(PythonOptions options);

}  // namespace culprit
