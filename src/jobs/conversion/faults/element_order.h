#pragma once
// In what other order do the elements of a tensor lie than they should? Where both hold the same numbers, the mistake
// of the conversion has a name: axes swapped, a kernel flipped, gates in another framework's order.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

struct ElementOrder {
  enum class Kind {
    axes,     ///< `axes` of the right tensor, in the order in which they lie
    flipped,  ///< along `axes`
    rolled,   ///< by `steps` along axes[0]
    blocks,   ///< `blocks` of equal size along axes[0]: the gates of an LSTM
    rows,     ///< axes[0] counts what was a picture of `picture`, whose axes lie in the order `blocks`
    groups,   ///< axes[0] of n elements lies as if it were [steps, n / steps], turned
    other,    ///< in no order that is known here
  } kind = Kind::other;
  std::vector<int> axes = {};
  std::vector<int> blocks = {};
  Shape picture = {};
  std::int64_t steps = 0;
  std::int64_t elsewhere = 0;  ///< so many elements are not where they should be
};

/// "axes 1, 0 of [16,16]", "flipped along axes 2, 3", "blocks 0, 2, 1, 3 along axis 0".
std::string to_string(const ElementOrder& order, const Shape& shape);

/// Both lie in `shape`, and hold the same numbers. `pictures`: sizes without batch of what was flattened before this
/// layer. Each number may be off by `within` times the mean size of all. nullopt where nothing is elsewhere.
std::optional<ElementOrder> element_order(const Shape& shape, std::span<const float> right,
                                          std::span<const float> found, const std::vector<Shape>& pictures = {},
                                          double within = 1e-5);

}  // namespace culprit
