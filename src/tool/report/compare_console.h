#pragma once
// What a person reads on the terminal after `culprit compare`: whether the two mean the same, a table along A's graph,
// the worst values, where they part first. Names come from untrusted models: all text is made printable first.

#include <string>

#include "record/comparison.h"
#include "report/console.h"

namespace culprit {

/// Shows the whole table with `verbose`; else about 24 rows of it, those around the first divergence among them.
std::string to_console(const CompareReport& report, const ConsoleStyle& style, const std::string& run_folder);

}  // namespace culprit
