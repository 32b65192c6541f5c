#pragma once
// The orders in which a value of the source may be fed to the target. Layers behind that work element by element agree
// with any order, so it is settled by shapes, by what is known of the inputs, and by kernels, never by them.

#include <set>
#include <vector>

#include "conversion/walk/cuts.h"
#include "conversion/walk/kernel_mates.h"

namespace culprit {

struct CutOrderTask {
  const CutTask& cut;
  const std::vector<KernelMate>& mates;
  int source = -1;  ///< the value
  const Shape& source_shape;
  const Shape& target_shape;
  const std::set<int>& layers;  ///< of the source, between what is known and the value
};

/// The likeliest first; empty where none fits the target's shape. Where the counts of elements differ, the target's
/// shape is the wrong one, and every order is told. Pure.
std::vector<ValueOrder> cut_orders(const CutOrderTask& task);

/// The sizes that are not 1: two shapes with the same are one in two ranks.
Shape sizes_that_count(const Shape& shape);

/// The order of the output channels in the target, for each of these layers of the source with a mate, told by kernels
/// (map/channel_order.h), where it is another.
std::map<int, std::vector<std::int64_t>> channel_orders_of(const ConversionMap& map, const ValueMatches& known,
                                                           const Ways& source, const std::vector<KernelMate>& mates,
                                                           const std::set<int>& layers);

}  // namespace culprit
