#pragma once
// What a person reads on the terminal after `culprit repair`: what became of the target, each edit with its proof, and
// how the file was verified. All text is made printable first.

#include <string>

#include "record/target_repair.h"
#include "report/console.h"

namespace culprit {

std::string to_console(const TargetRepair& repair, const ConsoleStyle& style, const std::string& run_folder);

}  // namespace culprit
