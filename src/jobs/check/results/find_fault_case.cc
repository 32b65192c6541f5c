#include "check/results/find_fault_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "trial/failure_signature.h"
#include "trial/other_decision.h"

namespace culprit {
namespace {

constexpr std::string_view inner_error = "inner value";  // of a judgement that rests on values inside

std::string signature_on(const JudgedVariants& variants, const Variant& variant, const FaultRecord& fault) {
  const VariantResult* result = variants.failing(variant);
  if (result == nullptr) return "";
  const std::string level = variants.fails_deployed(variant) ? variants.deploy_level().level() : "";
  return signature_of(result->judgement.verdict, join(fault.culprits, ","), variant.outcome.ops_changed,
                      result->judgement.error, level);
}

const Variant* attempt_showing(const FaultRecord& fault, const JudgedVariants& variants,
                               const std::vector<std::string>& ids) {
  if (fault.kind == FaultKind::control) {
    const bool is_trip = fault.control == ControlName::round_trip;
    const bool shows = is_trip && signature_on(variants, variants.round_trip(), fault) == fault.signature;
    return shows ? &variants.round_trip() : nullptr;
  }
  const Variant* first = nullptr;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty() || std::ranges::find(fault.variants, ids[i]) == fault.variants.end()) continue;
    const Variant& variant = variants.all()[i];
    if (signature_on(variants, variant, fault) != fault.signature) continue;
    if (variant.plan.recipe.passes == fault.culprits) return &variant;
    if (first == nullptr) first = &variant;
  }
  return first;
}

std::string confirmed_text(const VariantResult& result) {
  return result.asked > 0 ? fmt::format("{}/{}", result.confirmed, result.asked) : "";
}

/// The sample, and what is known of rounding on it, with as many draws as settled the verdict.
void add_sample(FaultCase& shown, const Judgement& judgement, const Judging& by) {
  const Reference& reference = by.reference;
  const std::size_t sample = judgement.shown_in < reference.samples.size() ? judgement.shown_in : 0;
  if (sample >= reference.samples.size() || sample >= reference.outputs.size()) return;
  shown.inputs = reference.samples[sample];
  shown.expected = reference.outputs[sample];
  if (sample >= judgement.draws.size()) return;
  const auto& by_draws = by.judge.known().by_draws;
  const auto at = by_draws.find({sample, judgement.draws[sample]});
  if (at != by_draws.end()) shown.explained = at->second;
}

FaultCase begun(const FaultRecord& fault, const VariantResult& result, const Judging& by, const CheckOptions& options) {
  const Reference& reference = by.reference;
  FaultCase shown{reference.model,
                  options,
                  fault,
                  {},
                  Contract::equivalent,
                  reference.session,
                  std::string(name_of(reference.session.level)),
                  "",
                  "",
                  "",
                  {},
                  {},
                  {},
                  reference.runtime,
                  ""};
  shown.recipe.optimizer = reference.options.optimizer;
  shown.evidence = result.judgement.evidence;
  shown.measurements = result.judgement.measurements;
  shown.confirmed = confirmed_text(result);
  shown.is_other_decision = result.judgement.error == other_decision_error;
  add_sample(shown, result.judgement, by);
  return shown;
}

}  // namespace

std::optional<FaultCase> case_of(const FaultRecord& fault, const JudgedVariants& variants,
                                 const std::vector<std::string>& ids, const Judging& by, const CheckOptions& options) {
  if (variants.import().failure.failed()) return begun(fault, variants.import_result(), by, options);
  const Variant* variant = attempt_showing(fault, variants, ids);
  if (variant == nullptr) return std::nullopt;
  const VariantResult& result = *variants.failing(*variant);
  if (result.judgement.error == inner_error) return std::nullopt;
  const bool is_deployed = variants.fails_deployed(*variant);
  FaultCase shown = begun(fault, result, by, options);
  shown.recipe = variant->plan.recipe;
  shown.contract = variant->plan.contract;
  shown.variant = variants.shown_by(*variant);
  if (is_deployed) shown.session.level = options.deploy_level;
  return shown;
}

}  // namespace culprit
