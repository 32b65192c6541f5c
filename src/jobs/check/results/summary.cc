#include "check/check.h"

namespace culprit {

Summary summarize(const std::vector<ModelReport>& models, const Counts& counts, double seconds, bool strict) {
  Summary summary;
  summary.models = static_cast<std::int64_t>(models.size());
  summary.counts = counts;
  summary.seconds = seconds;
  for (const ModelReport& model : models) {
    if (exit_code_of(model, strict) == 3) ++summary.not_judged;
    summary.spent += model.spent;
    for (const FaultRecord& fault : model.faults) {
      if (is_fault(fault.verdict, strict)) ++(fault.known ? summary.known_faults : summary.faults);
    }
    summary.variants += static_cast<std::int64_t>(model.variants.size());
    for (const VariantRecord& variant : model.variants) {
      ++summary.by_verdict[variant.verdict];
      if (variant.same_as == SameAs::none && !variant.fingerprint.empty()) ++summary.distinct_variants;
    }
  }
  return summary;
}

}  // namespace culprit
