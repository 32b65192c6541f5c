#include "judge/scales.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "judge/element_sizes.h"
#include "judge/shared_limits.h"
#include "judge/whole_numbers.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

constexpr double epsilons = 8;
constexpr double least_share = 0x1p-16;  // of the rms: nothing is held against less than rounding of so much
constexpr double as_often = 4;           // as draws
constexpr std::int64_t least_that_move = 4;
constexpr int draws_for_seldom = 6;  // what came in 1 of so many, or less often

/// Where draws move some elements of a scale, these tell how large what is rounded is, and not the constants beside
/// them.
void add_rms(const ElementSizes& sizes, Explained& explained) {
  const Drawn& drawn = explained.drawn;
  const bool are_told_apart = drawn.nature == Nature::smooth && drawn.draws >= some_draws && !drawn.reach.empty();
  std::vector<Rms> moved(explained.scales.size()), own(moved.size()), whole(moved.size());
  for (std::size_t i = 0; i < sizes.count(); ++i) {
    const std::size_t s = explained.scale_at(i);
    ++explained.scales[s].elements;
    if (are_told_apart && drawn.reach[i] > 0) moved[s].add(sizes.at(i));
    own[s].add(sizes.at(i));
    whole[s].add(sizes.with_fillers_at(i));
  }
  for (std::size_t s = 0; s < own.size(); ++s) {
    const bool do_move = moved[s].count() >= least_that_move && moved[s].value() > 0;
    const Rms& told = do_move ? moved[s] : own[s].value() > 0 ? own[s] : whole[s];
    explained.scales[s].rms = told.value();
  }
}

/// The median over the elements that are no fillers. Of values behind a jump many are the same and are no fillers.
void add_deviations(const ElementSizes* sizes, Explained& explained) {
  const std::vector<float>& reach = explained.drawn.reach;
  if (reach.empty()) return;
  const bool are_all = sizes == nullptr || explained.drawn.nature != Nature::smooth;
  std::vector<std::vector<float>> moved(explained.scales.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    if (reach[i] > 0) explained.scales[explained.scale_at(i)].moves = true;
    if (are_all || sizes->at(i) >= 0) moved[explained.scale_at(i)].push_back(reach[i]);
  }
  for (std::size_t s = 0; s < moved.size(); ++s) {
    if (moved[s].empty()) continue;
    const auto middle = moved[s].begin() + (static_cast<std::ptrdiff_t>(moved[s].size()) - 1) / 2;
    std::ranges::nth_element(moved[s], middle);
    explained.scales[s].deviation = *middle;
  }
}

/// What came in few draws. Such things come in lots: where a row jumps, all its elements do.
class Seldom {
 public:
  /// `lot`: a small number, the same for what came together.
  void add(std::size_t lot) {
    if (lot >= lots_.size()) lots_.resize(lot + 1);
    ++lots_[lot];
    ++count_;
  }
  /// So many may come in one more run that came in no draw: whole lots, of the size of those that came. `once`: of what
  /// was added, so many came in one draw only; or are as good as these.
  [[nodiscard]] std::int64_t unseen(int draws, double once) const {
    if (count_ == 0) return 0;
    return std::llround(lot() * static_cast<double>(poisson_limit(as_often * once / draws / lot())));
  }
  /// How many come together, as a rule.
  [[nodiscard]] double lot() const {
    double squares = 0;
    for (const std::int64_t lot : lots_) squares += static_cast<double>(lot) * static_cast<double>(lot);
    return squares / static_cast<double>(std::max<std::int64_t>(count_, 1));
  }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::vector<std::int64_t> lots_;
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
void add_jumps(const ElementSizes* sizes, Explained& explained) {
  const Drawn& drawn = explained.drawn;
  if (drawn.draws == 0) return;
  std::vector<Seldom> jumps(explained.scales.size());
  for (std::size_t i = 0; i < drawn.reach.size(); ++i) {
    const std::size_t s = explained.scale_at(i);
    const double r = sizes == nullptr ? 0 : std::max(0.0, sizes->with_fillers_at(i));
    const double allowed = explained.limit_of(i, r, drawn.second[i], drawn.draws - 1);
    if (!(drawn.reach[i] > allowed)) continue;
    jumps[s].add(drawn.furthest[i]);
    add_jump(explained.scales[s], drawn.reach[i], allowed);
  }
  for (std::size_t s = 0; s < jumps.size(); ++s)
    explained.scales[s].unseen = jumps[s].unseen(drawn.draws, static_cast<double>(jumps[s].count()));
}

/// Names and kinds that came seldom. Where what is rare is as often a little more or less rare, as many come twice or
/// three times as once, so the mean over these says how many come once; that takes more than one lot.
void add_flips(Explained& explained) {
  const int draws = explained.drawn.draws;
  if (draws == 0) return;
  const int seldom = std::max(1, draws / draws_for_seldom);
  Seldom flips;
  std::int64_t once = 0;
  const auto add = [&](const Came& came) {
    if (came.times == 1) ++once;
    if (came.times == 0 || came.times > seldom) return;
    flips.add(static_cast<std::size_t>(came.times - 1) * static_cast<std::size_t>(draws) +
              static_cast<std::size_t>(came.last));
  };
  for (const auto& [i, flip] : explained.drawn.flips) {
    for (const auto& [name, came] : flip.values) add(came);
    for (const auto& [name, came] : flip.texts) add(came);
    for (const Came& came : {flip.nan, flip.plus, flip.minus, flip.finite}) add(came);
  }
  const auto count = static_cast<double>(flips.count());
  const double mean = count >= 2 * flips.lot() ? count / seldom : 0;
  explained.unseen_flips = flips.unseen(draws, std::max(mean, once > 0 ? 1.0 / seldom : 0));
}

/// Times its own reach that an element may borrow from the middle of its scale: less than that is not by chance.
double times_lent(int draws) { return draws < all_draws ? 16 : 4; }

}  // namespace

