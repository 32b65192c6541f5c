#pragma once
// Rows of the corpus of conversions in which the target has few bits on purpose.

#include <vector>

#include "conversion_rows.h"

namespace culprit::testing {

std::vector<ConversionRow> quantized_rows();

}  // namespace culprit::testing
