#include "report/profile_figures.h"

#include "report/figures/figures.h"

namespace culprit {

std::vector<Figure> figures_of(const ProfileReport& report) {
  std::vector<Figure> figures;
  for (const auto& draw : {node_count_figure, op_types_figure, ratio_figure, latency_figure, utilization_figure,
                           power_figure, op_times_figure, roofline_figure, sweep_figure})
    if (auto figure = draw(report)) figures.push_back(std::move(*figure));
  return figures;
}

}  // namespace culprit
