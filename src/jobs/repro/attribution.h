#pragma once
// Whose fault is a wrong value? Original and variant ran with the runtime's optimizations off and at the deploy level,
// and both on a second runner. docs/judging.md has the table of what follows from that. Pure: what was seen comes in,
// and the word goes out.

#include <optional>

#include "record/enum_names.h"

namespace culprit {

enum class Seen { unknown, agrees, differs };

/// All that can be seen on one sample. `unknown`: it was not run, or failed.
struct Observations {
  Seen variant_off = Seen::unknown;      ///< the variant against the original, both with optimizations off
  Seen pair_deployed = Seen::unknown;    ///< the variant against the original, both at the deploy level
  Seen pair_second = Seen::unknown;      ///< the variant against the original, both on the second runner, off
  Seen original_second = Seen::unknown;  ///< the original on the second runner, off, against the first runner's
};

/// The first line that fits:
///
///   variant, off   pair, second   original, second   pair, deployed
///   differs        agrees         any                any              kernel: the models mean the same elsewhere, so a
///                                                                     kernel of the first runner computes one wrongly
///   differs        differs        differs            any              model: runners do not agree on the original
///   differs        any other      any other          any              optimizer: the rewrite changes the meaning
///   agrees         any            any                differs          runtime: what its optimizations make of it
///
/// Nothing where none does: what was seen before was not seen again.
std::optional<Attribution> attribute(const Observations& seen);

}  // namespace culprit
