#pragma once
// The outputs of a target, as it is fed, against the source's.

#include <functional>
#include <string>
#include <vector>

#include "conversion/runs/both_sides.h"
#include "record/diagnosis.h"

namespace culprit {

/// 0 of no samples.
double largest_error(const std::vector<SampleError>& samples);

struct JudgedOutputs {
  std::vector<BoundOutput> told;       ///< all, in the order of the matches
  std::vector<ValueMatch> wrong;       ///< those that differ, or are not there; with their measurements
  std::vector<SampleError> samples;    ///< of all that were judged
  std::string weak;                    ///< why they say nothing: rounding alone moves one as far as it is off; ""
  [[nodiscard]] double error() const;  ///< the largest difference; infinite where an output is not there
};

/// What the target gives, by value: one tensor for each sample, in its own layout; empty where there is none.
using TargetOutputs = std::function<Result<std::vector<Tensor>>(int value)>;

/// Those of one run: `given` has them by sample, in the order of the network.
TargetOutputs outputs_of_run(const Network& target, const OutputsBySample& given);

/// `samples`: how many. `draws`: of the target as it is fed; empty: it is not drawn. `is_strict`: beyond the noise
/// floor is wrong, also within the tolerance. Errors: interrupted, io.
Result<JudgedOutputs> judge_all_outputs(const BothSides& sides, const std::vector<ValueMatch>& outputs,
                                        const TargetOutputs& target, DrawnFloors::DrawsOf draws, std::size_t samples,
                                        bool is_strict);

}  // namespace culprit
