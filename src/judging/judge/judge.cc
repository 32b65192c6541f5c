#include "judge/judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

#include "judge/count_differences.h"
#include "judge/element_readers.h"
#include "judge/errors_by_size.h"
#include "judge/tolerance.h"

namespace culprit {
namespace {

constexpr std::string_view signed_zeros = "signed zeros differ";

/// Sums for the cosine similarity over elements that are finite on both sides.
template <class Sum>
struct Angle {
  Sum dot = 0, reference = 0, variant = 0;

  void add(Sum r, Sum v) {
    dot += r * v;
    reference += r * r;
    variant += v * v;
  }
  [[nodiscard]] double cosine() const {
    if (reference == 0 && variant == 0) return 1;
    if (reference == 0 || variant == 0) return 0;
    return std::clamp(static_cast<double>(dot / (std::sqrt(reference) * std::sqrt(variant))), -1.0, 1.0);
  }
};

/// One pass over two tensors of one floating type and shape. `parts`: numbers to compare.
template <class Elements>
void compare_floats(const Tensor& reference, const Tensor& variant, std::int64_t parts, Tally& tally, Measurement& m) {
  using Sum = typename Elements::Sum;
  const Elements rs(reference);
  const Elements vs(variant);
  Angle<Sum> angle;
  bool zeros_differ = false;
  for (std::int64_t i = 0; i < parts; ++i) {
    const auto r = rs.at(i);
    const auto v = vs.at(i);
    if (!std::isfinite(r) || !std::isfinite(v)) {
      const bool same = r == v || (std::isnan(r) && std::isnan(v));
      if (same) continue;
      tally.nonfinite(i, static_cast<double>(r), static_cast<double>(v));
      continue;
    }
    angle.add(static_cast<Sum>(r), static_cast<Sum>(v));
    if (r == v) {
      zeros_differ = zeros_differ || std::signbit(r) != std::signbit(v);
      continue;
    }
    const auto one = static_cast<double>(r), other = static_cast<double>(v);
    tally.number(i, one, other, std::abs(other - one));
    m.max_ulp = std::max(m.max_ulp, rs.ulps(i, vs));
  }
  m.cosine = m.mismatched == 0 ? 1 : angle.cosine();
  if (zeros_differ && m.note.empty()) m.note = signed_zeros;
}

/// 64-bit differences are taken in integers, so that none is lost.
template <std::integral T>
void compare_integers(const Tensor& reference, const Tensor& variant, Tally& tally, Measurement& m) {
  const auto rs = reference.as<T>();
  const auto vs = variant.as<T>();
  Angle<double> angle;
  for (std::size_t i = 0; i < rs.size(); ++i) {
    const T r = rs[i];
    const T v = vs[i];
    angle.add(static_cast<double>(r), static_cast<double>(v));
    if (r == v) continue;
    using Unsigned = std::make_unsigned_t<T>;
    const auto difference =
        static_cast<Unsigned>(static_cast<Unsigned>(std::max(r, v)) - static_cast<Unsigned>(std::min(r, v)));
    tally.number(static_cast<std::int64_t>(i), static_cast<double>(r), static_cast<double>(v),
                 static_cast<double>(difference));
  }
  m.cosine = m.mismatched == 0 ? 1 : angle.cosine();
}

/// Bool and nibbles: few. Any non-zero byte is true.
void compare_small(const Tensor& reference, const Tensor& variant, Tally& tally, Measurement& m) {
  Angle<double> angle;
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    const double r = reference.number(i);
    const double v = variant.number(i);
    angle.add(r, v);
    if (r != v) tally.number(i, r, v, std::abs(v - r));
  }
  m.cosine = m.mismatched == 0 ? 1 : angle.cosine();
}

/// How far apart two names are says nothing, but people want to see it.
void compare_names(const Tensor& reference, const Tensor& variant, Tally& tally, Measurement& m) {
  const bool is_text = reference.dtype() == DType::string;
  Angle<double> angle;
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    if (is_text) {
      const std::string& text = variant.strings()[static_cast<std::size_t>(i)];
      if (text != reference.strings()[static_cast<std::size_t>(i)]) tally.name(i, text);
      continue;
    }
    const std::int64_t r = name_at(reference, i), v = name_at(variant, i);
    angle.add(static_cast<double>(r), static_cast<double>(v));
    if (r == v) continue;
    const double apart = std::abs(variant.number(i) - reference.number(i));
    m.max_abs = std::max({m.max_abs, apart, 1.0});
    m.max_rel = std::max(m.max_rel, apart / std::abs(reference.number(i)));
    tally.name(i, v);
  }
  if (!is_text && m.mismatched > 0) m.cosine = angle.cosine();
}

