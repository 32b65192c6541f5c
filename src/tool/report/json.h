#pragma once
// report.json: the truth, schema culprit.report/1 (docs/report.schema.json). Never decides anything.

#include <string>

#include "record/report.h"

namespace culprit {

/// Two spaces of indent, keys in the order of the schema, NaN and infinities as the strings "nan", "inf", "-inf", text
/// that is not UTF-8 replaced; ids, files and hashes that do not exist are null; ends with a newline.
std::string to_json(const Report& report);

}  // namespace culprit
