#pragma once
// The parts of a profile's console report; each gives whole lines, or nothing. Only profile_console.cc puts them
// together.

#include <string>
#include <vector>

#include "record/profile.h"
#include "report/console.h"
#include "report/layout.h"

namespace culprit {

struct ConsoleCell {
  std::string text;
  Ink ink = Ink::plain;
};

/// One column of a table. Where none of the cells has a text, it is left out.
struct ConsoleColumn {
  std::string title;
  std::vector<ConsoleCell> cells;  ///< one for each row
  bool is_words = false;           ///< stands left; numbers stand right
  bool may_go = false;             ///< is left out where it does not fit, but not with --verbose
};

/// The first column stands in front of as many of the others as fit; the rest follows in further tables, below.
std::string wide_table(const std::vector<ConsoleColumn>& columns, const ConsoleStyle& style);

/// "all       ": what lines about an entry begin with, and as wide for all of them.
std::string entry_head(const ProfileReport& report, const ProfileEntry& entry);

/// What became of the operators, by entry.
std::string graphs_part(const ProfileReport& report, const ConsoleStyle& style);
/// How many nodes ran where; nothing where all ran in one place.
std::string placement_part(const ProfileReport& report, const ConsoleStyle& style);
/// The slowest operators and nodes of each entry, and how long the baseline took for the same work.
std::string slowest_part(const ProfileReport& report, const ConsoleStyle& style);
std::string devices_part(const ProfileReport& report, const ConsoleStyle& style);
std::string kernels_part(const ProfileReport& report, const ConsoleStyle& style);
std::string quality_part(const ProfileReport& report, const ConsoleStyle& style);
std::string blames_part(const ProfileReport& report, const ConsoleStyle& style);

}  // namespace culprit
