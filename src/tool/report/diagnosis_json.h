#pragma once
// A diagnosis as JSON: schema culprit.diagnosis/1 (docs/diagnosis.schema.json). Never decides anything.

#include <string>

#include "record/diagnosis.h"

namespace culprit {

/// Written as report.json is (report/json.h).
std::string to_json(const Diagnosis& diagnosis);

}  // namespace culprit
