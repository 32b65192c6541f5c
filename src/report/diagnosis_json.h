#pragma once
// A diagnosis as JSON: schema culprit.diagnosis/1 (docs/diagnosis.schema.json). Never decides anything.

#include <string>
#include <string_view>

#include "record/diagnosis.h"

namespace culprit {

inline constexpr std::string_view diagnosis_schema = "culprit.diagnosis/1";

/// Written as report.json is (report/json.h).
std::string to_json(const Diagnosis& diagnosis);

}  // namespace culprit
