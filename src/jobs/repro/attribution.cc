#include "repro/attribution.h"

namespace culprit {

std::optional<Attribution> attribute(const Observations& seen) {
  if (seen.variant_off == Seen::differs) {
    if (seen.pair_second == Seen::agrees) return Attribution::kernel;
    const bool disputed = seen.pair_second == Seen::differs && seen.original_second == Seen::differs;
    return disputed ? Attribution::model : Attribution::optimizer;
  }
  const bool only_deployed = seen.variant_off == Seen::agrees && seen.pair_deployed == Seen::differs;
  return only_deployed ? std::optional(Attribution::runtime) : std::nullopt;
}

}  // namespace culprit
