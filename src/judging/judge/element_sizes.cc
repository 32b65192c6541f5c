#include "judge/element_sizes.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "judge/element_readers.h"

namespace culprit {
namespace {

constexpr double columns_apart = 16;
constexpr std::int64_t least_of_a_slice = 4;
constexpr std::size_t most_scales = 64;

/// Numbers for groups, in the order in which they are met; all in one where there would be too many.
class Groups {
 public:
  explicit Groups(std::size_t elements) : of_(elements) {}

  /// Parts every group by `key`, which is small.
  template <class Key>
  void part(const Key& key) {
    std::map<std::pair<std::uint8_t, std::size_t>, std::uint8_t> numbers;
    std::vector<std::uint8_t> parted(of_.size());
    for (std::size_t i = 0; i < of_.size(); ++i) {
      const std::pair own{of_[i], key(i)};
      auto at = numbers.find(own);
      if (at == numbers.end()) {
        if (numbers.size() >= most_scales) return;
        at = numbers.emplace(own, static_cast<std::uint8_t>(numbers.size())).first;
      }
      parted[i] = at->second;
    }
    of_ = std::move(parted);
    count_ = numbers.size();
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::uint8_t of(std::size_t i) const { return of_[i]; }
  Parted take() { return {count_, count_ > 1 ? std::move(of_) : std::vector<std::uint8_t>()}; }

 private:
  std::vector<std::uint8_t> of_;
  std::size_t count_ = 1;
};

/// For each index along an axis the number of its class: sorted by rms, a new class begins where it grows by 16 times.
std::vector<std::size_t> classes_along(const std::vector<Rms>& slices) {
  const auto speaks = [&](std::size_t i) { return slices[i].count() >= least_of_a_slice && slices[i].value() > 0; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (speaks(i)) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return slices[i].value(); });
  std::vector<std::size_t> classes(slices.size(), 0);
  std::size_t number = 0, largest = 0, members = 0, most = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (at > 0 && slices[order[at]].value() >= columns_apart * slices[order[at - 1]].value()) ++number, members = 0;
    classes[order[at]] = number;
    if (++members > most) most = members, largest = number;
  }
  if (number == 0) return {};
  for (std::size_t i = 0; i < slices.size(); ++i) {  // slices that are too small to tell go with the most
    if (!speaks(i)) classes[i] = largest;
  }
  return classes;
}

void part_along(const Shape& shape, std::size_t axis, const ElementSizes& sizes, Groups& groups) {
  const auto length = static_cast<std::size_t>(shape[axis]);
  if (length < 2 || sizes.count() / length < least_of_a_slice) return;
  std::size_t inner = sizes.count();
  for (std::size_t i = 0; i <= axis; ++i) inner /= static_cast<std::size_t>(shape[i]);
  const auto index = [&](std::size_t i) { return i / inner % length; };
  std::vector<Rms> slices(length);
  for (std::size_t i = 0; i < sizes.count(); ++i) slices[index(i)].add(sizes.at(i));
  const auto classes = classes_along(slices);
  if (!classes.empty()) groups.part([&](std::size_t i) { return classes[index(i)]; });
}

constexpr int lowest_binade = -1100;  // below any double's
constexpr std::size_t binades = 2200;

std::size_t binade_of(double size) { return static_cast<std::size_t>(std::ilogb(size) - lowest_binade); }

using Binades = std::array<std::int64_t, binades>;  // how many elements of a group lie in each

/// The first binade of each class but the first, upwards.
std::vector<std::size_t> gaps_in(const Binades& counts) {
  std::vector<std::size_t> gaps;
  std::size_t last = binades;  // filled
  for (std::size_t b = 0; b < binades; ++b) {
    if (counts[b] == 0) continue;
    if (last < binades && b - last > static_cast<std::size_t>(binades_apart)) gaps.push_back(b);
    last = b;
  }
  return gaps;
}

std::size_t class_in(const std::vector<std::size_t>& gaps, std::size_t binade) {
  return static_cast<std::size_t>(std::ranges::upper_bound(gaps, binade) - gaps.begin());
}

/// Of what lies below a gap.
struct Below {
  std::size_t highest = 0;          // binade
  std::int64_t moved = 0, far = 0;  // elements that draws move at all, and as far as rounding of what lies above
};

/// Values at gaps in |r|, one group at a time.
class Gaps {
 public:
  Gaps(const ElementSizes& sizes, const Drawn& drawn, double eps, const Groups& groups)
      : sizes_(sizes), drawn_(drawn), groups_(groups), counts_(groups.count()) {
    for_each([&](std::size_t i) { ++counts_[groups_.of(i)][binade_of(sizes_.at(i))]; });
    for (const Binades& counts : counts_) gaps_.push_back(gaps_in(counts));
    if (any()) find_cancelled(eps);
    for (std::size_t g = 0; g < gaps_.size(); ++g) most_.push_back(largest_class(g));
  }

