#pragma once
// A program of a user as a task: it reads the outputs of two models on a sample as a line of JSON, and answers with a
// line of JSON what was decided and whether that is the same (docs/comparators.md).

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/stop.h"
#include "process/failure.h"
#include "task/task.h"

namespace culprit {

struct ComparatorProgram {
  std::filesystem::path path;     ///< from the root
  std::filesystem::path scratch;  ///< for outputs and its own files; exists as long as the task does
  Limits each_answer;             ///< CPU time of one answer (or as long asleep), and memory
  Stop stop = {};
};

/// Starts it once and asks what it says of `example`, whose outputs are held against themselves. The task then starts
/// it for each comparator that is given a sample; what it says wrong is an error of Comparator::add. Errors: bad_input,
/// if it cannot be started, dies, is silent, or gives an answer that makes no sense, with what was found; if it says
/// that the same outputs are another decision; if it has the name of a task; interrupted; io.
Result<std::unique_ptr<DecisionTask>> open_comparator(const ComparatorProgram& program, const SampleOutputs& example);

}  // namespace culprit
