#pragma once
// What a person reads on the terminal after `culprit diagnose`: the verdict, what users see of it, the faults in their
// order with what is right and what is wrong, and the layers around them. Names come from untrusted files: all text is
// made printable first.

#include <string>

#include "record/diagnosis.h"
#include "report/console.h"

namespace culprit {

/// Shows all layers with `verbose`; else those that have a fault and two before and behind each.
std::string to_console(const Diagnosis& diagnosis, const ConsoleStyle& style, const std::string& run_folder);

}  // namespace culprit
