#pragma once
// The table of layers on the console page of a diagnosis. Seen in this room only.

#include <string>

#include "record/diagnosis.h"
#include "report/console.h"

namespace culprit {

/// Layers of the source with what stands for them, how far off they are as they came, and alone: fed with what is
/// right. Without `verbose` those with a fault and two before and behind each; nothing where there is no fault.
std::string layers_table(const Diagnosis& diagnosis, const ConsoleStyle& style);

}  // namespace culprit
