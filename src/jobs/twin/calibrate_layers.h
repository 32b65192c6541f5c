#pragma once
// Scales the layers of a model so that what comes out of each has a variance near 1, whatever its depth.

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "executor/executor.h"
#include "model/model.h"
#include "twin/find_weights.h"

namespace culprit {

struct CalibrationFacts {
  std::int64_t layers = 0;   ///< that were calibrated
  std::int64_t silent = 0;   ///< nothing but one number comes out, or what is not finite: left as they were
  std::int64_t rounds = 0;   ///< in which scales were set
  std::int64_t samples = 0;  ///< the variance is the mean over these
  double smallest = 0;       ///< variance of a layer, measured at the end
  double largest = 0;
};

struct CalibrationTools {
  Executor& executor;
  std::filesystem::path folder;  ///< for work files; they may go at the end
  Limits limits;
};

/// Runs `model` on synthesized samples in workers, with deviation nodes (deviation_nodes.h), and scales kernels (with
/// their bias), means and variances, until each layer's variance lies within 0.5 and 2, at most three times. Gains are
/// rounded to 5 binary digits, so that the last bits of a runtime do not show in the weights. Layers in subgraphs are
/// not reached. A model of an opset before 7, or without layers, is not run at all. `map` is of the weights as seeded.
/// Errors: the model does not run (ErrorKind::bad_input, with the runtime's words), files cannot be written,
/// interrupted.
Result<CalibrationFacts> calibrate(const std::shared_ptr<onnx::ModelProto>& model, const WeightMap& map,
                                   std::uint64_t seed, const CalibrationTools& tools);

}  // namespace culprit