void compare_elements(const Tensor& reference, const Tensor& variant, bool are_names, Tally& tally, Measurement& m) {
  if (are_names) return compare_names(reference, variant, tally, m);
  const auto floats = [&]<class Elements>(std::int64_t parts) {
    compare_floats<Elements>(reference, variant, parts, tally, m);
  };
  if (with_float_elements(reference.dtype(), reference.count(), floats)) return;
  switch (reference.dtype()) {
    case DType::u8:
      return compare_integers<std::uint8_t>(reference, variant, tally, m);
    case DType::i8:
      return compare_integers<std::int8_t>(reference, variant, tally, m);
    case DType::u16:
      return compare_integers<std::uint16_t>(reference, variant, tally, m);
    case DType::i16:
      return compare_integers<std::int16_t>(reference, variant, tally, m);
    case DType::u32:
      return compare_integers<std::uint32_t>(reference, variant, tally, m);
    case DType::i32:
      return compare_integers<std::int32_t>(reference, variant, tally, m);
    case DType::u64:
      return compare_integers<std::uint64_t>(reference, variant, tally, m);
    case DType::i64:
      return compare_integers<std::int64_t>(reference, variant, tally, m);
    default:
      return compare_small(reference, variant, tally, m);
  }
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.dtype() == DType::string) return std::ranges::equal(a.strings(), b.strings());
  if (a.bytes().size() != b.bytes().size()) return false;
  return a.bytes().empty() || std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0;
}

std::string changed(std::string_view before, std::string_view how, std::string_view after) {
  return std::string(before) + std::string(how) + std::string(after);
}

bool is_resized_by_rounding(const Shape& before, const Shape& after, std::span<const std::int64_t> most) {
  if (before.size() != after.size() || before.size() != most.size()) return false;
  for (std::size_t axis = 0; axis < before.size(); ++axis) {
    if (std::abs(after[axis] - before[axis]) > times_resized * most[axis]) return false;
  }
  return true;
}

/// What is said of several samples: the gravest.
int gravity(const Measurement& m) {
  if (is_structural(m)) return 4;
  if (is_resized(m)) return 3;
  if (m.nonfinite_mismatch > 0) return 2;
  if (m.shared.kind != SharedError::Kind::none) return 1;
  return m.finite_instead > 0 ? 1 : 0;
}

/// Of errors that are shared: is what `b` shares further beyond what rounding explains?
bool shares_more(const SharedError& a, const SharedError& b) {
  if (a.kind == SharedError::Kind::none) return true;
  return a.off * b.explained < b.off * a.explained;
}

std::string worse_note(const Measurement& a, const Measurement& b) {
  if (gravity(a) != gravity(b)) return gravity(a) > gravity(b) ? a.note : b.note;
  if (a.shared.kind != SharedError::Kind::none && b.shared.kind != SharedError::Kind::none)
    return shares_more(a.shared, b.shared) ? b.note : a.note;
  if (a.note.empty() || b.note.find(a.note) != std::string::npos) return b.note;
  if (b.note.empty() || a.note.find(b.note) != std::string::npos) return a.note;
  return a.note;
}

}  // namespace

Measurement unlike(const Tensor& reference, FormChange form, std::string note) {
  Measurement m;
  m.form = form;
  m.max_abs = m.max_rel = infinity;
  m.cosine = 0;
  m.elements = m.mismatched = m.beyond_floor = m.beyond_tolerance = reference.count();
  m.beyond.corners = {{0, infinity}};
  m.note = std::move(note);
  return m;
}

Measurement resized(std::int64_t elements, std::string note) {
  Measurement m;
  m.elements = m.mismatched = m.ties = elements;
  m.form = FormChange::resized;
  m.note = std::move(note) + ", as rounding alone does";
  return m;
}

