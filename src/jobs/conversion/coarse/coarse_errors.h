#pragma once
// How far outputs are off, as a whole: of the source rounded honestly, and of a target with edits.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "conversion/coarse/coarse_types.h"
#include "conversion/edits/edit.h"
#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

/// What numbers are off, summed over tensors. Where two are NaN they are equal.
struct SquaredError {
  double sum = 0;
  std::int64_t elements = 0;
  bool is_comparable = true;  ///< false: two tensors had other counts

  void add(const Tensor& right, const Tensor& found);
  /// Root of the mean square; infinite where nothing can be compared, and where only one of two is NaN.
  [[nodiscard]] double rms() const;
};

/// Root of the mean square over all samples, by the source's output; infinite where the two cannot be held against each
/// other. Empty: it does not run.
using OutputErrors = std::map<int, double>;

/// What each of these outputs of the source is off when it is rounded as `types` say. One run. Errors: interrupted, io.
Result<OutputErrors> honest_errors(const BothSides& sides, const ConversionMap& map, const CoarseTypes& types,
                                   const std::vector<ValueMatch>& outputs);

/// What each of these outputs is off in what the target gave: by sample, its outputs in their order. Errors: of
/// reading.
Result<OutputErrors> errors_of_outputs(const BothSides& sides, const std::vector<ValueMatch>& outputs,
                                       const OutputsBySample& given);

/// What each of these outputs of the target is off, with these edits. One run. Errors: interrupted, io.
Result<OutputErrors> errors_of_target(const BothSides& sides, const std::vector<ValueMatch>& outputs,
                                      const std::vector<Edit>& edits);

}  // namespace culprit
