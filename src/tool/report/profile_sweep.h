#pragma once
// A sweep as a table, in the console and in Markdown. Seen in this room only.

#include <string>
#include <vector>

#include "record/profile.h"
#include "report/console.h"

namespace culprit {

/// Whole lines; "" where there is no sweep.
std::string sweep_part(const ProfileReport& report, const ConsoleStyle& style);
std::string sweep_markdown(const ProfileReport& report);

/// The point with the most samples a second of each entry, as an index into the points.
std::vector<std::size_t> best_points(const SweepRecord& sweep);

}  // namespace culprit
