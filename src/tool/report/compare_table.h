#pragma once
// The table along A's graph in the report of a comparison.

#include <string>
#include <string_view>

#include "record/comparison.h"
#include "record/enum_names.h"
#include "record/measurement.h"
#include "report/console.h"

namespace culprit {

/// A row a value; rows that tell least are summed up, but with `verbose` all are there.
std::string values_table(const CompareReport& report, const ConsoleStyle& style);

/// "made here", "not read".
std::string_view words_of(ValueState state);
/// What a measurement says by itself: equivalent, deviates or diverged.
Verdict verdict_of_words(const Measurement& m);
/// Is the largest distance a number that says how far it is? Not of strings, shapes, NaN, or where nothing differs.
bool has_distance(const Measurement& m);

}  // namespace culprit
