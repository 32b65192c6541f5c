#pragma once
// Guesses at the sizes of open dimensions, from their names and places.

#include <cstddef>
#include <string>
#include <vector>

#include "data/dim_names.h"
#include "model/model.h"

namespace culprit {

enum class DimKind { batch, height, width, sound, length, past };

/// Does a dimension of this name count what a cache of keys and values holds: past_sequence_length, kv_len?
bool counts_cache(const std::string& name);

/// What an open dimension of an input most likely counts. `past`: what a cache of keys and values holds already.
DimKind kind_of(const ValueInfo& value, std::size_t axis);

/// One guess at all sizes, and others for every second sample: a pass that writes a size into a model is right as long
/// as that size stays. `others` are to be tried in this order; they end with none.
struct SizeGuess {
  Sizes first;
  std::vector<Sizes> others;
};

/// Guesses for the open dimensions of these inputs, the likeliest first, none twice, never none. Batches are 1, then 2;
/// image sides 224 x 224 and others that text, faces and thumbnails have; sound 512 and more samples; a cache is filled
/// first, then empty; all else is distinct primes (a size that was confused with another then shows), then equal sizes.
/// The first of the others are of the other parity: what halves a size goes another way.
/// A name has one size, and formulas of names follow from it, as total_... does from past_... What `given` holds is
/// kept, and what follows from it.
std::vector<SizeGuess> guess_sizes(const std::vector<ValueInfo>& inputs, const Sizes& given);

/// These sizes with `changes` of plain names, and what follows from them by formulas.
Sizes resized(const std::vector<ValueInfo>& inputs, const Sizes& sizes, const Sizes& changes);

/// Names that --dim may give: those of open dimensions, and those in their formulas.
std::vector<std::string> names_of_sizes(const std::vector<ValueInfo>& inputs);

}  // namespace culprit
