#pragma once
// Which classes are the worst, and which became others, for the console. Seen in this room only.

#include <string>

#include "record/evaluation.h"
#include "report/console.h"

namespace culprit {

/// "" where there is only one class, or nothing is measured of them.
std::string classes_part(const EvaluationReport& report, std::size_t number, const ConsoleStyle& style);

}  // namespace culprit
