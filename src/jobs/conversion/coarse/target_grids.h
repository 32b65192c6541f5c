#pragma once
// How a target rounds, in the words of its source: which numbers its weights became, and through which steps its values
// go. Pure.

#include <map>
#include <optional>

#include "conversion/map/coverage.h"
#include "conversion/sides/ways.h"
#include "tensor/tensor.h"

namespace culprit {

/// Distance (conversion/axis_order.h) of a parameter that was not rounded.
inline constexpr double held_as_it_is = 1e-6;

/// Steps of integers, and the real numbers at their ends.
struct ValueGrid {
  double step = 0;
  double low = 0, high = 0;
  double lowest = 0;  ///< the integer that is `low`
  int target = -1;    ///< the target's value that goes through them
};

/// The steps of a value that is quantized and dequantized, that an operator of integers makes (QLinearConv), or that
/// the file scales (TFLite). nullopt: it is not, or not by one scale that is known.
std::optional<ValueGrid> grid_of_value(const Ways& network, int value);

struct TargetGrids {
  std::map<int, Tensor> weights;  ///< by the source's stored parameter: what the target has, as the source lays it out
  std::map<int, ValueGrid> values;  ///< by the source's value
  [[nodiscard]] bool is_any() const { return !weights.empty() || !values.empty(); }
};

/// `map`: with values that are matched roughly (judge_coarse.h). Where values are too far apart for that, layers of one
/// kernel take and give the same.
TargetGrids target_grids(const Ways& source, const Ways& target, const ConversionMap& map);

}  // namespace culprit
