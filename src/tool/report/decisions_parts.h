#pragma once
// What reports say of decisions on a data set, as text. Seen in this room only.

#include <string>

#include "record/decisions.h"
#include "report/console.h"

namespace culprit {

/// How many decisions of `whose` differ, and where.
std::string decisions_part(const std::string& whose, const VariantDecisions& found, const ConsoleStyle& style);
/// How many decisions differ, and where, of each variant that ran on a whole data set.
std::string decisions_part(const ModelReport& report, const ConsoleStyle& style);
/// "        cats/7.png  label 7 became label 3 (margin 0.2)". `is_about_sureness`: TaskTraits::margins_are_sureness.
std::string worst_line(const WorstSample& worst, bool is_about_sureness, const std::string& indent,
                       const ConsoleStyle& style);

}  // namespace culprit
