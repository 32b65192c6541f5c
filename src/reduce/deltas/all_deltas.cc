#include "reduce/deltas/deltas.h"

namespace culprit {

std::vector<Delta> all_deltas(const std::vector<std::string>& around) {
  std::vector<Delta> deltas;
  deltas.push_back(drop_samples());
  if (!around.empty()) deltas.push_back(cut_around(around));
  for (const auto& make : {cut_windows, drop_outputs, drop_nodes, fold_nodes, bypass_nodes, inline_branches,
                           fold_bodies, drop_operands, shrink_sizes, fill_zeros, fill_ones, drop_attributes, strip}) {
    deltas.push_back(make());
  }
  return deltas;
}

}  // namespace culprit
