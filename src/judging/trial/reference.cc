#include "trial/reference.h"

#include "tensor/pack_file.h"

namespace culprit {

Result<Binding> bind_to(const Reference& reference, const Interface& variant, Contract contract) {
  auto binding = bind(reference.model.interface, variant, contract);
  if (binding) return binding;
  std::vector<std::vector<NamedTensor>> outputs;
  for (const auto& pack : reference.outputs) {
    auto of_sample = read_pack(pack);
    if (!of_sample) return binding;
    outputs.push_back(std::move(*of_sample));
  }
  const Interface declared = with_true_sizes(reference.model.interface, outputs);
  if (declared == reference.model.interface) return binding;
  auto again = bind(declared, variant, contract);
  return again ? again : binding;  // told in the words that the model declares
}

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
