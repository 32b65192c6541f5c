#pragma once
// Names of rows in a sentence.

#include <string>
#include <vector>

namespace culprit {

std::string quoted_row(const std::string& name);  ///< "'off'", safe to print, cut where it is very long

/// "'off', 'all'"; of many the first six and how many more there are.
std::string named_rows(const std::vector<std::string>& names);

}  // namespace culprit
