#pragma once
// Parts of what a person reads of a diagnosis, which the console of a repair shows as well.

#include <string>

#include "record/diagnosis.h"
#include "report/console.h"

namespace culprit {

/// "  source  trained.onnx  12 layers (onnx)"; `side`: the first word.
std::string network_line(const char* side, const NetworkFacts& facts, const ConsoleStyle& style);

/// An empty line, then the fault: where, what, and what mends it.
std::string fault_part(const ConversionFault& fault, const ConsoleStyle& style);

}  // namespace culprit
