#pragma once
// How far rounding moves many elements alike, by what draws did.

#include <vector>

#include "judge/draw_results.h"
#include "judge/shared_errors.h"
#include "tensor/tensor.h"

namespace culprit {

/// By group of `drawn.shared.groups`: 4 times the most of any draw, and as much again as rounding does to one element:
/// what draws do to it on the average, at least 2 `eps` of its value. `least`: the distance of the numbers next to
/// zero. Empty where nothing was drawn, or numbers jump.
std::vector<SharedLimit> shared_limits(const Tensor& reference, const Drawn& drawn, double eps, double least);

/// Takes the wider limit of each group, where draws were made of two models. Nothing changes where the groups differ.
void widen(std::vector<SharedLimit>& limits, const std::vector<SharedLimit>& others);

}  // namespace culprit
