#pragma once
// What models decide on a data set, as JSON: schema culprit.eval/1 (docs/eval.schema.json). Never decides anything.

#include <string>
#include <string_view>

#include "record/evaluation.h"

namespace culprit {

inline constexpr std::string_view eval_schema = "culprit.eval/1";

/// Written as report.json is (report/json.h).
std::string to_json(const EvaluationReport& report);

}  // namespace culprit
