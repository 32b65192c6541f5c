#pragma once
// What a value should look like for a rewrite at its place to show itself, and how an input grants it.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/value_origins.h"

namespace culprit {

enum class Wish {
  negative_border,  ///< below zero all along the border of the space: a pad with zeros that moved into a pool shows
  large_border,     ///< far from zero there
  large,            ///< large and away from zero
  ties,             ///< several equal largest elements in a row
  extreme,          ///< rows whose exp overflows or underflows, and whose log or root does not exist
  signed_zeros,     ///< 0.0 and -0.0
  not_finite,       ///< NaN and both infinities, one element each
  fractions,        ///< halves and other numbers that a cast rounds
  limits,           ///< at and beside the limits of a clip
  both_truths,      ///< true and false
  distinct,         ///< whole numbers that tell places apart
};

/// "negative values along the border": what the report says was done.
std::string words_for(Wish wish);
/// Can only floats have it? `distinct` is for integers, `both_truths` for booleans.
bool is_for(Wish wish, DType type);

/// Says where and how exactly.
struct WishDetails {
  std::int64_t axis = -1;    ///< of rows, for `ties` and `extreme`
  double low = 0, high = 6;  ///< for `limits`
};

/// The values wished for: element -> value, for a share of the elements of that shape. `round` counts the candidates:
/// where a wish has several sides, another comes first in each.
std::vector<std::pair<std::int64_t, double>> targets(Wish wish, const Shape& shape, const WishDetails& details,
                                                     std::size_t round, Random& random);

/// Values for elements of a sample's inputs; the last edit of an element counts.
using Edits = std::map<std::int32_t, std::map<std::int64_t, double>>;

/// Adds what makes these elements of the value take these values. Returns how many elements could be set: not those
/// that are constant, or below zero behind a Relu.
std::size_t grant(const Origins& origins, const std::vector<std::pair<std::int64_t, double>>& wanted, Edits& edits);

/// The sample with these edits; each is rounded to the type of its input.
std::vector<NamedTensor> edited(std::vector<NamedTensor> sample, const Edits& edits);

}  // namespace culprit
