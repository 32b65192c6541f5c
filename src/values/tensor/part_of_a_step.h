#pragma once
// What a model quantizes, moved by a small part of a step: what stands near the border of two steps falls to the other
// side.

#include <span>

#include "base/random.h"

namespace culprit {

/// Moves each element by at most 1/500 of the smallest of `steps`, up or down, each by a coin of its own.
/// The same seed gives the same bits everywhere.
void move_by_part_of_a_step(std::span<float> elements, std::span<const float> steps, Random& random);

}  // namespace culprit
