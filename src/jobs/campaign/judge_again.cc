#include "campaign/judge_again.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text.h"
#include "judge/errors_by_size.h"
#include "record/enum_names.h"

namespace culprit {
namespace {

using JudgedJson = nlohmann::ordered_json;

/// As reports write numbers: infinity is "inf". Nothing where there is none.
std::optional<double> number_in(const JudgedJson& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string() && json.get<std::string>() == "inf") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

/// Nothing for a report of a version that did not keep them.
std::optional<ErrorsBySize> errors_in(const JudgedJson& measurement) {
  const JudgedJson& kept = object_in(measurement, "errors");
  const auto slack = number_in(field_in(kept, "slack"));
  if (!slack) return std::nullopt;
  ErrorsBySize errors{{}, *slack};
  for (const JudgedJson& corner : list_in(kept, "corners")) {
    if (!corner.is_array() || corner.size() != 2) return std::nullopt;
    const auto size = number_in(corner[0]), off = number_in(corner[1]);
    if (!size || !off) return std::nullopt;
    errors.corners.push_back({*size, *off});
  }
  return errors;
}

/// What was excused at one tolerance may not be at another: it is asked for as many draws as that needs. Those numbers
/// lie within if the largest errors of all do.
bool are_excused_ones_within(const JudgedJson& measurement, const OtherTolerance& tolerance) {
  const auto count = [&](const char* key) { return number_in(field_in(measurement, key)).value_or(0); };
  if (count("ties") == 0 && count("by_share") == 0) return true;
  const auto off = number_in(field_in(measurement, "max_abs"));
  const auto share = number_in(field_in(measurement, "max_rel"));
  if (!off || !share || std::isinf(*off)) return false;
  // No error is larger than `off`, and none than `share` of its value: the hardest case is both at once.
  const double size = *share > 0 ? *off / *share : 0;
  return *off <= tolerance.atol + tolerance.rtol * size;
}

WithinTolerance worse_of(WithinTolerance a, WithinTolerance b) {
  if (a == WithinTolerance::no || b == WithinTolerance::no) return WithinTolerance::no;
  return a == WithinTolerance::unsure ? a : b;
}

class ReportJudge {
 public:
  explicit ReportJudge(const OtherTolerance& tolerance) : tolerance_(tolerance) {}

  /// Nothing where nothing was measured of it: it is the same as another one, or never ran.
  [[nodiscard]] std::optional<WithinTolerance> of_measurements(const JudgedJson& measurements) const {
    std::optional<WithinTolerance> worst;
    for (const JudgedJson& measurement : measurements) {
      const auto errors = errors_in(measurement);
      auto here = errors ? are_within(*errors, tolerance_.atol, tolerance_.rtol) : WithinTolerance::unsure;
      if (here == WithinTolerance::yes && !are_excused_ones_within(measurement, tolerance_))
        here = WithinTolerance::unsure;
      worst = worse_of(worst.value_or(WithinTolerance::yes), here);
    }
    return worst;
  }

  /// At the reference's level and at the deploy level.
  [[nodiscard]] std::optional<WithinTolerance> of_variant(const JudgedJson& variant) const {
    const JudgedJson& deployed = object_in(variant, "deployed");
    if (!object_in(variant, "decision").empty() || !object_in(deployed, "decision").empty()) return WithinTolerance::no;
    const auto alone = of_measurements(object_in(variant, "measurements"));
    const auto at_deploy = of_measurements(object_in(deployed, "measurements"));
    if (!alone || !at_deploy) return alone ? alone : at_deploy;
    return worse_of(*alone, *at_deploy);
  }

  [[nodiscard]] WithinTolerance of_fault(const JudgedJson& fault, const JudgedJson& variants) const {
    const auto verdict = verdict_named(text_in(fault, "verdict"));
    const bool by_numbers = verdict == Verdict::diverged || verdict == Verdict::deviates;
    if (!by_numbers || field_in(fault, "control").is_string()) return WithinTolerance::no;
    std::optional<WithinTolerance> worst;
    for (const JudgedJson& variant : variants) {
      if (!is_of(fault, text_in(variant, "id"))) continue;
      if (const auto here = of_variant(variant)) worst = worse_of(worst.value_or(WithinTolerance::yes), *here);
    }
    return worst.value_or(WithinTolerance::unsure);
  }

 private:
  static bool is_of(const JudgedJson& fault, const std::string& variant) {
    const JudgedJson& variants = list_in(fault, "variants");
    return std::ranges::find(variants, JudgedJson(variant)) != variants.end();
  }

  OtherTolerance tolerance_;
};

/// Of what was right: how many variants are not surely so any more.
std::int64_t beyond_now(const JudgedJson& model, const ReportJudge& judge) {
  return std::ranges::count_if(list_in(model, "variants"), [&](const JudgedJson& variant) {
    return text_in(variant, "verdict") == name_of(Verdict::deviates) &&
           judge.of_variant(variant).value_or(WithinTolerance::yes) != WithinTolerance::yes;
  });
}

}  // namespace

Strictness strictness_of(const std::vector<std::string>& flags) {
  const bool is_strict =
      std::ranges::any_of(flags, [](const std::string& word) { return word.starts_with("--strict"); });
  return is_strict ? Strictness::yes : Strictness::no;
}

JudgedAgain judge_again(std::string_view report, OutcomeStatus status, const OtherTolerance& tolerance,
                        Strictness strict) {
  JudgedAgain again{status};
  if (strict == Strictness::yes) return again;
  const JudgedJson json = JudgedJson::parse(report, nullptr, false);
  const ReportJudge judge(tolerance);
  std::int64_t beyond = 0;
  bool is_fault = false, is_known = false;
  for (const JudgedJson& model : list_in(json, "models")) {
    beyond += beyond_now(model, judge);
    for (const JudgedJson& fault : list_in(model, "faults")) {
      const WithinTolerance within = judge.of_fault(fault, list_in(model, "variants"));
      if (within == WithinTolerance::yes) again.gone.insert(text_in(fault, "id"));
      if (within == WithinTolerance::unsure) again.not_sure.insert(text_in(fault, "id"));
      if (within != WithinTolerance::no) continue;
      (object_in(fault, "known").empty() ? is_fault : is_known) = true;
    }
  }
  const bool stays = status != OutcomeStatus::ok && again.gone.empty() && again.not_sure.empty() && beyond == 0;
  if (is_fault || stays) return again;
  again.status = is_known ? OutcomeStatus::known : OutcomeStatus::ok;
  if (!again.not_sure.empty())
    again.reason = counted(static_cast<std::int64_t>(again.not_sure.size()), "fault") + " may be within the tolerance";
  else if (beyond > 0)
    again.reason = counted(beyond, "variant") + " may be beyond the tolerance";
  if (again.reason.empty()) return again;
  again.status = OutcomeStatus::inconclusive;
  again.reason += ": what was kept does not tell, a run with --atol and --rtol does";
  return again;
}

}  // namespace culprit
