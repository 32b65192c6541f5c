#include "trial/reference.h"

namespace culprit {

std::vector<std::string> fed_names(const std::vector<NamedTensor>& inputs) {
  std::vector<std::string> names;
  for (const NamedTensor& input : inputs) {
    if (names.empty() || names.back() != input.name) names.push_back(input.name);
  }
  return names;
}

void limit_by_pace(RunJob& job, const Pace& took, const TrialOptions& options) {
  if (took.samples.empty() || took.samples.size() < job.samples.size()) return;  // not known
  job.original_took = took;
  if (!options.time_is_given) job.limits.cpu_seconds = 0;
}

}  // namespace culprit
