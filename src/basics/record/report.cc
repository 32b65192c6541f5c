#include "record/report.h"

#include <algorithm>

#include "base/word_names.h"

namespace culprit {

namespace {

/// The bundle, or what --passes names: that comes first then. nullptr where passes run alone.
const VariantRecord* of_users(const ModelReport& report) {
  const auto bundle = std::ranges::find_if(report.variants, &VariantRecord::is_bundle);
  if (bundle != report.variants.end()) return &*bundle;
  return report.safe_recipe && !report.variants.empty() ? report.variants.data() : nullptr;
}

}  // namespace

/// What is as the round trip is judged only if that was.
std::string open_question(const ModelReport& report) {
  if (report.witnesses && report.witnesses->differ() && !report.witnesses->is_trusted)
    return "the runtimes differ on the model itself";
  const bool trip_open = std::ranges::any_of(report.controls, [](const ControlRecord& control) {
    return control.name == ControlName::round_trip && control.verdict == Verdict::inconclusive;
  });
  const auto is_open = [&](const VariantRecord& variant) {
    return variant.verdict == Verdict::inconclusive || (trip_open && variant.same_as == SameAs::round_trip);
  };
  const VariantRecord* users = of_users(report);
  if (users != nullptr && is_open(*users)) return kind_of(users->recipe, users->is_bundle) + " could not be judged";
  const bool is_judged = std::ranges::any_of(report.variants, [&](const VariantRecord& variant) {
    return variant.verdict != Verdict::unchanged && !is_open(variant);
  });
  if (report.given && !report.given->not_reached.empty()) return "right as far as the samples reach";
  const bool is_any_open = trip_open || std::ranges::any_of(report.variants, is_open);
  return is_any_open && !is_judged ? "nothing that differs could be judged" : "";
}

std::string_view name_of(ModelOutcome outcome) {
  constexpr WordNames<ModelOutcome, 4> words{{{ModelOutcome::ok, "ok"},
                                              {ModelOutcome::fault, "fault"},
                                              {ModelOutcome::known, "known"},
                                              {ModelOutcome::not_judged, "not_judged"}}};
  return name_in(words, outcome);
}

bool is_judged(const ModelReport& report) {
  return report.error.empty() && report.baseline.status == BaselineStatus::ok && open_question(report).empty();
}

ModelOutcome outcome_of(const ModelReport& report) {
  if (std::ranges::any_of(report.faults, [](const FaultRecord& fault) { return !fault.known; }))
    return ModelOutcome::fault;
  if (!report.faults.empty()) return ModelOutcome::known;
  return is_judged(report) ? ModelOutcome::ok : ModelOutcome::not_judged;
}

}  // namespace culprit
