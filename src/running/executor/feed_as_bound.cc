#include "executor/feed_as_bound.h"

namespace culprit {

void feed_as_bound(RunJob& job, const ModelBinding& binding) {
  job.inputs = binding.inputs;
  job.outputs = renamed_outputs(binding);
}

}  // namespace culprit
