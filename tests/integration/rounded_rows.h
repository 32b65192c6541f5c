#pragma once
// Rows of the corpus of conversions in which the weights of the whole network are rounded: one fault, and no layer's.

#include <vector>

#include "conversion_rows.h"

namespace culprit::testing {

std::vector<ConversionRow> rounded_rows();

}  // namespace culprit::testing
