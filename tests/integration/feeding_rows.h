#pragma once
// Rows of the corpus of conversions in which the target is right, and only wants to be fed otherwise.

#include <vector>

#include "conversion_rows.h"

namespace culprit::testing {

std::vector<ConversionRow> feeding_rows();

}  // namespace culprit::testing
