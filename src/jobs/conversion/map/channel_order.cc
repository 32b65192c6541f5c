#include "conversion/map/channel_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "conversion/map/parameter_numbers.h"
#include "conversion/map/parameter_order.h"
#include "conversion/map/value_order.h"

namespace culprit {
namespace {

constexpr std::size_t most_looks_at_a_slice = 64;
constexpr double clearly_nearer = 3, enough_of_all = 0.75;
constexpr std::ptrdiff_t fewest_clear = 2;

/// Some numbers of each slice, the same places in all.
std::vector<float> looks_at_slices(const ParameterNumbers& tensor, std::size_t axis, std::size_t& length) {
  std::size_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (i < axis) outer *= static_cast<std::size_t>(tensor.shape[i]);
    if (i > axis) inner *= static_cast<std::size_t>(tensor.shape[i]);
  }
  const auto slices = static_cast<std::size_t>(tensor.shape[axis]);
  length = std::min(outer * inner, most_looks_at_a_slice);
  std::vector<std::size_t> places(length);
  std::iota(places.begin(), places.end(), std::size_t{0});
  Random random(3);
  if (length < outer * inner)
    for (std::size_t& place : places) place = random.next() % (outer * inner);
  std::vector<float> looks;
  looks.reserve(slices * length);
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (const std::size_t place : places)
      looks.push_back(tensor.numbers[(place / inner * slices + slice) * inner + place % inner]);
  return looks;
}

struct NearestSlices {
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity(), second = least;
};

class SliceMates {
 public:
  SliceMates(std::vector<float> source, std::vector<float> target, std::size_t length)
      : source_(std::move(source)), target_(std::move(target)), length_(length), count_(target_.size() / length) {}

  /// By the target's slice the source's; empty where too few have a clear partner.
  std::vector<std::int64_t> pair() {
    std::vector<std::int64_t> mates(count_, -1);
    std::vector<NearestSlices> nearest;
    nearest.reserve(count_);
    for (std::size_t slice = 0; slice < count_; ++slice) nearest.push_back(nearest_of(slice));
    std::vector<std::size_t> order(count_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t slice) { return nearest[slice].least; });
    taken_.assign(count_, false);
    std::ptrdiff_t clear = 0;
    for (const std::size_t slice : order) {
      const NearestSlices& found = nearest[slice];
      if (taken_[found.nearest] || !(found.least * clearly_nearer <= found.second)) continue;
      ++clear;
      taken_[found.nearest] = true;
      mates[slice] = static_cast<std::int64_t>(found.nearest);
    }
    if (clear < fewest_clear || static_cast<double>(clear) < enough_of_all * static_cast<double>(count_)) return {};
    for (std::size_t slice = 0; slice < count_; ++slice)
      if (mates[slice] < 0) mates[slice] = static_cast<std::int64_t>(nearest_left(slice));
    return mates;
  }

 private:
  [[nodiscard]] double apart(std::size_t target, std::size_t source) const {
    double sum = 0;
    const float *one = source_.data() + source * length_, *other = target_.data() + target * length_;
    for (std::size_t i = 0; i < length_; ++i) sum += static_cast<double>(std::abs(one[i] - other[i]));
    return sum;
  }

  [[nodiscard]] NearestSlices nearest_of(std::size_t target) const {
    NearestSlices found;
    for (std::size_t source = 0; source < count_; ++source) {
      const double sum = apart(target, source);
      if (sum < found.least) {
        found.second = found.least;
        found.least = sum;
        found.nearest = source;
      } else {
        found.second = std::min(found.second, sum);
      }
    }
    return found;
  }

  std::size_t nearest_left(std::size_t target) {
    std::size_t best = count_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t source = 0; source < count_; ++source) {
      if (taken_[source]) continue;
      const double sum = apart(target, source);
      if (best < count_ && !(sum < least)) continue;
      best = source;
      least = sum;
    }
    taken_[best] = true;
    return best;
  }

  std::vector<float> source_, target_;
  std::size_t length_ = 1, count_ = 0;
  std::vector<bool> taken_;
};

/// The source's kernel in the target's layout, its inputs in their order; nullopt where letters do not tell.
std::optional<ParameterNumbers> in_layout_of(const DerivedTensor& source, const TargetParameter& target,
                                             const std::vector<std::int64_t>& of_inputs) {
  const auto axes = expected_order(source, target);
  if (!axes || target.axes.find('O') == std::string::npos) return std::nullopt;
  ValueOrder order{*axes};
  const auto inputs = target.axes.find('I');
  if (inputs != std::string::npos && !of_inputs.empty() && target.tensor.shape[inputs] == std::ssize(of_inputs)) {
    order.channels = of_inputs;
    order.channel_axis = static_cast<int>(inputs);
  }
  const auto laid = laid_out(Tensor::of(source.tensor.shape, source.tensor.numbers), order, target.tensor.shape);
  if (!laid) return std::nullopt;
  const auto numbers = laid->as<float>();
  return ParameterNumbers{target.tensor.shape, {numbers.begin(), numbers.end()}, target.axes};
}

}  // namespace

std::optional<std::vector<std::int64_t>> channel_order(const DerivedTensor& source, const TargetParameter& target,
                                                       const std::vector<std::int64_t>& of_inputs) {
  const auto laid = in_layout_of(source, target, of_inputs);
  if (!laid || laid->numbers.empty()) return std::nullopt;
  const std::size_t axis = axis_of(*laid, 'O').value_or(0);
  if (laid->shape[axis] < fewest_clear) return std::nullopt;
  std::size_t length = 1;
  auto one = looks_at_slices(*laid, axis, length);
  auto other = looks_at_slices({target.tensor.shape, target.tensor.numbers, target.axes}, axis, length);
  auto mates = SliceMates(std::move(one), std::move(other), length).pair();
  if (mates.empty() || std::ranges::is_sorted(mates)) return std::nullopt;
  return mates;
}

}  // namespace culprit
