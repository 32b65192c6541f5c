#pragma once
// A comparison as JSON: schema culprit.compare/1 (docs/compare.schema.json). Never decides anything.

#include <string>

#include "record/comparison.h"

namespace culprit {

/// Written as report.json is (report/json.h).
std::string to_json(const CompareReport& report);

}  // namespace culprit
