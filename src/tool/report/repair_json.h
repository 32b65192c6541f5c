#pragma once
// A repair as JSON: schema culprit.repair/1 (docs/repair.schema.json). Never decides anything.

#include <string>

#include "record/target_repair.h"

namespace culprit {

/// Written as report.json is (report/json.h).
std::string to_json(const TargetRepair& repair);

}  // namespace culprit
