#include "reduce/deltas/delta_list.h"

namespace culprit {

std::vector<Delta> all_deltas(const std::vector<std::string>& around) {
  std::vector<Delta> deltas;
  deltas.push_back(drop_samples());
  if (!around.empty()) deltas.push_back(cut_around(around));
  deltas.push_back(cut_windows());
  // A model of thousands of nodes is cut before single ones are tried.
  for (const auto way : {Renumbering::together, Renumbering::in_a_row}) {
    if (!around.empty()) deltas.push_back(and_renumber(cut_around(around), way));
    deltas.push_back(and_renumber(cut_windows(), way));
  }
  for (const auto& make : {lift_bodies, inline_branches, drop_outputs, drop_nodes, fold_nodes, bypass_nodes,
                           fold_bodies, drop_operands, shrink_sizes, fill_zeros, fill_ones, drop_attributes, strip}) {
    deltas.push_back(make());
  }
  for (const auto way : {Renumbering::together, Renumbering::in_a_row}) {
    for (const auto& make : {drop_outputs, drop_nodes, fold_nodes, bypass_nodes, drop_operands}) {
      deltas.push_back(and_renumber(make(), way));
    }
  }
  return deltas;
}

}  // namespace culprit
