#pragma once
// Other values for samples that turned out to say nothing.

#include <vector>

#include "data/synthesize.h"

namespace culprit {

/// One more way of drawing the values that `plan` left to chance; sizes and given values stay.
struct Redraw {
  SynthesisPlan plan;
  std::uint64_t seeds_on = 1;  ///< how far from the first seed
};

/// The likeliest to help first: larger numbers wake what stays silent (ReLU, boxes below a threshold), smaller ones
/// bring saturated outputs back, and wider integers reach more rows of a table. The last keep the range of the
/// integers, for models that refuse others. Empty where nothing is drawn.
std::vector<Redraw> redraws_of(const Interface& interface, const SynthesisPlan& plan);

}  // namespace culprit
