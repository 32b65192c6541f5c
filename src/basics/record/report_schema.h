#pragma once
// How the JSON of each kind of report names itself, and whether a text is such a report.

#include <string_view>

namespace culprit {

inline constexpr std::string_view report_schema = "culprit.report/1";
inline constexpr std::string_view compare_schema = "culprit.compare/1";
inline constexpr std::string_view eval_schema = "culprit.eval/1";
inline constexpr std::string_view profile_schema = "culprit.profile/1";
inline constexpr std::string_view diagnosis_schema = "culprit.diagnosis/1";
inline constexpr std::string_view orders_schema = "culprit.orders/1";
inline constexpr std::string_view repair_schema = "culprit.repair/1";

/// Is this text a report of ours, or a comparison, an evaluation or a profile? Asked before a run folder is written
/// over.
bool is_report(std::string_view text);

}  // namespace culprit