double times_reach(Nature nature) { return nature == Nature::smooth ? 4 : 1.5; }

double Explained::unlent_limit_at(std::size_t i, double r) const {
  return limit_of(i, r, drawn.reach.empty() ? 0 : drawn.reach[i], std::max(drawn.draws, more_draws));
}

double Explained::size_at(std::size_t i, double r) const {
  const double rms = scales[scale_at(i)].rms;
  if (drawn.draws == 0 || eps == 0 || (!fillers.empty() && fillers[i] == Filler::clamped)) return rms;
  const double own = drawn.reach.empty() ? 0 : drawn.reach[i];
  return std::min(rms, std::max({std::ldexp(std::abs(r), binades_apart), own / eps, least_share * rms}));
}

double Explained::limit_of(std::size_t i, double r, double own, int draws) const {
  const Scale& scale = scales[scale_at(i)];
  const bool is_filler = !fillers.empty() && fillers[i] != Filler::none;
  const double most = is_filler ? 0 : draws < more_draws ? scale.deviation : times_lent(draws) * own;
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

double Explained::limit_by_size_at(std::size_t i) const {
  const double own = drawn.reach.empty() ? 0 : drawn.reach[i];
  return epsilons * std::min(eps * scales[scale_at(i)].rms, own);
}

bool Explained::is_told(std::size_t i) const {
  return (!drawn.reach.empty() && drawn.reach[i] > 0) || !scales[scale_at(i)].moves;
}

double Explained::unit_at(std::size_t i) const {
  if (units.empty()) return 0;
  const double unit = units[scale_at(i)];
  return unit > 0 && !drawn.moves(static_cast<std::int64_t>(i)) ? unit : 0;
}

double Explained::stands_out() const {
  if (jumps()) return INFINITY;
  double most = 1;
  for (const Scale& scale : scales) most = std::max(most, scale.times);
  return most;
}

Explained explain(const Tensor& reference, Drawn drawn) {
  Explained explained;
  explained.shape = reference.shape();
  explained.drawn = std::move(drawn);
  const DType type = reference.dtype();
  const bool is_stored_in = is_float(type) && bits_of(type) <= 8;
  const double eps = epsilon_of(type);
  explained.eps = is_stored_in ? eps / epsilons : eps;  // one step of their own grid
  std::optional<ElementSizes> sizes;
  if (is_exact(type)) {
    explained.scales.resize(1);
    explained.scales[0].elements = reference.count();
  } else {
    explained.least = smallest_of(type);
    sizes.emplace(reference, explained.drawn);
    explained.fillers = sizes->fillers();
    Parted parted = part_by_size(reference, *sizes, explained.drawn, eps);
    explained.scales.resize(parted.count);
    explained.scale_of = std::move(parted.scale_of);
    add_rms(*sizes, explained);
    explained.shared = shared_limits(reference, explained.drawn, eps, explained.least);
    explained.units = units_of(reference, explained.drawn, explained.scales.size(), explained.scale_of);
  }
  const ElementSizes* known = sizes ? &*sizes : nullptr;
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
