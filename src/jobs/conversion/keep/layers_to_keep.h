#pragma once
// Which of n layers to keep in float, so that with all others rounded nothing is decided otherwise. Pure: runs are
// asked of an oracle.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"

namespace culprit {

/// Ascending numbers of layers.
using LayerSet = std::vector<std::size_t>;

/// How many samples are decided otherwise with these layers in float and all others rounded?
using ChangedWith = std::function<Result<std::int64_t>(const LayerSet& kept)>;

struct LayersToKeep {
  LayerSet kept;
  std::int64_t changed_by_rounding = 0;  ///< with none kept
  std::int64_t changed_left = 0;         ///< with `kept`; 0: this very set was asked, and no sample changes
  std::int64_t questions = 0;            ///< sets that were asked; none is asked twice
};

/// `cost_alone`: of each layer, of any unit; NaN counts as infinity. Layers are added in this order, the most costly
/// first, until no sample changes: the last one added is needed. With it kept the same begins again, until the needed
/// ones are enough. Then the search takes out members, or exchanges two for one, as long as questions are left. A set
/// of k layers of n took at most 4 k log2(n) questions where n is at least 2. Nothing rests on more layers being never
/// worse: `kept` is a set that was asked. Where rounding all changes nothing, `kept` is empty; where keeping all
/// changes something, it is all. Errors: the oracle's.
Result<LayersToKeep> layers_to_keep(const std::vector<double>& cost_alone, const ChangedWith& changed);

}  // namespace culprit
