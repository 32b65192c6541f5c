#pragma once
// What a person reads on the terminal after `culprit profile`: a table with a row for each entry, then only what there
// is of graphs, slow nodes, devices, quality, blame and warnings. Names come from untrusted models: all text is made
// printable first.

#include <filesystem>
#include <string>

#include "record/profile.h"
#include "report/console.h"

namespace culprit {

/// Shows all nodes and operators of every entry, and each metric of quality, with `verbose`; else the first five. Where
/// the report lies is the last line, where `run_folder` is not empty.
std::string to_console(const ProfileReport& report, const ConsoleStyle& style, const std::filesystem::path& run_folder);

}  // namespace culprit
