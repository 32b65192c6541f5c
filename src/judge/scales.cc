#include "judge/scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>

#include "judge/elements.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

constexpr double deviations = 4;
constexpr double epsilons = 8;
constexpr double columns_apart = 16;
constexpr int binades_apart = 8;
constexpr std::int64_t least_of_a_slice = 4;
constexpr std::int64_t least_that_speak = 8;
constexpr std::size_t most_scales = 64;
constexpr double as_often = 4;  // as draws

double epsilon(DType type) {
  if (type == DType::c64) return epsilon_of(DType::f32);
  if (type == DType::c128) return epsilon_of(DType::f64);
  return is_float(type) ? epsilon_of(type) : 0;
}

/// |r| of each element. Some say nothing about a scale: NaN, infinities, fillers.
class Sizes {
 public:
  Sizes(const Tensor& reference, const Drawn& drawn) {
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

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// -1 where it says nothing.
  [[nodiscard]] double at(std::size_t i) const { return is_filler(i) ? -1 : sizes_[i]; }
  /// The same, but fillers have a size as others.
  [[nodiscard]] double with_fillers_at(std::size_t i) const { return sizes_[i]; }

 private:
  /// None where all would be.
  template <class Elements>
  void find_fillers(const Elements& elements, const Drawn& drawn) {
    if (drawn.reach.empty()) return;
    std::unordered_map<double, std::size_t> first;
    is_filler_.resize(sizes_.size());
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] < 0 || drawn.reach[i] > 0) continue;
      const auto [at, is_new] = first.emplace(elements.number(static_cast<std::int64_t>(i)), i);
      if (!is_new) is_filler_[i] = is_filler_[at->second] = true;
    }
    bool is_one_left = false;
    for (std::size_t i = 0; i < sizes_.size(); ++i) is_one_left = is_one_left || at(i) > 0;
    if (!is_one_left) is_filler_.clear();
  }

  [[nodiscard]] bool is_filler(std::size_t i) const { return !is_filler_.empty() && is_filler_[i]; }

  std::vector<double> sizes_;
  std::vector<bool> is_filler_;
};

