#pragma once
// How the elements of one tensor lie in another: frameworks keep the same kernel as [H, W, in, out], [out, in, H, W] or
// [out, H * W * in], and the same picture with its channels first or last. An order of axes says which.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

/// The target is the source with its axes in another order and then in another shape with the same elements in the same
/// row-major order; or, where `of_target`, the source is the target so.
struct AxisOrder {
  std::vector<int> axes;  ///< of the source (the target where `of_target`), in their new order
  bool of_target = false;
  [[nodiscard]] bool keeps_order() const;  ///< no element moves
  bool operator==(const AxisOrder&) const = default;
};

/// All that these shapes allow, the one that moves nothing first. Axes of size 1 do not count, and where one order of
/// axes says it all, the other tensor's is not named again. Empty where the counts of elements differ, or where one has
/// more than 6 axes that count.
std::vector<AxisOrder> axis_orders(const Shape& source, const Shape& target);

/// Tells where element `i` of the target stands in the source, for all of them.
std::vector<std::int64_t> places(const AxisOrder& order, const Shape& source, const Shape& target);

/// The source in the order and the shape of the target. Both have as many elements.
Result<Tensor> laid_out(const Tensor& source, const AxisOrder& order, const Shape& target);

/// How far apart the numbers of two tensors are. NaN stands for NaN and infinity for itself, else a pair counts as far
/// apart as it goes.
struct NumbersApart {
  /// The mean absolute difference over the mean absolute value of the source; 0 where both are 0 everywhere.
  double distance = 0;
  double largest = 0;  ///< the largest absolute difference
  double size = 0;     ///< the mean absolute value of the source
};

/// Adds up pairs of numbers.
class ApartSum {
 public:
  void add(float source, float target) {
    ++count_;
    if (std::isfinite(source)) size_ += std::abs(static_cast<double>(source));
    if (source == target || (std::isnan(source) && std::isnan(target))) return;
    double difference = std::abs(static_cast<double>(source) - static_cast<double>(target));
    if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
    difference_ += difference;
    largest_ = std::max(largest_, difference);
  }
  [[nodiscard]] NumbersApart apart() const;

 private:
  std::int64_t count_ = 0;
  double difference_ = 0, size_ = 0, largest_ = 0;
};

/// NumbersApart::distance of two tensors.
double distance(std::span<const float> source, std::span<const float> target);

struct FoundOrder {
  AxisOrder order;
  double distance = 0;
};

/// The order of axes in which both are least far apart; of equal ones the first of axis_orders. Orders that are further
/// apart than `enough` in a sample of the elements are not looked at in full. nullopt where there is no order at all.
std::optional<FoundOrder> nearest_order(const Shape& source_shape, std::span<const float> source,
                                        const Shape& target_shape, std::span<const float> target, double enough);

/// "[H,W,I,O] -> [O,I,H,W]"-like: "axes 3, 2, 0, 1 of [3,3,8,16]"; "as it is".
std::string to_string(const AxisOrder& order, const Shape& source, const Shape& target);

}  // namespace culprit
