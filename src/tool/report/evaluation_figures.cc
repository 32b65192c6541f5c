#include "report/evaluation_figures.h"

#include "report/figures/evaluation.h"

namespace culprit {

std::vector<Figure> figures_of(const EvaluationReport& report) {
  std::vector<Figure> figures;
  for (const auto& draw : {roc_figure, precision_recall_figure, reliability_figure})
    if (auto figure = draw(report)) figures.push_back(std::move(*figure));
  for (const auto& draw : {confusion_figure, changed_figure})
    for (std::size_t model = 0; model < report.models.size(); ++model)
      if (auto figure = draw(report, model)) figures.push_back(std::move(*figure));
  return figures;
}

}  // namespace culprit
