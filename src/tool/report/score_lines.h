#pragma once
// Whether chances come true, and why there are no curves, for the console. Seen in this room only.

#include <string>

#include "record/evaluation.h"
#include "report/console.h"

namespace culprit {

/// "" where nothing was asked, or there are no labels.
std::string scores_part(const EvaluationReport& report, std::size_t number, const ConsoleStyle& style);

}  // namespace culprit