/// Of the elements that say something; the others are -1.
class Rms {
 public:
  void add(double size) {
    if (size < 0) return;
    squares_ += size * size;
    ++count_;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double value() const { return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0; }

 private:
  double squares_ = 0;
  std::int64_t count_ = 0;
};

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
  std::vector<std::uint8_t> take() { return count_ > 1 ? std::move(of_) : std::vector<std::uint8_t>(); }

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

void part_along(const Shape& shape, std::size_t axis, const Sizes& sizes, Groups& groups) {
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

/// Removes the gaps below which most elements are what cancelling left of the values above.
void join_cancelled(std::vector<std::size_t>& gaps, const std::vector<Below>& below, bool drawn, double eps) {
  std::vector<std::size_t> kept;
  for (std::size_t g = 0; g < gaps.size(); ++g) {
    const int apart = static_cast<int>(gaps[g]) - static_cast<int>(below[g].highest);
    const bool is_tiny = std::ldexp(1.0, -apart) < eps;
    const bool is_left = drawn ? below[g].far > 0 && 2 * below[g].far >= below[g].moved : is_tiny;
    if (!is_left) kept.push_back(gaps[g]);
  }
  gaps = std::move(kept);
}

/// Values at gaps in |r|, one group at a time.
class Gaps {
 public:
  Gaps(const Sizes& sizes, const Drawn& drawn, double eps, const Groups& groups)
      : sizes_(sizes), reach_(drawn.reach), groups_(groups), counts_(groups.count()) {
    for_each([&](std::size_t i) { ++counts_[groups_.of(i)][binade_of(sizes_.at(i))]; });
    for (const Binades& counts : counts_) gaps_.push_back(gaps_in(counts));
    if (any()) join(drawn.draws > 0, eps);
    for (std::size_t g = 0; g < gaps_.size(); ++g) most_.push_back(largest_class(g));
  }

  [[nodiscard]] bool any() const {
    return std::ranges::any_of(gaps_, [](const auto& gaps) { return !gaps.empty(); });
  }
  /// Zeros and fillers go where most are.
  [[nodiscard]] std::size_t class_of(std::size_t i) const {
    const std::size_t group = groups_.of(i);
    return sizes_.at(i) > 0 ? class_in(gaps_[group], binade_of(sizes_.at(i))) : most_[group];
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < sizes_.count(); ++i) {
      if (sizes_.at(i) > 0) visit(i);
    }
  }

  void join(bool drawn, double eps) {
    std::vector<std::vector<Below>> below;
    for (const auto& gaps : gaps_) below.emplace_back(gaps.size());
    for_each([&](std::size_t i) {
      const auto& gaps = gaps_[groups_.of(i)];
      const std::size_t b = binade_of(sizes_.at(i)), own = class_in(gaps, b);
      if (own == gaps.size()) return;
      Below& here = below[groups_.of(i)][own];
      here.highest = std::max(here.highest, b);
      if (reach_.empty() || reach_[i] == 0) return;
      ++here.moved;
      const double rounding = eps / 2 * std::ldexp(1.0, static_cast<int>(gaps[own]) + lowest_binade);
      if (reach_[i] >= rounding) ++here.far;
    });
    for (std::size_t g = 0; g < gaps_.size(); ++g) join_cancelled(gaps_[g], below[g], drawn, eps);
  }

  [[nodiscard]] std::size_t largest_class(std::size_t group) const {
    std::vector<std::int64_t> members(gaps_[group].size() + 1);
    for (std::size_t b = 0; b < binades; ++b) members[class_in(gaps_[group], b)] += counts_[group][b];
    return static_cast<std::size_t>(std::ranges::max_element(members) - members.begin());
  }

  const Sizes& sizes_;
  const std::vector<float>& reach_;
  const Groups& groups_;
  std::vector<Binades> counts_;                 // by group
  std::vector<std::vector<std::size_t>> gaps_;  // by group
  std::vector<std::size_t> most_;               // by group: its largest class
};

void add_rms(const Sizes& sizes, Explained& explained) {
  std::vector<Rms> own(explained.scales.size()), whole(explained.scales.size());
  for (std::size_t i = 0; i < sizes.count(); ++i) {
    const std::size_t s = explained.scale_at(i);
    ++explained.scales[s].elements;
    own[s].add(sizes.at(i));
    whole[s].add(sizes.with_fillers_at(i));
  }
  for (std::size_t s = 0; s < own.size(); ++s)
    explained.scales[s].rms = own[s].value() > 0 ? own[s].value() : whole[s].value();
}

/// The median; of smooth values over those that moved, for a grid that is coarse (1e4 + x) moves a few only. But where
/// these are fewer than eight and not most, they speak for themselves.
void add_deviations(Explained& explained) {
  const std::vector<float>& reach = explained.drawn.reach;
  if (reach.empty()) return;
  const bool is_smooth = explained.drawn.nature == Nature::smooth;
  std::vector<std::vector<float>> moved(explained.scales.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    if (reach[i] > 0 || !is_smooth) moved[explained.scale_at(i)].push_back(reach[i]);
  }
  for (std::size_t s = 0; s < moved.size(); ++s) {
    const auto count = static_cast<std::int64_t>(moved[s].size());
    const bool speaks_for_all = count >= least_that_speak || 2 * count > explained.scales[s].elements;
    if (count == 0 || !speaks_for_all) continue;
    const auto middle = moved[s].begin() + (count - 1) / 2;
    std::ranges::nth_element(moved[s], middle);
    explained.scales[s].deviation = *middle;
  }
}

/// What came in one draw only, by draw. Such things come together: where a row jumps, all its elements do.
class Once {
 public:
  void add(std::size_t draw) {
    if (draw >= by_draw_.size()) by_draw_.resize(draw + 1);
    ++by_draw_[draw];
    ++count_;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// So many may come in one more run that came in no draw: whole lots, of the size of those that came.
  [[nodiscard]] std::int64_t unseen(int draws) const {
    if (count_ == 0) return 0;
    double squares = 0;
    for (const std::int64_t lot : by_draw_) squares += static_cast<double>(lot) * static_cast<double>(lot);
    const auto count = static_cast<double>(count_);
    const double lot = squares / count;
    return std::llround(lot * static_cast<double>(poisson_limit(as_often * count / draws / lot)));
  }

 private:
  std::vector<std::int64_t> by_draw_;
  std::int64_t count_ = 0;
};

void add_jump(Scale& scale, double way) {
  ++scale.once;
  scale.hop = scale.jump > 0 ? std::min(scale.hop, way) : way;
  scale.jump = std::max(scale.jump, way);
}

/// Jumps that came in one draw only, of numbers and of kinds. Smooth numbers do not jump: enough draws tell of each.
void add_jumps(Explained& explained) {
  const Drawn& drawn = explained.drawn;
  if (drawn.draws == 0) return;
  std::vector<Once> jumps(explained.scales.size());
  for (std::size_t i = 0; i < drawn.furthest.size(); ++i) {
    const std::size_t s = explained.scale_at(i);
    Scale& scale = explained.scales[s];
    if (!(drawn.reach[i] > scale.limit) || drawn.second[i] > scale.limit) continue;
    jumps[s].add(drawn.furthest[i]);
    add_jump(scale, drawn.reach[i]);
  }
  for (std::size_t s = 0; s < jumps.size(); ++s) explained.scales[s].unseen = jumps[s].unseen(drawn.draws);
  Once flips;
  for (const auto& [i, flip] : drawn.flips) {
    if (flip.draws == 1) flips.add(static_cast<std::size_t>(flip.last));
  }
  explained.unseen_flips = flips.unseen(drawn.draws);
}

}  // namespace

double Explained::limit_at(std::size_t i, double r) const {
  const Scale& scale = scales[scale_at(i)];
  double limit = scale.limit;
  if (std::abs(r) > scale.rms) limit += epsilons * eps * (std::abs(r) - scale.rms);
  if (drawn.reach.empty()) return limit;
  const double own = std::max(static_cast<double>(drawn.reach[i]), scale.deviation);
  return limit + deviations * (own - scale.deviation);
}

Explained explain(const Tensor& reference, Drawn drawn) {
  Explained explained;
  explained.shape = reference.shape();
  explained.drawn = std::move(drawn);
  const DType type = reference.dtype();
  const bool is_stored_in = is_float(type) && bits_of(type) <= 8;
  explained.eps = is_stored_in ? epsilon(type) / epsilons : epsilon(type);  // one step of their own grid
  if (is_exact(type)) {
    explained.scales.resize(1);
    explained.scales[0].elements = reference.count();
  } else {
    const Sizes sizes(reference, explained.drawn);
    Groups groups(sizes.count());
    const bool is_complex = type == DType::c64 || type == DType::c128;
    for (std::size_t axis = 0; axis < reference.shape().size() && !is_complex; ++axis)
      part_along(reference.shape(), axis, sizes, groups);
    const Gaps gaps(sizes, explained.drawn, epsilon(type), groups);
    if (gaps.any()) groups.part([&](std::size_t i) { return gaps.class_of(i); });
    explained.scales.resize(groups.count());
    explained.scale_of = groups.take();
    add_rms(sizes, explained);
  }
  add_deviations(explained);
  for (Scale& scale : explained.scales)
    scale.limit = deviations * scale.deviation + epsilons * explained.eps * scale.rms;
  add_jumps(explained);
  return explained;
}

std::int64_t poisson_limit(double mean) {
  constexpr double once_in = 1e-3;
  if (!(mean > 0)) return 0;
  if (mean > 400)
    return static_cast<std::int64_t>(mean + 4 * std::sqrt(mean));  // as good as normal, and exp underflows
  double term = std::exp(-mean), left = 1 - term;
  std::int64_t count = 0;
  while (left > once_in) {
    ++count;
    term *= mean / static_cast<double>(count);
    left -= term;
  }
  return count;
}

}  // namespace culprit
