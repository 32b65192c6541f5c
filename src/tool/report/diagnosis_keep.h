#pragma once
// What the console says of the layers to keep in float. Seen in this room only.

#include <string>

#include "record/diagnosis.h"
#include "report/console.h"

namespace culprit {

/// Which layers to keep, how the quantizer is told, and a table of what rounding each layer alone costs: the most
/// costly and those to keep; all with `verbose`. "" where nobody looked for them.
std::string keep_part(const Diagnosis& diagnosis, const ConsoleStyle& style);

}  // namespace culprit
