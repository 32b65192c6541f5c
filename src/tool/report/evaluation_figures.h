#pragma once
// What models decide on a data set, as pictures.

#include <vector>

#include "record/evaluation.h"
#include "report/figure.h"

namespace culprit {

/// The figures that there is something to show in, in this order: roc, precision_recall, reliability; of each
/// classifier confusion_M1, confusion_M2, ... with labels, and of each but the first changed_M2, ...
std::vector<Figure> figures_of(const EvaluationReport& report);

}  // namespace culprit
