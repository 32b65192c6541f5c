#pragma once
// Twins: models of the same architecture that can be judged. Re-weighted twins are for models whose weights are
// constant (their outputs say nothing), frozen twins for models whose weights are inputs (fusions do not fire on them).

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "model/model.h"
#include "twin/calibrate_layers.h"

namespace culprit {

enum class TwinKind {
  reweighted,  ///< seeded weights, calibrated layer by layer to unit variance, as true initializers
  frozen,      ///< the same weights, as true initializers
};

struct TwinOptions {
  std::optional<TwinKind> kind;  ///< without: re-weighted where most weights are constant, else frozen
  std::uint64_t seed = 0;
};

struct TwinFacts {
  TwinKind kind = TwinKind::frozen;
  std::int64_t made = 0;      ///< weights that nodes made, which are initializers now
  std::int64_t replaced = 0;  ///< weights that were initializers
  std::int64_t left_alone = 0;
  std::int64_t elements = 0;  ///< of the weights
  std::int64_t frozen = 0;    ///< initializers that are no inputs any more
  std::int64_t ir_before = 0, ir_version = 0;
  CalibrationFacts calibration;
  std::uint64_t bytes = 0;  ///< of the file
};

/// Makes a twin of `model` and writes it to `out`, in one file. A frozen twin is made without running anything. Errors:
/// external data that cannot be read, more than 2 GiB (ErrorKind::unsupported), nothing to make weights of where
/// re-weighted was asked for (bad_input), and as of calibrate.
Result<TwinFacts> make_twin(const Model& model, const std::filesystem::path& out, const TwinOptions& options,
                            const CalibrationTools& tools);

}  // namespace culprit
