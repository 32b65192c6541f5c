#pragma once
// Which tensor of a source is which of a target, by their numbers: transposed, flattened and slightly changed ones too.
// Names say nothing here, for converters make up their own.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conversion/axis_order.h"
#include "conversion/number_profile.h"

namespace culprit {

/// Numbers to be found, or to be found in: a stored tensor, or what a converter makes of some (a folded kernel).
struct TensorOfNumbers {
  std::string name;
  Shape shape;
  std::vector<float> numbers;
  int place =
      0;  ///< of its layer, in the order of the network: of equal tensors the earlier are matched to the earlier
};

struct TensorMatch {
  std::size_t source = 0;  ///< into the lists that were given
  std::size_t target = 0;
  enum class Kind {
    same,       ///< every number, to within `same_within`
    changed,    ///< the order of axes is plain, and some numbers are not the same
    scrambled,  ///< the same numbers in an order that no axes make
  } kind = Kind::same;
  AxisOrder order;      ///< of a scrambled one the nearest
  double distance = 0;  ///< in that order (conversion/axis_order.h)
};

struct MatchLimits {
  double same_within = 1e-5;  ///< distance: what float32 and folding leave
  double most_changed = 0.6;  ///< distance beyond which two tensors have nothing to do with each other
};

/// Each source and each target at most once, the nearest first. Tensors of fewer than 2 different numbers (all 0, all
/// 1) match those of the same count and numbers, in their places' order. Sorted by source.
std::vector<TensorMatch> match_tensors(const std::vector<TensorOfNumbers>& sources,
                                       const std::vector<TensorOfNumbers>& targets, const MatchLimits& limits = {});

}  // namespace culprit
