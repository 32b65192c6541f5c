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

/// |r| of each element, or -1 where it says nothing about a scale: NaN, infinities, fillers.
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
      whole_ = sizes_;
      leave_out_fillers(elements, drawn);
    });
  }

  [[nodiscard]] const std::vector<double>& all() const { return sizes_; }
  [[nodiscard]] const std::vector<double>& with_fillers() const { return whole_; }

 private:
  /// None where all would be.
  template <class Elements>
  void leave_out_fillers(const Elements& elements, const Drawn& drawn) {
    if (drawn.reach.empty()) return;
    std::unordered_map<double, std::int64_t> first;
    std::vector<std::uint8_t> is_filler(sizes_.size());
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] < 0 || drawn.reach[i] > 0) continue;
      const auto [at, is_new] = first.emplace(elements.number(static_cast<std::int64_t>(i)), i);
      if (is_new) continue;
      is_filler[i] = is_filler[static_cast<std::size_t>(at->second)] = 1;
    }
    bool is_one_left = false;
    for (std::size_t i = 0; i < sizes_.size(); ++i) is_one_left = is_one_left || (sizes_[i] > 0 && is_filler[i] == 0);
    if (!is_one_left) return;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (is_filler[i] != 0) sizes_[i] = -1;
    }
  }

  std::vector<double> sizes_, whole_;
};

double rms_of(double squares, std::int64_t count) {
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0;
}

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
std::vector<std::size_t> classes_along(const std::vector<double>& rms, const std::vector<std::int64_t>& counts) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rms.size(); ++i) {
    if (counts[i] >= least_of_a_slice && rms[i] > 0) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return rms[i]; });
  std::vector<std::size_t> classes(rms.size(), 0);
  std::size_t number = 0, largest = 0, members = 0, most = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (at > 0 && rms[order[at]] >= columns_apart * rms[order[at - 1]]) ++number, members = 0;
    classes[order[at]] = number;
    if (++members > most) most = members, largest = number;
  }
  if (number == 0) return {};
  for (std::size_t i = 0; i < rms.size(); ++i) {  // slices that are too small to tell go with the most
    if (counts[i] < least_of_a_slice || rms[i] == 0) classes[i] = largest;
  }
  return classes;
}

void part_along(const Shape& shape, std::size_t axis, const std::vector<double>& sizes, Groups& groups) {
  const auto length = static_cast<std::size_t>(shape[axis]);
  if (length < 2 || sizes.size() / length < least_of_a_slice) return;
  std::size_t inner = sizes.size();
  for (std::size_t i = 0; i <= axis; ++i) inner /= static_cast<std::size_t>(shape[i]);
  const auto index = [&](std::size_t i) { return i / inner % length; };
  std::vector<double> squares(length);
  std::vector<std::int64_t> counts(length);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) continue;
    squares[index(i)] += sizes[i] * sizes[i];
    ++counts[index(i)];
  }
  for (std::size_t i = 0; i < length; ++i) squares[i] = rms_of(squares[i], counts[i]);
  const auto classes = classes_along(squares, counts);
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
  Gaps(const std::vector<double>& sizes, const Drawn& drawn, double eps, const Groups& groups)
      : sizes_(sizes), reach_(drawn.reach), groups_(groups), counts_(groups.count()) {
    for_each([&](std::size_t i) { ++counts_[groups_.of(i)][binade_of(sizes_[i])]; });
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
    return sizes_[i] > 0 ? class_in(gaps_[group], binade_of(sizes_[i])) : most_[group];
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] > 0) visit(i);
    }
  }

  void join(bool drawn, double eps) {
    std::vector<std::vector<Below>> below;
    for (const auto& gaps : gaps_) below.emplace_back(gaps.size());
    for_each([&](std::size_t i) {
      const auto& gaps = gaps_[groups_.of(i)];
      const std::size_t b = binade_of(sizes_[i]), own = class_in(gaps, b);
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

  const std::vector<double>& sizes_;
  const std::vector<float>& reach_;
  const Groups& groups_;
  std::vector<Binades> counts_;                 // by group
  std::vector<std::vector<std::size_t>> gaps_;  // by group
  std::vector<std::size_t> most_;               // by group: its largest class
};

std::vector<double> rms_by_scale(const std::vector<double>& sizes, const Explained& explained) {
  std::vector<double> squares(explained.scales.size());
  std::vector<std::int64_t> counts(explained.scales.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) continue;
    const std::size_t scale = explained.scale_at(i);
    squares[scale] += sizes[i] * sizes[i];
    ++counts[scale];
  }
  for (std::size_t s = 0; s < squares.size(); ++s) squares[s] = rms_of(squares[s], counts[s]);
  return squares;
}

void add_rms(const Sizes& sizes, Explained& explained) {
  for (std::size_t i = 0; i < sizes.all().size(); ++i) ++explained.scales[explained.scale_at(i)].elements;
  const auto own = rms_by_scale(sizes.all(), explained), whole = rms_by_scale(sizes.with_fillers(), explained);
  for (std::size_t s = 0; s < own.size(); ++s) explained.scales[s].rms = own[s] > 0 ? own[s] : whole[s];
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

/// Jumps that came in one draw only, of numbers and of kinds. Smooth numbers do not jump: enough draws tell of each.
void add_jumps(Explained& explained) {
  const Drawn& drawn = explained.drawn;
  for (std::size_t i = 0; i < drawn.reach.size(); ++i) {
    Scale& scale = explained.scales[explained.scale_at(i)];
    if (drawn.nature == Nature::smooth || !(drawn.reach[i] > scale.limit) || drawn.second[i] > scale.limit) continue;
    ++scale.once;
    const double way = drawn.reach[i];
    scale.hop = scale.jump > 0 ? std::min(scale.hop, way) : way;
    scale.jump = std::max(scale.jump, way);
  }
  std::int64_t flips = 0;
  for (const auto& [i, flip] : drawn.flips) flips += flip.draws == 1 ? 1 : 0;
  if (drawn.draws == 0) return;
  explained.unseen_flips = poisson_limit(as_often * static_cast<double>(flips) / drawn.draws);
  for (Scale& scale : explained.scales)
    scale.unseen = poisson_limit(as_often * static_cast<double>(scale.once) / drawn.draws);
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
    Groups groups(sizes.all().size());
    const bool is_complex = type == DType::c64 || type == DType::c128;
    for (std::size_t axis = 0; axis < reference.shape().size() && !is_complex; ++axis)
      part_along(reference.shape(), axis, sizes.all(), groups);
    const Gaps gaps(sizes.all(), explained.drawn, epsilon(type), groups);
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
