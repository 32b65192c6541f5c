#include "check/variants/judged_variants.h"

#include <algorithm>
#include <utility>

namespace culprit {

JudgedVariants::JudgedVariants(const VariantRuns& runs, std::shared_ptr<const VariantResult> import_result)
    : made_(runs.made()), runs_(runs), import_result_(std::move(import_result)) {}

std::vector<DistinctRun> JudgedVariants::distinct_runs() const {
  std::vector<DistinctRun> runs;
  if (import().failure.failed()) return runs;
  std::vector<const Variant*> all = {&round_trip()};
  for (const Variant& variant : this->all()) all.push_back(&variant);
  for (const Variant* variant : all) {
    const DistinctVariant* distinct = runs_.run_of(*variant);
    if (distinct == nullptr || !distinct->is_judged) continue;
    const bool known = std::ranges::find(runs, variant->result, &DistinctRun::result) != runs.end();
    if (known || distinct->made->contract == Contract::partition) continue;
    runs.push_back({job_for(*distinct->made, runs_.by().reference, {}), variant->result});
  }
  return runs;
}

Verdict JudgedVariants::verdict_on(const Variant& variant) const {
  return variant.result ? verdict_of(*variant.result) : Verdict::unchanged;
}

const VariantResult* JudgedVariants::failing(const Variant& variant) const {
  const bool strict = made_.setting().options.strict;
  const VariantResult* result = variant.result.get();
  if (result == nullptr || is_fault(verdict_of(*result), strict)) return result;
  const VariantResult* deployed = result->deployed.get();
  return deployed != nullptr && is_fault(verdict_of(*deployed), strict) ? deployed : nullptr;
}

bool JudgedVariants::fails_deployed(const Variant& variant) const {
  return variant.result && variant.result->deployed && failing(variant) == variant.result->deployed.get();
}

const VariantResult* JudgedVariants::as_exported() const {
  return runs_.exported() != nullptr ? runs_.exported()->result.get() : nullptr;
}

const std::filesystem::path& JudgedVariants::shown_by(const Variant& variant) const {
  const DistinctVariant* exported = runs_.exported();
  return exported != nullptr && variant.result == exported->result ? exported->made->file : variant.outcome.file;
}

bool JudgedVariants::follows_round_trip(const Variant& variant) const {
  const VariantResult* own = failing(variant);
  const VariantResult* trip = failing(round_trip());
  if (&variant == &round_trip() || own == nullptr || trip == nullptr) return false;
  if (fails_deployed(variant) != fails_deployed(round_trip())) return false;
  if (own->as_round_trip) return true;
  return own->judgement.measurements.empty() && own->judgement.verdict == trip->judgement.verdict &&
         own->judgement.error == trip->judgement.error;
}

}  // namespace culprit
