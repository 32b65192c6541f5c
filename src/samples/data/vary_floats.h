#pragma once
// Other values for the floats of a sample, where a wish cannot be carried to an input: what lies behind a convolution
// is then hit by chance, and `check` keeps what hit.

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/wished_values.h"

namespace culprit {

enum class Variation {
  patches,  ///< blocks of the input, each varied in another way: a net that looks at neighbourhoods sees all of them
  larger,   ///< x 16
  smaller,  ///< x 1/16
  above,    ///< + 2 rms
  below,    ///< - 2 rms
  sparse,   ///< three of four are zero, of both signs
  levels,   ///< rounded to halves of the rms: neighbours and rows tie
  flat,     ///< rows of one value each
  huge,     ///< x 256
  planes,   ///< planes of one value each: what lies along the last two axes, or the last one of three
};

/// The likeliest to help with these wishes first, each once; `patches` is always the first, the rest follows behind.
std::vector<Variation> variations_for(const std::vector<Wish>& wishes);
/// "values in patches of other sizes, signs and zeros"
std::string words_for(Variation variation);

/// Inputs that are no floats, or among `fixed`, stay as they are.
std::vector<NamedTensor> varied(std::vector<NamedTensor> sample, Variation variation,
                                const std::set<std::string>& fixed, Random& random);

/// All numbers of the floats that are not `fixed` times this; those of 16 bits and less stay below half their largest.
std::vector<NamedTensor> scaled(std::vector<NamedTensor> sample, double factor, const std::set<std::string>& fixed);

}  // namespace culprit
