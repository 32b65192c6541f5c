#pragma once
// What models decide on a data set, as JSON: schema culprit.eval/1 (docs/eval.schema.json). Never decides anything.

#include <string>

#include "record/evaluation.h"

namespace culprit {

/// Written as report.json is (report/json.h).
std::string to_json(const EvaluationReport& report);

}  // namespace culprit
