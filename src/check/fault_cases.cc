#include "check/fault_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "check/signature.h"

namespace culprit {
namespace {

constexpr std::string_view inner_error = "inner value";  // of a judgement that rests on values inside (inner.cc)

std::string signature_on(const Study& study, const Attempt& attempt, const FaultRecord& fault) {
  const Finding* finding = study.failing(attempt);
  if (finding == nullptr) return "";
  const std::string level = study.fails_deployed(attempt) ? study.deployment().level() : "";
  return signature_of(finding->judgement.verdict, join(fault.culprits, ","), attempt.outcome.ops_changed,
                      finding->judgement.error, level);
}

const Attempt* attempt_showing(const FaultRecord& fault, const Study& study, const std::vector<std::string>& ids) {
  if (fault.kind == FaultKind::control) {
    const bool is_trip = signature_on(study, study.round_trip(), fault) == fault.signature;
    return is_trip ? &study.round_trip() : nullptr;
  }
  const Attempt* first = nullptr;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty() || std::ranges::find(fault.variants, ids[i]) == fault.variants.end()) continue;
    const Attempt& attempt = study.attempts()[i];
    if (signature_on(study, attempt, fault) != fault.signature) continue;
    if (attempt.plan.recipe.passes == fault.culprits) return &attempt;
    if (first == nullptr) first = &attempt;
  }
  return first;
}

std::string confirmed_text(const Finding& finding) {
  return finding.asked > 0 ? fmt::format("{}/{}", finding.confirmed, finding.asked) : "";
}

/// The sample, and what is known of rounding on it, with as many draws as settled the verdict.
void add_sample(FaultCase& shown, const Judgement& judgement, const Basis& basis) {
  const std::size_t sample = judgement.shown_in < basis.samples.size() ? judgement.shown_in : 0;
  if (sample >= basis.samples.size() || sample >= basis.reference.size()) return;
  shown.inputs = basis.samples[sample];
  shown.expected = basis.reference[sample];
  if (sample >= judgement.draws.size()) return;
  const auto& known = basis.known->by_draws;
  const auto at = known.find({sample, judgement.draws[sample]});
  if (at != known.end()) shown.explained = at->second;
}

FaultCase begun(const FaultRecord& fault, const Finding& finding, const Basis& basis) {
  FaultCase shown{basis.model,
                  basis.options,
                  fault,
                  {},
                  Contract::equivalent,
                  basis.session,
                  std::string(name_of(basis.session.level)),
                  "",
                  "",
                  "",
                  {},
                  {},
                  {},
                  basis.runtime,
                  ""};
  shown.recipe.optimizer = basis.options.optimizer;
  shown.evidence = finding.judgement.evidence;
  shown.measurements = finding.judgement.measurements;
  shown.confirmed = confirmed_text(finding);
  add_sample(shown, finding.judgement, basis);
  return shown;
}

}  // namespace

std::optional<FaultCase> case_of(const FaultRecord& fault, const Study& study, const std::vector<std::string>& ids,
                                 const Basis& basis) {
  if (study.import().failure.failed()) return begun(fault, study.import_finding(), basis);
  const Attempt* attempt = attempt_showing(fault, study, ids);
  if (attempt == nullptr) return std::nullopt;
  const Finding& finding = *study.failing(*attempt);
  if (finding.judgement.error == inner_error) return std::nullopt;
  const bool is_deployed = study.fails_deployed(*attempt);
  FaultCase shown = begun(fault, finding, basis);
  shown.recipe = attempt->plan.recipe;
  shown.contract = attempt->plan.contract;
  shown.variant = study.shown_by(*attempt);
  if (is_deployed) shown.session.level = basis.options.deploy_level;
  return shown;
}

}  // namespace culprit
