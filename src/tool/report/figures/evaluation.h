#pragma once
// One function for each figure of an evaluation. Nothing where there is nothing to show.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/evaluation.h"
#include "report/figure.h"
#include "report/figures/row_chart.h"

namespace culprit {

std::optional<Figure> roc_figure(const EvaluationReport& report);
std::optional<Figure> precision_recall_figure(const EvaluationReport& report);
std::optional<Figure> reliability_figure(const EvaluationReport& report);
/// What is right against what this model decides.
std::optional<Figure> confusion_figure(const EvaluationReport& report, std::size_t model);
/// What the first model decides against what this one does.
std::optional<Figure> changed_figure(const EvaluationReport& report, std::size_t model);

/// "M2 b.onnx"
std::string name_of_model(const EvaluationReport& report, std::size_t model);

}  // namespace culprit
