#pragma once
// report.json: the truth, schema culprit.report/1 (docs/report.schema.json). Never decides anything.

#include <string>

#include "record/record.h"

namespace culprit {

/// Two spaces of indent, keys in the order of the schema, NaN and infinities as the strings "nan", "inf", "-inf", text that is not
/// UTF-8 replaced; ends with a newline.
std::string to_json(const Report& report);

}  // namespace culprit
