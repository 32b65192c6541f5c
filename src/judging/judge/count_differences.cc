#include "judge/count_differences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "judge/draw_results.h"
#include "judge/shared_limits.h"
#include "judge/whole_numbers.h"

namespace culprit {
namespace {

constexpr double widened = 4;       // draws sample what may happen, and do not bound it
constexpr double pole = 16;         // times nearer to it than any draw
constexpr double tail = 16;         // times further out than any draw stood against the others
constexpr double lucky = 1.0 / 16;  // of the elements
constexpr double half_a_hop = 0.5, a_jump = 1.5;

std::string short_number(double x) {
  if (std::isnan(x)) return "NaN";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", x);
  return text.data();
}

constexpr double far_beyond = 1e4;  // times the limit: of elements that are as wrong, people want to see the largest
constexpr double just_beyond = 4;   // times the limit

/// Of elements that are as sensitive as they like, this share errs beyond 4 times what so many draws gave them: 1.1 %
/// by 3 Gaussian ones and 0.008 % by 9. Most have a limit that is wider, for they share their scale's.
double share_by_chance(int draws) {
  return draws < some_draws ? 0 : draws < more_draws ? 1e-3 : draws < all_draws ? 1e-5 : 0;
}

/// Did draws make the like of `v` of an element that is `r`? Next to a pole any large number is like another.
bool is_like(const Flip& flip, double r, double v) {
  if (std::isnan(v)) return flip.nan.times > 0 || std::isnan(r);
  if (std::isinf(v)) return v == r || (v > 0 ? flip.plus : flip.minus).times > 0;
  const bool is_finite = std::isfinite(r), came_finite = flip.finite.times > 0;
  if (!came_finite && !is_finite) return false;
  const double low = std::min(came_finite ? flip.lowest : r, is_finite ? r : flip.lowest);
  const double high = std::max(came_finite ? flip.highest : r, is_finite ? r : flip.highest);
  const bool is_pole = flip.plus.times > 0 || flip.minus.times > 0 || std::isinf(r);
  if (is_pole) return std::abs(v) >= std::min(std::abs(low), std::abs(high)) / pole;
  const double width = std::max(high - low, std::max(std::abs(low), std::abs(high)));
  return v >= low - widened * width && v <= high + widened * width;
}

/// Of the tolerance of its scale, as much as the numbers are of it of which element `i` is made.
double share_of_scale(const Explained& explained, const std::vector<Bounds>& bounds, std::size_t i, double r) {
  const std::size_t s = explained.scale_at(i);
  const double rms = explained.scales[s].rms;
  return rms > 0 ? bounds[s].atol * explained.size_at(i, r) / rms : bounds[s].atol;
}

std::vector<Bounds> bounds_by_scale(DType type, const Explained& explained, const Tolerance& tolerance) {
  std::vector<Bounds> bounds;
  for (const Scale& scale : explained.scales) bounds.push_back(bounds_for(type, scale.rms, tolerance));
  return bounds;
}

/// The note, and what errors are shared.
std::string with_shared(const std::string& note, const SharedError& shared) {
  const std::string explained = short_number(shared.explained), off = short_number(shared.off);
  std::string text = std::to_string(shared.elements);
  if (shared.kind == SharedError::Kind::ratio)
    text += " elements are off alike, by " + off + " of their value; expected from rounding alone: " + explained +
            " in so many";
  else
    text += " elements are off to one side, by " + off + " on average; expected from rounding alone: " + explained;
  return note.empty() ? text : note + "; " + text;
}

}  // namespace

Tally::Tally(const Tensor& reference, const Tolerance& tolerance, const Rounding& rounding, Measurement& m)
    : explained_(rounding.explained),
      of_variant_(rounding.of_variant),
      is_directed_(rounding.is_directed),
      forgives_(rounding.forgives),
      m_(m),
      is_exact_(is_exact(reference.dtype())),
      has_own_atol_(tolerance.atol.has_value()) {
  const Explained* explained = rounding.explained;
  bounds_ = explained == nullptr ? std::vector{bounds_for(reference, tolerance)}
                                 : bounds_by_scale(reference.dtype(), *explained, tolerance);
  if (of_variant_ != nullptr) bounds_of_variant_ = bounds_by_scale(reference.dtype(), *of_variant_, tolerance);
  doubtful_.resize(bounds_.size());
  if (explained != nullptr && !explained->shared.empty()) {
    shared_limits_ = explained->shared;
    if (of_variant_ != nullptr) widen(shared_limits_, of_variant_->shared);
    shared_ = SharedErrors(explained->drawn.shared.groups, shared_limits_);
  }
  m.rtol = bounds_[0].rtol;
  m.atol = std::ranges::max(bounds_, {}, &Bounds::atol).atol;
}

const Flip* Tally::flip_at(std::int64_t i) const {
  if (explained_ == nullptr) return nullptr;
  const auto at = explained_->drawn.flips.find(i);
  return at == explained_->drawn.flips.end() ? nullptr : &at->second;
}

std::size_t Tally::scale_at(std::int64_t i) const {
  return explained_ == nullptr ? 0 : explained_->scale_at(static_cast<std::size_t>(i));
}

double Tally::atol_at(std::int64_t i, double r) const {
  const auto at = static_cast<std::size_t>(i);
  if (has_own_atol_ || explained_ == nullptr) return bounds_[scale_at(i)].atol;
  const double own = share_of_scale(*explained_, bounds_, at, r);
  return of_variant_ == nullptr ? own : std::max(own, share_of_scale(*of_variant_, bounds_of_variant_, at, r));
}

double Tally::own_limit_at(std::int64_t i) const {
  return of_variant_ == nullptr ? 0 : of_variant_->limit_by_size_at(static_cast<std::size_t>(i));
}

Tally::Worst Tally::held_against(std::int64_t i, double r, double difference) const {
  Worst worst{0, difference, 0, atol_at(i, r), r};
  const auto at = static_cast<std::size_t>(i);
  if (explained_ != nullptr) worst.limit = explained_->limit_at(at, r);
  worst.limit = std::max(worst.limit, own_limit_at(i));
  worst.times = worst.limit > 0 ? difference / worst.limit : infinity;
  return worst;
}

bool Tally::is_jump(std::size_t scale, const Worst& worst) const {
  if (explained_ == nullptr || explained_->scales[scale].once == 0) return false;
  const Scale& of = explained_->scales[scale];
  if (explained_->drawn.nature == Nature::smooth) return worst.times <= tail * of.times;
  return worst.off >= half_a_hop * of.hop && worst.off <= a_jump * of.jump;
}

double Tally::tolerance_of(const Worst& worst) const {
  return worst.unit > 0 ? 0 : worst.atol + bounds_[0].rtol * std::abs(worst.reference);
}

void Tally::show(int rank, const Worst& worst) {
  Worst& known = furthest_[static_cast<std::size_t>(rank)];
  if (std::isfinite(worst.off) && worst.off > known.off) known = worst;
}

void Tally::collect(ErrorCollector& errors, const Worst& worst) const {
  const bool is_name = std::isinf(worst.times) && worst.off == 0;
  if (is_exact_ || worst.unit > 0 || is_name)
    errors.add_wrong();
  else
    errors.add({std::abs(worst.reference), worst.off});
}

void Tally::wrong(const Worst& worst, bool beyond_tolerance) {
  ++m_.beyond_floor;
  collect(errors_, worst);
  m_.unit = std::max(m_.unit, worst.unit);
  show(beyond_tolerance ? 2 : 1, worst);
  if (beyond_tolerance) ++m_.beyond_tolerance;
  const auto rank = [](const Worst& w) { return std::pair(std::min(w.times, far_beyond), w.off); };
  if (rank(worst) > rank(worst_)) worst_ = worst;
}

void Tally::doubtful(Doubtful& of, const Worst& worst, bool beyond_tolerance) const {
  ++of.elements;
  collect(of.errors, worst);
  if (beyond_tolerance) ++of.beyond_tolerance;
  if (beyond_tolerance && std::isfinite(worst.off) && worst.off > of.largest.off) of.largest = worst;
  if (worst.times >= of.worst.times) of.worst = worst;
}

double Tally::unit_of_other(std::int64_t i, double v) {
  if (explained_ == nullptr) return 0;
  const double unit = explained_->unit_at(static_cast<std::size_t>(i));
  if (!(unit > 0) || !is_multiple(v, unit)) return 0;
  if (explained_->drawn.tell(all_draws)) return unit;
  if (m_.undecided < all_draws) errors_.add(ErrorsBySize{{}, infinity});  // no tolerance may let it pass: draws tell
  m_.undecided = all_draws;
  return 0;
}

void Tally::explained_by_rounding(std::int64_t i, double r, double error, const Worst& worst) {
  if (worst.times >= explained_worst_.times) explained_worst_ = worst;
  const bool beyond_tolerance = !(worst.off <= tolerance_of(worst));
  shared_.add(static_cast<std::size_t>(i), {r, error, worst.atol, beyond_tolerance});
  if (beyond_tolerance) ++m_.excused;
  show(0, worst);
  const bool are_few_draws =
      explained_ != nullptr && explained_->drawn.draws > 0 && explained_->drawn.draws < more_draws;
  if (!are_few_draws || worst.off <= own_limit_at(i)) return;
  if (worst.off <= explained_->unlent_limit_at(static_cast<std::size_t>(i), r)) return;
  ++lent_;
  if (beyond_tolerance) ++lent_beyond_;
}

void Tally::decide_on_lent() {
  if (lent_ <= poisson_limit(lucky * static_cast<double>(m_.elements))) return;
  m_.by_share += lent_;
  m_.by_share_beyond += lent_beyond_;
}

void Tally::number(std::int64_t i, double r, double v, double difference) {
  m_.max_abs = std::max(m_.max_abs, difference);
  m_.max_rel = std::max(m_.max_rel, difference / std::abs(r));  // infinite where r is 0
  ++m_.mismatched;
  Worst worst = held_against(i, r, difference);
  if (const double unit = unit_of_other(i, v); unit > 0) {
    const bool may_jump = explained_->drawn.nature != Nature::smooth && is_jump(scale_at(i), worst);
    worst = {infinity, difference, 0, 0, r, unit};
    may_jump ? doubtful(doubtful_[scale_at(i)], worst, true) : wrong(worst, true);
    return;
  }
  if (difference <= worst.limit) {
    explained_by_rounding(i, r, v - r, worst);
    return;
  }
  if (const Flip* flip = flip_at(i); flip != nullptr && is_like(*flip, r, v)) {
    ++m_.ties;
    return;
  }
  const bool beyond_tolerance = !(difference <= tolerance_of(worst));
  if (forgives_ && !beyond_tolerance && worst.times <= just_beyond) {
    ++chances_;
    collect(chance_errors_, worst);
    if (worst.times >= worst_chance_.times) worst_chance_ = worst;
    return;
  }
  const bool is_told = explained_ == nullptr || explained_->is_told(static_cast<std::size_t>(i));
  if (is_told) m_.told = std::max(m_.told, worst.times);
  is_jump(scale_at(i), worst) ? doubtful(doubtful_[scale_at(i)], worst, beyond_tolerance)
                              : wrong(worst, beyond_tolerance);
}

void Tally::nonfinite(std::int64_t i, double r, double v) {
  ++m_.mismatched;
  if (m_.note.empty()) m_.note = "the model itself gives " + short_number(r) + ", the variant " + short_number(v);
  if (is_directed_ && std::isfinite(v)) {
    ++m_.finite_instead;
    return;
  }
  m_.max_abs = m_.max_rel = infinity;
  if (const Flip* flip = flip_at(i); flip != nullptr && is_like(*flip, r, v)) {
    ++m_.ties;
    return;
  }
  const Worst worst{infinity, infinity, 0, bounds_[scale_at(i)].atol};
  if (explained_ != nullptr && !explained_->drawn.flips.empty()) {
    doubtful(flips_, worst, true);
    ++flips_.nonfinite;
    return;
  }
  ++m_.nonfinite_mismatch;
  wrong(worst, true);
}

void Tally::wrong_name(bool is_tie) {
  ++m_.mismatched;
  const Worst worst{infinity, 0, 0, 0};
  if (is_tie) {
    ++m_.ties;
  } else if (explained_ != nullptr && !explained_->drawn.flips.empty()) {
    doubtful(flips_, worst, true);
  } else {
    wrong(worst, true);
  }
}

void Tally::name(std::int64_t i, std::int64_t value) {
  const Flip* flip = flip_at(i);
  wrong_name(flip != nullptr && flip->values.contains(value));
}

void Tally::name(std::int64_t i, const std::string& text) {
  const Flip* flip = flip_at(i);
  wrong_name(flip != nullptr && flip->texts.contains(text));
}

void Tally::decide(const Doubtful& of, std::int64_t unseen) {
  if (of.elements <= unseen) {
    m_.ties += of.elements;
    m_.by_share += of.elements;
    m_.by_share_beyond += of.beyond_tolerance;
    return;
  }
  m_.beyond_floor += of.elements;
  errors_.add(of.errors.result());
  m_.beyond_tolerance += of.beyond_tolerance;
  m_.nonfinite_mismatch += of.nonfinite;
  m_.unit = std::max(m_.unit, of.worst.unit);
  show(of.largest.off > 0 ? 2 : 1, of.largest.off > 0 ? of.largest : of.worst);
  if (of.worst.times >= worst_.times) worst_ = of.worst;
}

void Tally::decide_on_chance() {
  const double share = explained_ == nullptr ? 0 : share_by_chance(explained_->drawn.draws);
  if (chances_ == 0 || chances_ <= poisson_limit(share * static_cast<double>(m_.elements))) return;
  m_.beyond_floor += chances_;
  errors_.add(chance_errors_.result());
  show(1, worst_chance_);
  if (worst_chance_.times >= worst_.times) worst_ = worst_chance_;
}

/// Few draws may not show how far rounding moves many alike: it is no fault after 9 draws, and one after 27.
void Tally::decide_on_shared(const SharedErrors::Found& found) {
  const double per = found.what.kind == SharedError::Kind::ratio ? found.rms : 1;
  const double off = std::min(found.what.off * per, m_.max_abs);
  const Worst shared{found.times, off, off / found.times, found.furthest.atol, found.furthest.r};
  m_.beyond_floor += found.what.elements;
  errors_.add(ErrorsBySize{{}, infinity});
  m_.beyond_tolerance += found.beyond_tolerance;
  m_.excused -= found.beyond_tolerance;
  Worst furthest = shared;
  furthest.off = std::abs(found.furthest.error);
  show(found.beyond_tolerance > 0 ? 2 : 1, furthest);
  if (shared.times > worst_.times) worst_ = shared;
  const std::int64_t elements = m_.shared.elements + found.what.elements;
  const bool is_first = m_.shared.kind == SharedError::Kind::none;
  if (is_first || found.times * m_.shared.explained > m_.shared.off) m_.shared = found.what;
  m_.shared.elements = elements;
}

void Tally::decide_on_shared() {
  const std::vector<SharedErrors::Found> all = shared_.beyond_rounding();
  if (all.empty()) return;
  const bool are_within =
      std::ranges::all_of(all, [](const SharedErrors::Found& found) { return found.beyond_tolerance == 0; });
  const int enough = forgives_ && are_within ? more_draws : all_draws;
  if (!explained_->drawn.tell(enough)) {
    m_.undecided = std::max(m_.undecided, enough);
    return;
  }
  for (const SharedErrors::Found& found : all) decide_on_shared(found);
  m_.note = with_shared(m_.note, m_.shared);
}

void Tally::finish() {
  decide_on_chance();
  decide_on_shared();
  decide_on_lent();
  for (std::size_t s = 0; s < doubtful_.size(); ++s)
    decide(doubtful_[s], explained_ == nullptr ? 0 : explained_->scales[s].unseen);
  decide(flips_, explained_ == nullptr ? 0 : explained_->unseen_flips);
  for (std::size_t rank = 0; rank < furthest_.size(); ++rank) {
    const Worst& one = furthest_[rank];
    if (one.off > 0)
      m_.shown = {static_cast<int>(rank), one.off, one.reference, tolerance_of(one), one.limit, one.unit > 0};
  }
  m_.beyond = errors_.result();
  const Worst& worst = m_.beyond_floor > 0 ? worst_ : explained_worst_;
  if (worst.times == 0) return;
  m_.times = worst.times;
  m_.worst = worst.off;
  m_.floor = worst.limit;
  m_.atol = worst.atol;
}

}  // namespace culprit
