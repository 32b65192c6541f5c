#include "record/record.h"

#include <algorithm>

namespace culprit {

/// What is as the round trip is judged only if that was.
bool is_nothing_judged(const ModelReport& report) {
  const bool trip_open = std::ranges::any_of(report.controls, [](const ControlRecord& control) {
    return control.name == "round_trip" && control.verdict == Verdict::inconclusive;
  });
  const auto is_open = [](const VariantRecord& variant) {
    const std::string& ending = variant.evidence.ending;
    return variant.verdict == Verdict::inconclusive && (ending == "machine" || ending == "skipped");
  };
  const bool is_judged = std::ranges::any_of(report.variants, [&](const VariantRecord& variant) {
    return variant.verdict != Verdict::inconclusive && variant.verdict != Verdict::unchanged &&
           !(trip_open && variant.same_as == "round_trip");
  });
  return (trip_open || std::ranges::any_of(report.variants, is_open)) && !is_judged;
}

Counts& Counts::operator+=(const Counts& other) {
  imports += other.imports;
  sessions += other.sessions;
  runs += other.runs;
  processes += other.processes;
  return *this;
}

Spent& Spent::operator+=(const Spent& other) {
  runs += other.runs;
  loads += other.loads;
  optimize += other.optimize;
  return *this;
}

}  // namespace culprit
