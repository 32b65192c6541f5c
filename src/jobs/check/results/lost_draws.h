#pragma once
// Random numbers that a pass draws no more. No run can show it where a model draws without a seed; its graph does.

#include <vector>

#include "check/variants/made_variants.h"

namespace culprit {

/// Adds a warning `draws_lost` for each distinct variant in which fewer nodes without a seed draw what its outputs are
/// made of than in the original, with the passes that do it. Example: of two RandomNormal one is left, because they
/// look alike; two numbers that were independent are now one. None where the original draws nothing so.
void warn_of_lost_draws(const MadeVariants& variants, const Model& original, std::vector<Warning>& warnings);

}  // namespace culprit
