#pragma once
// How much a sample varies values: patterns that tell one rewrite from another, and the choice of samples that show
// most of them.

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/wished_values.h"
#include "tensor/tensor.h"

namespace culprit {

/// Patterns that were seen, by number of the value; equal numbers mean equal patterns.
using Patterns = std::set<std::uint64_t>;

/// What one value shows: signs, zeros of both signs, NaN and infinities, fractions, magnitudes in steps of 16, a window
/// along the border without anything above zero, rows whose largest elements tie, rows that overflow exp or underflow
/// in it, both truths. `value` numbers it.
Patterns patterns_of(const Tensor& tensor, std::uint64_t value);

/// The patterns that a wish for that value asks for.
Patterns patterns_wished(Wish wish, std::uint64_t value);

/// Was nothing seen of what this wish asks for most: values that overflow exp and some below zero, or a border below
/// zero? Then larger inputs may help. False for wishes that these do not help.
bool is_out_of_reach(Wish wish, std::uint64_t value, const Patterns& seen);

/// At most `most` of the candidates, by number and in the order of choice: greedily the one that adds most patterns to
/// those `known` and chosen, the first of several; none that adds nothing. One that was `wished` counts as eight.
std::vector<std::size_t> most_telling(const std::vector<Patterns>& candidates, Patterns known, const Patterns& wished,
                                      std::size_t most);

}  // namespace culprit