  [[nodiscard]] bool any() const {
    return std::ranges::any_of(gaps_, [](const auto& gaps) { return !gaps.empty(); });
  }
  /// Zeros and fillers go where most are.
  [[nodiscard]] std::size_t class_of(std::size_t i) const {
    const std::size_t group = groups_.of(i);
    if (!(sizes_.at(i) > 0)) return most_[group];
    std::size_t own = class_in(gaps_[group], binade_of(sizes_.at(i)));
    while (own < gaps_[group].size() && is_cancelled_[group][own] && (drawn_.draws == 0 || moves(i))) ++own;
    return own;
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < sizes_.count(); ++i) {
      if (sizes_.at(i) > 0) visit(i);
    }
  }
  [[nodiscard]] bool moves(std::size_t i) const { return !drawn_.reach.empty() && drawn_.reach[i] > 0; }

  /// Below which gaps are most of the elements that move what cancelling left of the values above?
  void find_cancelled(double eps) {
    std::vector<std::vector<Below>> below;
    for (const auto& gaps : gaps_) below.emplace_back(gaps.size());
    for_each([&](std::size_t i) {
      const auto& gaps = gaps_[groups_.of(i)];
      const std::size_t b = binade_of(sizes_.at(i)), own = class_in(gaps, b);
      if (own == gaps.size()) return;
      Below& here = below[groups_.of(i)][own];
      here.highest = std::max(here.highest, b);
      if (!moves(i)) return;
      ++here.moved;
      const double rounding = eps / 2 * std::ldexp(1.0, static_cast<int>(gaps[own]) + lowest_binade);
      if (drawn_.reach[i] >= rounding) ++here.far;
    });
    is_cancelled_.resize(gaps_.size());
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      for (std::size_t at = 0; at < gaps_[g].size(); ++at) {
        const Below& here = below[g][at];
        const int apart = static_cast<int>(gaps_[g][at]) - static_cast<int>(here.highest);
        const bool is_tiny = std::ldexp(1.0, -apart) < eps;
        is_cancelled_[g].push_back(drawn_.draws > 0 ? here.far > 0 && 2 * here.far >= here.moved : is_tiny);
      }
    }
  }

  [[nodiscard]] std::size_t largest_class(std::size_t group) const {
    std::vector<std::int64_t> members(gaps_[group].size() + 1);
    for (std::size_t b = 0; b < binades; ++b) members[class_in(gaps_[group], b)] += counts_[group][b];
    return static_cast<std::size_t>(std::ranges::max_element(members) - members.begin());
  }

  const ElementSizes& sizes_;
  const Drawn& drawn_;
  const Groups& groups_;
  std::vector<Binades> counts_;                  // by group
  std::vector<std::vector<std::size_t>> gaps_;   // by group
  std::vector<std::vector<bool>> is_cancelled_;  // by group and gap
  std::vector<std::size_t> most_;                // by group: its largest class
};

}  // namespace

ElementSizes::ElementSizes(const Tensor& reference, const Drawn& drawn) {
  with_float_elements(reference.dtype(), reference.count(), [&]<class Elements>(std::int64_t parts) {
    const Elements elements(reference);
    sizes_.resize(static_cast<std::size_t>(parts));
    for (std::int64_t i = 0; i < parts; ++i) {
      const double r = std::abs(elements.number(i));
      sizes_[static_cast<std::size_t>(i)] = std::isfinite(r) ? r : -1;
    }
    find_fillers(elements, drawn);
  });
}

/// None where all would be.
template <class Elements>
void ElementSizes::find_fillers(const Elements& elements, const Drawn& drawn) {
  if (drawn.reach.empty()) return;
  struct Twins {
    std::size_t first = 0;
    bool is_moved = false;
  };
  std::unordered_map<double, Twins> twins;
  fillers_.resize(sizes_.size());
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (sizes_[i] < 0 || drawn.reach[i] > 0) continue;
    const auto [at, is_new] = twins.emplace(elements.number(static_cast<std::int64_t>(i)), Twins{i, false});
    if (!is_new) fillers_[i] = fillers_[at->second.first] = Filler::still;
  }
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (!(drawn.reach[i] > 0)) continue;
    const auto at = twins.find(elements.number(static_cast<std::int64_t>(i)));
    if (at != twins.end()) at->second.is_moved = true;
  }
  bool is_one_left = false;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    is_one_left = is_one_left || at(i) > 0;
    if (fillers_[i] == Filler::none) continue;
    if (twins.at(elements.number(static_cast<std::int64_t>(i))).is_moved) fillers_[i] = Filler::clamped;
  }
  if (!is_one_left) fillers_.clear();
}

Parted part_by_size(const Tensor& reference, const ElementSizes& sizes, const Drawn& drawn, double eps) {
  Groups groups(sizes.count());
  const bool is_complex = reference.dtype() == DType::c64 || reference.dtype() == DType::c128;
  for (std::size_t axis = 0; axis < reference.shape().size() && !is_complex; ++axis)
    part_along(reference.shape(), axis, sizes, groups);
  const Gaps gaps(sizes, drawn, eps, groups);
  if (gaps.any()) groups.part([&](std::size_t i) { return gaps.class_of(i); });
  return groups.take();
}

}  // namespace culprit
