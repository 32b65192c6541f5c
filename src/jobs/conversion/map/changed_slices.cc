#include "conversion/map/changed_slices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace culprit {
namespace {

constexpr std::int64_t fewest_numbers = 4;
/// A slice stands where it stood if it is that much nearer than it has to be.
constexpr double surely_nearer = 1e-3;

struct Slicing {
  std::int64_t outer = 1, inner = 1;
  std::size_t begin = 0;  // of the sample's elements
};

class SlicePairing {
 public:
  SlicePairing(const SlicedNumbers& numbers, std::size_t axis, double most)
      : numbers_(numbers), slices_(numbers.shapes[0][axis]) {
    std::size_t begin = 0;
    for (const Shape& shape : numbers.shapes) {
      Slicing slicing{1, 1, begin};
      for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < axis) slicing.outer *= shape[i];
        if (i > axis) slicing.inner *= shape[i];
      }
      per_slice_ += slicing.outer * slicing.inner;
      begin += static_cast<std::size_t>(slicing.outer * slicing.inner * slices_);
      samples_.push_back(slicing);
    }
    double size = 0;
    for (const float number : numbers.source) size += std::abs(static_cast<double>(number));
    if (!numbers.source.empty()) size /= static_cast<double>(numbers.source.size());
    most_apart_ = most * size * static_cast<double>(per_slice_);
  }

  std::optional<std::vector<std::int64_t>> pair() {
    if (per_slice_ < fewest_numbers || !std::isfinite(most_apart_)) return std::nullopt;
    one_ = looks(numbers_.source);
    other_ = looks(numbers_.target);
    by_look_.resize(one_.size());
    std::iota(by_look_.begin(), by_look_.end(), std::int64_t{0});
    std::ranges::sort(by_look_, {}, [&](std::int64_t slice) { return one_[static_cast<std::size_t>(slice)]; });
    if (!looks_agree()) return std::nullopt;
    std::vector<std::int64_t> found(one_.size(), -1);
    taken_.assign(one_.size(), false);
    for (std::int64_t slice = 0; slice < slices_; ++slice)
      if (apart(slice, slice, surely_nearer * most_apart_) <= surely_nearer * most_apart_) take(found, slice, slice);
    for (std::int64_t slice = 0; slice < slices_; ++slice) {
      if (found[static_cast<std::size_t>(slice)] >= 0) continue;
      const auto mate = mate_of(slice);
      if (!mate) return std::nullopt;
      take(found, slice, *mate);
    }
    return found;
  }

 private:
  /// One number for each slice: its elements times the same random factors within 1, so that of two slices it is no
  /// further apart than the slices are.
  [[nodiscard]] std::vector<double> looks(std::span<const float> numbers) const {
    std::vector<double> sums(static_cast<std::size_t>(slices_));
    Random random(1);
    for (const Slicing& sample : samples_) {
      std::vector<double> factors(static_cast<std::size_t>(sample.outer * sample.inner));
      for (double& factor : factors) factor = 2 * random.uniform() - 1;
      std::size_t at = sample.begin;
      for (std::int64_t outer = 0; outer < sample.outer; ++outer)
        for (std::int64_t slice = 0; slice < slices_; ++slice)
          for (std::int64_t inner = 0; inner < sample.inner; ++inner)
            sums[static_cast<std::size_t>(slice)] +=
                factors[static_cast<std::size_t>(outer * sample.inner + inner)] * static_cast<double>(numbers[at++]);
    }
    return sums;
  }

  /// A first look: sorted, are those of both within the limit?
  [[nodiscard]] bool looks_agree() const {
    std::vector<double> sorted = other_;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const double gap = std::abs(sorted[i] - one_[static_cast<std::size_t>(by_look_[i])]);
      if (!(gap <= most_apart_)) return false;
    }
    return true;
  }

  /// The sum of the differences of two slices; infinite where it is more than `most`.
  [[nodiscard]] double apart(std::int64_t source, std::int64_t target, double most) const {
    constexpr double too_far = std::numeric_limits<double>::infinity();
    if (!(std::abs(one_[static_cast<std::size_t>(source)] - other_[static_cast<std::size_t>(target)]) <= most))
      return too_far;
    double sum = 0;
    for (const Slicing& sample : samples_)
      for (std::int64_t outer = 0; outer < sample.outer; ++outer) {
        const auto begin = static_cast<std::int64_t>(sample.begin);
        const float* one = numbers_.source.data() + begin + (outer * slices_ + source) * sample.inner;
        const float* other = numbers_.target.data() + begin + (outer * slices_ + target) * sample.inner;
        for (std::int64_t inner = 0; inner < sample.inner; ++inner)
          sum += std::abs(static_cast<double>(one[inner]) - static_cast<double>(other[inner]));
        if (!(sum <= most)) return too_far;
      }
    return sum;
  }

  /// The nearest of those that are left.
  [[nodiscard]] std::optional<std::int64_t> mate_of(std::int64_t target) const {
    const double look = other_[static_cast<std::size_t>(target)];
    const auto look_of = [&](std::int64_t slice) { return one_[static_cast<std::size_t>(slice)]; };
    std::optional<std::int64_t> mate;
    double least = most_apart_;
    for (auto at = std::ranges::lower_bound(by_look_, look - most_apart_, {}, look_of);
         at != by_look_.end() && look_of(*at) <= look + most_apart_; ++at) {
      if (taken_[static_cast<std::size_t>(*at)]) continue;
      const double found = apart(*at, target, least);
      if (found > least || (mate && found == least)) continue;
      mate = *at;
      least = found;
      if (least == 0) break;
    }
    return mate;
  }

  void take(std::vector<std::int64_t>& found, std::int64_t target, std::int64_t source) {
    found[static_cast<std::size_t>(target)] = source;
    taken_[static_cast<std::size_t>(source)] = true;
  }

  SlicedNumbers numbers_;
  std::int64_t slices_ = 0, per_slice_ = 0;
  std::vector<Slicing> samples_;
  double most_apart_ = 0;  // sum over a slice
  std::vector<double> one_, other_;
  std::vector<std::int64_t> by_look_;  // the source's
  std::vector<bool> taken_;
};

}  // namespace

std::optional<std::vector<std::int64_t>> changed_slices(const SlicedNumbers& numbers, std::size_t axis, double most) {
  if (numbers.shapes.empty()) return std::nullopt;
  for (const Shape& shape : numbers.shapes)
    if (axis >= shape.size() || shape[axis] < 2 || shape[axis] != numbers.shapes[0][axis]) return std::nullopt;
  return SlicePairing(numbers, axis, most).pair();
}

}  // namespace culprit
