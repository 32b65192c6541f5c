#pragma once
// Tables of Unicode, in ascending order and without overlap. Private to this room.

#include <span>

namespace culprit {

/// Letters and digits: code points `first` to `last`.
struct WordRange {
  char32_t first, last;
};

/// Each `step`-th code point from `first` to `last` has its lower case `distance` further.
struct LowerRange {
  char32_t first, last, step;
  int distance;
};

std::span<const WordRange> word_ranges();
std::span<const LowerRange> lower_ranges();

}  // namespace culprit
