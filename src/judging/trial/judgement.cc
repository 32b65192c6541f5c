#include "trial/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <tuple>

#include "base/text.h"
#include "judge/paired_parts.h"
#include "tensor/pack_file.h"
#include "trial/directed_words.h"
#include "trial/evidence.h"
#include "trial/failure_signature.h"
#include "trial/other_decision.h"
#include "trial/plain_reason.h"

namespace culprit {
namespace {

Judgement resting_on(const Evidence& evidence, std::string message) {
  Judgement judgement;
  judgement.verdict = verdict_of(evidence);
  judgement.evidence = evidence;
  judgement.message = std::move(message);
  return judgement;
}

/// The runtime's silence says nothing about the model.
Judgement inconclusive(std::string message) {
  return resting_on({EvidenceStage::run, EvidenceEnding::machine}, std::move(message));
}

Judgement failed(const Evidence& evidence, const std::string& what, const Failure& failure,
                 const TrialOptions& options) {
  if (failure.machine) return resting_on(evidence, "could not be judged: " + reason_of(failure.message));
  Judgement judgement = resting_on(evidence, what + ": " + failure_text(failure, options.limits));
  // Where memory ends, each allocation complains in its own words, and which one comes first is chance.
  if (failure.ending != Ending::out_of_memory) judgement.error = normalized(failure.message, options.places);
  judgement.last_words = failure.last_words;
  return judgement;
}

Judgement refused(EvidenceStage stage, const std::string& message, const std::string& error,
                  const TrialOptions& options) {
  Judgement judgement = resting_on({stage, EvidenceEnding::refused}, message);
  judgement.error = normalized(error, options.places);
  return judgement;
}

std::string making(Ending ending) {
  switch (ending) {
    case Ending::threw:
      return "the optimizer threw";
    case Ending::crashed:
    case Ending::exited:
      return "the optimizer died";
    default:
      return "the optimizer";
  }
}

std::string running(const RunOutcome& outcome) {
  const bool loading = outcome.stage == RunOutcome::Stage::load;
  switch (outcome.failure.ending) {
    case Ending::threw:
      return loading ? "the runtime refuses it" : "it loads and then fails to run";
    case Ending::crashed:
    case Ending::exited:
      return loading ? "the runtime dies loading it" : "the runtime dies running it";
    default:
      return loading ? "loading it" : "running it";
  }
}

/// Compared as the original's output would be typed, if the pass may cast; else as it is.
Measurement measured(PartPair pair, Contract contract, const Tolerance& tolerance, const Rounding& rounding) {
  Tensor casted;
  if (contract == Contract::interface && pair.variant != nullptr && pair.variant->dtype() != pair.reference->dtype()) {
    if (auto same = cast(*pair.variant, pair.reference->dtype())) {
      casted = std::move(*same);
      pair.variant = &casted;
    }
  }
  return measure(pair, tolerance, rounding);
}

/// Of the same rank: what rounding may do where a shape hangs on values.
bool has_other_sizes(const PartPair& pair) {
  if (pair.resized > 0) return true;
  if (pair.variant == nullptr || pair.is_form) return false;
  const Shape& before = pair.reference->shape();
  return before != pair.variant->shape() && before.size() == pair.variant->shape().size();
}

bool differ(const PartPair& pair) { return pair.variant != nullptr && !pair.reference->identical(*pair.variant); }

/// How much worse than allowed, to choose the output to speak of.
double severity(const Measurement& m) {
  if (is_structural(m)) return std::numeric_limits<double>::infinity();
  if (verdict_of(m) != Verdict::diverged) return -1;
  if (m.nonfinite_mismatch > 0) return std::numeric_limits<double>::max();
  return m.atol > 0 ? m.worst / m.atol : m.max_abs;
}

/// Of one element: how far it is off, what the model gives there, and what it may be off. What belongs to another one
/// is said to.
std::string element_text(const Measurement& m) {
  const ShownElement& shown = m.shown;
  if (shown.off == 0) return fmt::format(" differs by {:.2g}", m.max_abs);
  std::string text = fmt::format(" differs by {:.2g} (", shown.off);
  if (m.atol == 0 && m.rtol == 0)
    text += "must be equal";
  else if (shown.is_exact)
    text += fmt::format("must be equal where the model gives {:.9g}", shown.reference);
  else if (shown.floor > shown.tolerance)
    text += fmt::format("expected rounding error {:.2g} where the model gives {:.4g}", shown.floor, shown.reference);
  else
    text += fmt::format("tolerance {:.2g} where the model gives {:.4g}", shown.tolerance, shown.reference);
  text += ")";
  return text;
}

/// The largest difference, where that is of an element that is not wrong.
std::string elsewhere_text(const Measurement& m) {
  constexpr double clearly = 1.05;
  const bool is_other = m.shown.rank > 0 && std::isfinite(m.max_abs) && m.max_abs > clearly * m.shown.off;
  if (!is_other || m.shown.off == 0 || m.nonfinite_mismatch > 0) return "";
  return fmt::format("; elsewhere by up to {:.2g}, within {} there", m.max_abs,
                     m.shown.rank > 1 ? "the tolerance or the expected rounding error" : "the expected rounding error");
}

std::string difference_text(const Measurement& m) {
  const bool is_only_resized = is_resized(m) && verdict_of(m) != Verdict::diverged;
  if (is_structural(m) || is_only_resized) return ": " + m.note;
  if (m.nonfinite_mismatch > 0) {
    return fmt::format(": NaN or infinity in {} of {} elements where the other has none or another ({})",
                       m.nonfinite_mismatch, m.elements, m.note);
  }
  if (m.max_abs == 0 && m.finite_instead > 0) {
    return fmt::format(": {} in {} of {} elements, on directed samples only", m.note, m.finite_instead, m.elements);
  }
  if (m.max_abs == 0) return fmt::format(" differs in {} of {} elements", m.mismatched, m.elements);
  return element_text(m);
}

/// What the signature keeps of a divergence: another shape or type is another failure than other values.
std::string divergence_class(const Measurements& measurements) {
  for (const auto& [name, m] : measurements) {
    if (is_structural(m)) return normalized(m.note);
  }
  return "";
}

}  // namespace

std::optional<Judgement> judge_making(const VariantOutcome& outcome, Contract contract, const Reference& reference,
                                      const std::string& original_complaint) {
  if (outcome.failure.failed()) {
    return failed(evidence_of_making(outcome.failure), making(outcome.failure.ending), outcome.failure,
                  reference.options);
  }
  const TrialOptions& options = reference.options;
  const std::string complaint = normalized(outcome.checker_complaint, options.places);
  if (!complaint.empty() && complaint != normalized(original_complaint, options.places)) {
    return refused(EvidenceStage::checker, "the checker refuses it: " + reason_of(outcome.checker_complaint),
                   outcome.checker_complaint, options);
  }
  if (contract == Contract::partition) return std::nullopt;
  if (const auto binding = bind_to(reference, outcome.interface, contract); !binding) {
    const std::string message = printable(binding.error().message);
    return refused(EvidenceStage::interface, message, message, options);
  }
  return std::nullopt;
}

Judgement judge_import(const Failure& failure, const TrialOptions& options) {
  const std::string what = making(failure.ending) + " importing the model";
  return failed(evidence_of_making(failure, EvidenceStage::import), what, failure, options);
}

namespace {

/// One sample of a comparison.
struct SampleComparison {
  Measurements measurements;
  DrawNeed need;
  bool may_be_own = true;  // all that is at fault
};

SampleComparison compare_sample(std::span<const PartPair> pairs, Contract contract, const TrialOptions& options,
                                const std::function<Rounding(const PartPair&)>& rounding_of, int draws,
                                bool is_decisive) {
  SampleComparison result;
  for (const PartPair& pair : pairs) {
    const Rounding rounding = rounding_of(pair);
    const Measurement m = measured(pair, contract, options.tolerance, rounding);
    const double stands_out = rounding.explained == nullptr ? INFINITY : rounding.explained->stands_out();
    const bool is_drawable = !is_structural(m) || has_other_sizes(pair);
    const DrawNeed own = is_drawable ? draws_needed(m, stands_out, draws, options.strict || is_decisive, options.draws)
                                     : DrawNeed{0, true};
    result.need = more_of(result.need, own);
    if (is_fault(verdict_of(m), options.strict)) {
      const bool may_be = rounding.explained != nullptr &&
                          may_be_of_variant(m, pair.reference->dtype(), options.tolerance, *rounding.explained);
      result.may_be_own = result.may_be_own && may_be;
    }
    result.measurements[pair.label] = m;
  }
  return result;
}

void add_sample(Comparison& result, std::size_t sample, SampleComparison here, bool strict) {
  result.needs.push_back(here.need);
  ++result.samples;
  const Verdict verdict = verdict_of(here.measurements);
  if (is_fault(verdict, strict)) {
    result.faulty.push_back(sample);
    if (here.may_be_own) result.may_be_own.push_back(sample);
  }
  if (verdict != Verdict::equivalent) result.beyond_rounding.push_back(sample);
  const auto is_finite_instead = [](const auto& entry) { return entry.second.finite_instead > 0; };
  if (std::ranges::any_of(here.measurements, is_finite_instead)) result.finite_instead.push_back(sample);
  for (const auto& [name, m] : here.measurements) {
    const auto [at, first] = result.measurements.emplace(name, m);
    if (!first) at->second = worse(at->second, m);
  }
}

}  // namespace

Comparison compare(std::span<const fs::path> expected, std::span<const fs::path> found,
                   const std::vector<std::size_t>& positions, Contract contract, const TrialOptions& options,
                   const KnownRounding* known, const std::vector<int>& draws, const std::set<std::string>* only,
                   const VariantRounding* of_variant) {
  Comparison result;
  for (std::size_t sample = 0; sample < std::min(expected.size(), found.size()); ++sample) {
    const auto left = read_pack(expected[sample]);
    const auto right = read_pack(found[sample]);
    if (!left || !right) {
      result.unreadable = (left ? right : left).error().message;
      return result;
    }
    const int drawn = sample < draws.size() ? draws[sample] : 0;
    std::deque<Explained> undrawn;
    const auto rounding_of = [&](const PartPair& pair) {
      if (known == nullptr) return Rounding{};
      const Explained* explained = known->find(sample, drawn, pair.label);
      if (explained == nullptr && !pair.is_form && differ(pair)) {
        const Nature nature = known->nature_of(pair.output, pair.reference->dtype());
        explained =
            &undrawn.emplace_back(explain(*pair.reference, {.nature = nature, .never_moves = known->never_moves}));
      }
      const Explained* own = of_variant == nullptr ? nullptr : of_variant->find(sample, pair.label);
      return Rounding{explained, known->is_directed(sample), !options.strict, own};
    };
    auto pairs = pair_parts(*left, *right, positions);
    if (only != nullptr) std::erase_if(pairs, [&](const PartPair& pair) { return !only->contains(pair.output); });
    const bool is_decisive = known != nullptr && known->decisive.contains(sample);
    add_sample(result, sample, compare_sample(pairs, contract, options, rounding_of, drawn, is_decisive),
               options.strict);
  }
  return result;
}

bool wrong_as_round_trip(const Measurements& variant, const Measurements& round_trip, const Measurements& between,
                         bool strict) {
  const auto wrong = [&](const Measurements& measurements, const std::string& output) {
    const auto at = measurements.find(output);
    return at == measurements.end() || is_fault(verdict_of(at->second), strict);
  };
  return !variant.empty() && std::ranges::all_of(variant, [&](const auto& entry) {
    const std::string& output = entry.first;
    return !wrong(variant, output) || (wrong(round_trip, output) && !wrong(between, output));
  });
}

std::string describe(const Comparison& comparison, std::string_view what) {
  const auto worst = std::ranges::max_element(comparison.measurements, [](const auto& a, const auto& b) {
    const auto rank = [](const Measurement& m) { return std::tuple(severity(m), says_nothing(m), m.max_abs); };
    return rank(a.second) < rank(b.second);
  });
  if (worst == comparison.measurements.end()) return "";
  if (worst->second.mismatched == 0 && !is_structural(worst->second)) return "";
  std::string text = std::string(what) + " '" + printable(worst->first, 100) + "'" + difference_text(worst->second);
  if (says_nothing(worst->second)) return text + ", so nothing of it could be compared on any sample";
  const bool is_explained = worst->second.max_abs == 0 && worst->second.finite_instead > 0;
  if (is_explained && verdict_of(worst->second) == Verdict::equivalent) return text;
  if (is_resized(worst->second) && verdict_of(worst->second) == Verdict::equivalent) return text;
  if (verdict_of(worst->second) == Verdict::equivalent) return text + ", within the expected rounding error";
  if (verdict_of(worst->second) == Verdict::deviates)
    return text + ", within tolerance" + elsewhere_text(worst->second);
  return text + fmt::format(" on {} of {} samples", comparison.faulty.size(), comparison.samples) +
         elsewhere_text(worst->second);
}

namespace {

/// Numbers that are alike enough do not excuse another decision where rounding makes none.
void judge_decisions(Judgement& judgement, const Comparison& comparison, const RunOutcome& outcome,
                     const std::vector<std::size_t>& places, const Reference& reference) {
  const DecisiveSamples& decisive = reference.decisive;
  if (decisive.task == nullptr || is_fault(judgement.verdict, reference.options.strict)) return;
  std::vector<std::size_t> asked;
  for (const std::size_t sample : decisive.samples) {
    const bool is_beyond = std::ranges::find(comparison.beyond_rounding, sample) != comparison.beyond_rounding.end();
    if (is_beyond || decisive.within_rounding) asked.push_back(sample);
  }
  const auto other = first_other_decision(decisive, asked, reference.outputs, outcome.outputs, places);
  if (!other) return;
  judgement.verdict = Verdict::diverged;
  judgement.error = std::string(other_decision_error);
  judgement.message = text_of(*other, decisive) + (judgement.message.empty() ? "" : "; " + judgement.message);
  judgement.decision = *other;
  judgement.faulty = {static_cast<std::size_t>(other->decision.sample)};
  judgement.shown_in = judgement.faulty.front();
}

}  // namespace

Judgement judge_run(const RunOutcome& outcome, const Binding& binding, Contract contract, const Reference& reference,
                    const KnownRounding& known, const std::vector<int>& draws, const std::set<std::string>* only,
                    bool decides, const VariantRounding* of_variant) {
  if (outcome.failure.failed()) {
    const Evidence evidence = evidence_of_running(outcome);
    if (evidence.ending == EvidenceEnding::skipped)
      return resting_on(evidence, "it was not run: " + outcome.failure.message);
    if (evidence.ending == EvidenceEnding::machine)
      return resting_on(evidence, "it could not be run: " + reason_of(outcome.failure.message));
    Judgement judgement = failed(evidence, running(outcome), outcome.failure, reference.options);
    judgement.shown_in = outcome.outputs.size();
    return judgement;
  }
  Judgement judgement;
  judgement.seconds_run = outcome.seconds_run;
  if (contract == Contract::partition) {
    judgement.verdict = Verdict::equivalent;
    judgement.message = "a part of the model by design, and it loads";
    return judgement;
  }
  if (outcome.outputs.size() != draws.size()) return inconclusive("the runtime gave no outputs and no reason");
  Comparison comparison = compare(reference.outputs, outcome.outputs, binding.outputs, contract, reference.options,
                                  &known, draws, only, of_variant);
  if (!comparison.unreadable.empty()) return inconclusive("its outputs cannot be read: " + comparison.unreadable);
  judgement.verdict = verdict_of(comparison.measurements);
  judgement.message = describe(comparison);
  if (const std::string aimed = aimed_at(comparison.faulty, reference); !aimed.empty())
    judgement.message += ": " + aimed;
  judgement.finite_instead = finite_instead_text(comparison, reference);
  judgement.error = divergence_class(comparison.measurements);
  judgement.measurements = std::move(comparison.measurements);
  judgement.needs = std::move(comparison.needs);
  judgement.draws = draws;
  judgement.shown_in = comparison.faulty.empty() ? 0 : comparison.faulty.front();
  judgement.faulty = std::move(comparison.faulty);
  judgement.may_be_own = std::move(comparison.may_be_own);
  if (decides && only == nullptr) judge_decisions(judgement, comparison, outcome, binding.outputs, reference);
  return judgement;
}

}  // namespace culprit
