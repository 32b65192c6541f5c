#include "judge/scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "judge/elements.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

constexpr double epsilons = 8;
constexpr double columns_apart = 16;
constexpr int binades_apart = 8;
constexpr std::int64_t least_of_a_slice = 4;
constexpr std::size_t most_scales = 64;
constexpr double least_share = 0x1p-16;  // of the rms: nothing is held against less than rounding of so much
constexpr double as_often = 4;           // as draws

/// The distance of the numbers next to zero.
double smallest_of(DType type) {
  switch (type) {
    case DType::f64:
    case DType::c128:
      return 0x1p-1074;
    case DType::f16:
      return 0x1p-24;
    case DType::bf16:
      return 0x1p-133;
    case DType::f32:
    case DType::c64:
      return 0x1p-149;
    default:
      return 0;
  }
}

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
  [[nodiscard]] const std::vector<bool>& fillers() const { return is_filler_; }
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

/// Values at gaps in |r|, one group at a time.
class Gaps {
 public:
  Gaps(const Sizes& sizes, const Drawn& drawn, double eps, const Groups& groups)
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
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      for (std::size_t at = 0; at < gaps_[g].size(); ++at) {
        const Below& here = below[g][at];
        const int apart = static_cast<int>(gaps_[g][at]) - static_cast<int>(here.highest);
        const bool is_tiny = std::ldexp(1.0, -apart) < eps;
        is_cancelled_.resize(gaps_.size());
        is_cancelled_[g].push_back(drawn_.draws > 0 ? here.far > 0 && 2 * here.far >= here.moved : is_tiny);
      }
    }
  }

  [[nodiscard]] std::size_t largest_class(std::size_t group) const {
    std::vector<std::int64_t> members(gaps_[group].size() + 1);
    for (std::size_t b = 0; b < binades; ++b) members[class_in(gaps_[group], b)] += counts_[group][b];
    return static_cast<std::size_t>(std::ranges::max_element(members) - members.begin());
  }

  const Sizes& sizes_;
  const Drawn& drawn_;
  const Groups& groups_;
  std::vector<Binades> counts_;                  // by group
  std::vector<std::vector<std::size_t>> gaps_;   // by group
  std::vector<std::vector<bool>> is_cancelled_;  // by group and gap
  std::vector<std::size_t> most_;                // by group: its largest class
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

