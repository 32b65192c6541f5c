#pragma once
// One model that is run in two ways (twice, or by two runtimes): the first node whose values differ.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "executor/executor.h"
#include "model/model.h"
#include "record/witnesses.h"

namespace culprit {

/// Runs a job to its end. Errors are the machine's, and of the user who asked to stop.
using RunOnce = std::function<Result<RunOutcome>(const RunJob&)>;

struct TwoWays {
  RunOnce one, other;
  std::function<bool(const Tensor& one, const Tensor& other)> differ;
};

struct FirstParting {
  std::string value;
  NodeRef node;  ///< that makes it
};

/// In the order of the graph, which is that of computing. `job` says how the original is run on the samples of which
/// the first is taken: its session and limits. Values are read as further outputs, 32 in a run; where none differs
/// so, each alone, for what is read is not fused with what is behind it (of at most 64). Nothing where none differs,
/// where the graph has more than 512 values, and where both ways do not run with values as outputs. `folder` is made,
/// and removed at the end.
Result<std::optional<FirstParting>> first_parting(const Model& model, const RunJob& job,
                                                  const std::filesystem::path& folder, const TwoWays& ways);

}  // namespace culprit