Measurement measure(const Tensor& reference, const Tensor& variant, const Tolerance& tolerance,
                    const Rounding& rounding) {
  if (reference.dtype() != variant.dtype()) {
    return unlike(reference, FormChange::other,
                  changed(name_of(reference.dtype()), " became ", name_of(variant.dtype())));
  }
  if (reference.shape() != variant.shape()) {
    const std::string before = "shape " + to_string(reference.shape()), after = to_string(variant.shape());
    const auto* known = rounding.explained;
    if (known != nullptr && is_resized_by_rounding(reference.shape(), variant.shape(), known->drawn.resized))
      return resized(std::max(reference.count(), variant.count()), changed(before, " resized to ", after));
    return unlike(reference, FormChange::shape, changed(before, " became ", after));
  }
  Measurement m;
  const bool complex = reference.dtype() == DType::c64 || reference.dtype() == DType::c128;
  m.elements = complex ? 2 * reference.count() : reference.count();
  // What was explained of another shape says nothing of this one.
  const bool fits = rounding.explained != nullptr && rounding.explained->shape == reference.shape();
  const Explained* explained = fits ? rounding.explained : nullptr;
  const bool is_drawn = rounding.of_variant != nullptr && rounding.of_variant->shape == reference.shape();
  const Explained* of_variant = is_drawn ? rounding.of_variant : nullptr;
  Tally tally(reference, tolerance, {explained, rounding.is_directed, rounding.forgives, of_variant}, m);
  if (same_bits(reference, variant)) return m;
  const Nature nature = explained != nullptr ? explained->drawn.nature : Nature::stepped;
  const bool are_names = reference.dtype() == DType::string || nature == Nature::named;
  compare_elements(reference, variant, are_names, tally, m);
  tally.finish();
  return m;
}

bool may_be_of_variant(const Measurement& measurement, DType type, const Tolerance& tolerance,
                       const Explained& explained) {
  if (is_structural(measurement) || measurement.nonfinite_mismatch > 0 || measurement.unit > 0) return false;
  if (is_exact(type) || explained.drawn.nature != Nature::smooth) return false;
  double most = 0;
  for (const Scale& scale : explained.scales) {
    const Bounds bounds = bounds_for(type, scale.rms, tolerance);
    most = std::max(most, bounds.atol + bounds.rtol * std::abs(measurement.shown.reference));
  }
  return measurement.shown.off <= most;
}

Measurement worse(const Measurement& a, const Measurement& b) {
  Measurement m;
  m.max_abs = std::max(a.max_abs, b.max_abs);
  m.max_rel = std::max(a.max_rel, b.max_rel);
  m.max_ulp = std::max(a.max_ulp, b.max_ulp);
  m.cosine = std::min(a.cosine, b.cosine);
  m.nonfinite_mismatch = a.nonfinite_mismatch + b.nonfinite_mismatch;
  m.mismatched = a.mismatched + b.mismatched;
  m.beyond_floor = a.beyond_floor + b.beyond_floor;
  m.beyond_tolerance = a.beyond_tolerance + b.beyond_tolerance;
  m.ties = a.ties + b.ties;
  m.finite_instead = a.finite_instead + b.finite_instead;
  m.elements = a.elements + b.elements;
  m.by_share = a.by_share + b.by_share;
  m.by_share_beyond = a.by_share_beyond + b.by_share_beyond;
  m.excused = a.excused + b.excused;
  m.rtol = std::max(a.rtol, b.rtol);
  const Measurement& further = a.times < b.times ? b : a;
  m.times = further.times;
  m.worst = further.worst;
  m.floor = further.floor;
  m.atol = further.times > 0 ? further.atol : std::max(a.atol, b.atol);
  const auto further_shown = [](const Measurement& one) { return std::pair(one.shown.rank, one.shown.off); };
  m.shown = further_shown(a) < further_shown(b) ? b.shown : a.shown;
  m.form = gravity(a) < gravity(b) ? b.form : a.form;
  m.shared = shares_more(a.shared, b.shared) ? b.shared : a.shared;
  m.unit = std::max(a.unit, b.unit);
  m.beyond = all_errors(a.beyond, b.beyond);
  m.note = worse_note(a, b);
  return m;
}

bool is_structural(const Measurement& measurement) {
  return measurement.form == FormChange::shape || measurement.form == FormChange::other;
}

bool is_resized(const Measurement& measurement) { return measurement.form == FormChange::resized; }

bool says_nothing(const Measurement& measurement) {
  return is_resized(measurement) && measurement.ties == measurement.elements;
}

Verdict verdict_of(const Measurement& measurement) {
  if (is_structural(measurement)) return Verdict::diverged;
  if (says_nothing(measurement)) return Verdict::inconclusive;
  if (measurement.beyond_tolerance > 0 || measurement.nonfinite_mismatch > 0) return Verdict::diverged;
  return measurement.beyond_floor > 0 ? Verdict::deviates : Verdict::equivalent;
}

Verdict verdict_of(const Measurements& measurements) {
  Verdict worst = Verdict::equivalent;
  bool in_doubt = false;
  for (const auto& [output, measurement] : measurements) {
    in_doubt = in_doubt || says_nothing(measurement);
    if (!says_nothing(measurement)) worst = std::max(worst, verdict_of(measurement));
  }
  return in_doubt && worst != Verdict::diverged ? Verdict::inconclusive : worst;
}

}  // namespace culprit