/// The median over the elements that are no fillers. Of values behind a jump many are the same and are no fillers.
void add_deviations(const Sizes* sizes, Explained& explained) {
  const std::vector<float>& reach = explained.drawn.reach;
  if (reach.empty()) return;
  const bool are_all = sizes == nullptr || explained.drawn.nature != Nature::smooth;
  std::vector<std::vector<float>> moved(explained.scales.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    if (are_all || sizes->at(i) >= 0) moved[explained.scale_at(i)].push_back(reach[i]);
  }
  for (std::size_t s = 0; s < moved.size(); ++s) {
    if (moved[s].empty()) continue;
    const auto middle = moved[s].begin() + (static_cast<std::ptrdiff_t>(moved[s].size()) - 1) / 2;
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

void add_jump(Scale& scale, double way, double allowed) {
  ++scale.once;
  scale.hop = scale.jump > 0 ? std::min(scale.hop, way) : way;
  scale.jump = std::max(scale.jump, way);
  scale.times = std::max(scale.times, allowed > 0 ? way / allowed : INFINITY);
}

/// What one draw did beyond what the others allow: jumps, and elements whose rounding has heavy tails (a tangent, a
/// quotient near a pole).
void add_jumps(const Sizes* sizes, Explained& explained) {
  const Drawn& drawn = explained.drawn;
  if (drawn.draws == 0) return;
  std::vector<Once> jumps(explained.scales.size());
  for (std::size_t i = 0; i < drawn.reach.size(); ++i) {
    const std::size_t s = explained.scale_at(i);
    const double r = sizes == nullptr ? 0 : std::max(0.0, sizes->with_fillers_at(i));
    const double allowed = explained.limit_of(i, r, drawn.second[i], drawn.draws - 1);
    if (!(drawn.reach[i] > allowed)) continue;
    jumps[s].add(drawn.furthest[i]);
    add_jump(explained.scales[s], drawn.reach[i], allowed);
  }
  for (std::size_t s = 0; s < jumps.size(); ++s) explained.scales[s].unseen = jumps[s].unseen(drawn.draws);
}

/// Names and kinds that came in one draw only.
void add_flips(Explained& explained) {
  Once flips;
  const auto add = [&](const Came& came) {
    if (came.times == 1) flips.add(static_cast<std::size_t>(came.last));
  };
  for (const auto& [i, flip] : explained.drawn.flips) {
    for (const auto& [name, came] : flip.values) add(came);
    for (const auto& [name, came] : flip.texts) add(came);
    for (const Came& came : {flip.nan, flip.plus, flip.minus, flip.finite}) add(came);
  }
  if (explained.drawn.draws > 0) explained.unseen_flips = flips.unseen(explained.drawn.draws);
}

constexpr int few = 9;  // fewer draws do not tell how far an element goes

/// Times its own reach that an element may borrow from the middle of its scale: less than that is not by chance.
double times_lent(int draws) { return draws < 27 ? 16 : 4; }

}  // namespace

double times_reach(Nature nature) { return nature == Nature::smooth ? 4 : 1.5; }

double Explained::unlent_limit_at(std::size_t i, double r) const {
  return limit_of(i, r, drawn.reach.empty() ? 0 : drawn.reach[i], std::max(drawn.draws, few));
}

double Explained::size_at(std::size_t i, double r) const {
  const double rms = scales[scale_at(i)].rms;
  if (drawn.draws == 0 || eps == 0) return rms;
  const double own = drawn.reach.empty() ? 0 : drawn.reach[i];
  return std::min(rms, std::max({std::ldexp(std::abs(r), binades_apart), own / eps, least_share * rms}));
}

double Explained::limit_of(std::size_t i, double r, double own, int draws) const {
  const Scale& scale = scales[scale_at(i)];
  const bool is_filler = !fillers.empty() && fillers[i];
  const double most = is_filler ? 0 : draws < few ? scale.deviation : times_lent(draws) * own;
  const double lent = std::min(scale.deviation, most);
  const double reach = std::max(own, lent);
  // What draws do not carry as far as the rounding of large ones is not made of these.
  const double shown = draws == 0 ? scale.rms : eps > 0 ? std::max(own / eps, least_share * scale.rms) : 0;
  const double rms = std::min(scale.rms, shown);
  return times_reach(drawn.nature) * reach + epsilons * eps * std::max(std::abs(r), rms) + least;
}

double Explained::limit_at(std::size_t i, double r) const {
  return limit_of(i, r, drawn.reach.empty() ? 0 : drawn.reach[i], drawn.draws);
}

double Explained::stands_out() const {
  if (jumps()) return INFINITY;
  double most = 1;
  for (const Scale& scale : scales) most = std::max(most, scale.times);
  return most;
}

namespace {

/// One scale after the other, by axes and then by gaps.
void part(const Tensor& reference, const Sizes& sizes, Explained& explained) {
  Groups groups(sizes.count());
  const bool is_complex = reference.dtype() == DType::c64 || reference.dtype() == DType::c128;
  for (std::size_t axis = 0; axis < reference.shape().size() && !is_complex; ++axis)
    part_along(reference.shape(), axis, sizes, groups);
  const Gaps gaps(sizes, explained.drawn, epsilon(reference.dtype()), groups);
  if (gaps.any()) groups.part([&](std::size_t i) { return gaps.class_of(i); });
  explained.scales.resize(groups.count());
  explained.scale_of = groups.take();
  add_rms(sizes, explained);
}

}  // namespace

Explained explain(const Tensor& reference, Drawn drawn) {
  Explained explained;
  explained.shape = reference.shape();
  explained.drawn = std::move(drawn);
  const DType type = reference.dtype();
  const bool is_stored_in = is_float(type) && bits_of(type) <= 8;
  explained.eps = is_stored_in ? epsilon(type) / epsilons : epsilon(type);  // one step of their own grid
  std::optional<Sizes> sizes;
  if (is_exact(type)) {
    explained.scales.resize(1);
    explained.scales[0].elements = reference.count();
  } else {
    explained.least = smallest_of(type);
    sizes.emplace(reference, explained.drawn);
    explained.fillers = sizes->fillers();
    part(reference, *sizes, explained);
  }
  const Sizes* known = sizes ? &*sizes : nullptr;
  add_deviations(known, explained);
  const double times = times_reach(explained.drawn.nature);
  for (Scale& scale : explained.scales) scale.limit = times * scale.deviation + epsilons * explained.eps * scale.rms;
  add_jumps(known, explained);
  add_flips(explained);
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
