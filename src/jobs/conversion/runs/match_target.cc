#include "conversion/runs/match_target.h"

#include "conversion/walk/rough_matches.h"

namespace culprit {

Result<void> match_target_parameters(ReadSide& target, ConversionMap& map) {
  const auto constants = show_constants(target.runs, target.map_samples);
  if (!constants) return tl::unexpected(constants.error());
  map.target_parameters = parameters_in_all_forms(target.network(), *constants);
  map.parameters = match_parameters(map.derived, map.target_parameters);
  add_rough_matches(map);
  return {};
}

}  // namespace culprit
