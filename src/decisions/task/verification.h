#pragma once
// Do two vectors stand for the same thing? Pairs of which that is known, told apart by their cosine.

#include <cstdint>
#include <vector>

#include "statistics/sample_values.h"

namespace culprit {

struct ComparedPair {
  double cosine = 0;
  bool is_same = false;
};

/// Pairs count as the same from a cosine on.
struct VerificationResult {
  Estimate accuracy;     ///< at the best cosine; as that was looked for, it is a little too good
  Estimate area;         ///< below the ROC (sklearn.metrics.roc_auc_score)
  Estimate equal_error;  ///< where as large a share of others is taken as of the same is refused, between two cosines
                         ///< in line
  Estimate taken_at_1e2, taken_at_1e3;  ///< the share of the same at a cosine that takes at most 1 % (0.1 %) of others
  double best_cosine = 0;
};

/// Some are the same and some are not. A cosine of NaN is less than any other. Intervals: the bootstrap of groups of
/// pairs.
VerificationResult verify(std::vector<ComparedPair> pairs, std::uint64_t seed);

}  // namespace culprit
