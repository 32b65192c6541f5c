#pragma once
// The diagnosis of a conversion, as pictures along the layers of the source.

#include <vector>

#include "record/diagnosis.h"
#include "report/figure.h"

namespace culprit {

/// The figures that there is something to show in: error_along.svg, parameter_differences.svg (mean absolute difference
/// by layer, as figure 3 of Louloudakis et al., "Fault Localization for Buggy Deep Learning Framework Conversions in
/// Image Recognition", 2023).
std::vector<Figure> figures_of(const Diagnosis& diagnosis);

}  // namespace culprit
