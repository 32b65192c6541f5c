#include "judge/shared_errors.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace culprit {
namespace {

constexpr std::size_t size_groups = 256, binades_of_group = 8, bits_of_fraction = 52;
constexpr std::size_t least_of_a_group = 64;
constexpr double least_that_weigh = 16;  // values that are about as large as the largest
constexpr double standard_errors = 6;    // once in 10,000 times in one of 50,000 groups
constexpr std::int64_t to_one_side = 3, of_so_many_sides = 4;

}  // namespace

ErrorGroups::ErrorGroups(const Tensor& reference) {
  const bool is_complex = reference.dtype() == DType::c64 || reference.dtype() == DType::c128;
  const auto count = static_cast<std::size_t>(reference.count());
  const bool is_stored_in = !is_complex && bits_of(reference.dtype()) <= 8;
  if (count * (is_complex ? 2 : 1) < least_of_a_group || is_stored_in) return;
  starts_ = {0, size_groups};
  const Shape& shape = reference.shape();
  std::vector<std::size_t> axes;
  if (shape.size() > 1 && !is_complex) axes.push_back(1);
  if (shape.size() > 2 && !is_complex) axes.push_back(shape.size() - 1);
  for (const std::size_t axis : axes) {
    const auto length = static_cast<std::size_t>(shape[axis]);
    if (length < 2 || count / length < least_of_a_group) continue;
    std::size_t inner = 1;
    for (std::size_t after = axis + 1; after < shape.size(); ++after) inner *= static_cast<std::size_t>(shape[after]);
    axes_.push_back({inner, length});
    starts_.push_back(starts_.back() + length);
  }
}

std::size_t ErrorGroups::size_group(double r) {
  constexpr std::uint64_t exponents = 0x7ff;
  return (std::bit_cast<std::uint64_t>(r) >> bits_of_fraction & exponents) / binades_of_group;
}

void SumsOfDraw::finish(double parts) {
  if (products_.empty()) return;
  known_.products.resize(products_.size());
  known_.errors.resize(errors_.size());
  for (std::size_t group = 0; group < products_.size(); ++group) {
    known_.products[group] = std::max(known_.products[group], std::abs(products_[group]) / parts);
    known_.errors[group] = std::max(known_.errors[group], std::abs(errors_[group]) / parts);
  }
}

double SharedLimit::rms() const { return elements > 0 ? std::sqrt(squares / static_cast<double>(elements)) : 0; }

void SharedErrors::Sums::add_value(double r) {
  if (different == least_values) return;
  const auto* const end = values.data() + different;
  if (std::find(static_cast<const double*>(values.data()), end, r) == end) values[different++] = r;
}

void SharedErrors::add(std::size_t i, const Element& element) {
  if (groups_ == nullptr || groups_->count() == 0) return;
  sums_.resize(groups_->count());
  const double e = element.error, r = element.r, product = e * r;
  groups_->each(i, r, [&](std::size_t group) {
    Sums& sums = sums_[group];
    sums.add_value(r);
    sums.products += product;
    sums.errors += e;
    sums.squares += e * e;
    sums.of_products += product * product;
    sums.of_cubes += product * r * r;
    Side& side = e > 0 ? sums.up : sums.down;
    ++side.elements;
    if (element.is_beyond_tolerance) ++side.beyond_tolerance;
    if (product != 0) {
      Side& way = product > 0 ? sums.outward : sums.inward;
      ++way.elements;
      if (element.is_beyond_tolerance) ++way.beyond_tolerance;
    }
    if (std::abs(e) > std::abs(sums.furthest.error)) sums.furthest = element;
  });
}

/// The ratio by least squares. Its standard error is by what each element leaves, whatever their sizes (H. White,
/// 1980).
SharedErrors::Found SharedErrors::of_ratio(const Sums& sums, const SharedLimit& limit) const {
  const double ratio = sums.products / limit.squares;
  const double left = sums.of_products - 2 * ratio * sums.of_cubes + ratio * ratio * limit.fourths;
  const double by_chance = standard_errors * std::sqrt(std::max(left, 0.0)) / limit.squares;
  const double explained = limit.ratio + by_chance;
  const bool weigh_enough = limit.squares * limit.squares >= least_that_weigh * limit.fourths;
  const Side& side = ratio > 0 ? sums.outward : sums.inward;
  const bool is_one = to_one_side * (sums.up.elements + sums.down.elements) <= of_so_many_sides * side.elements;
  if (!weigh_enough || !is_one || !(std::abs(ratio) > explained)) return {};
  return {{SharedError::Kind::ratio, std::abs(ratio), explained, side.elements},
          std::abs(ratio) / explained,
          limit.rms(),
          side.beyond_tolerance,
          sums.furthest};
}

SharedErrors::Found SharedErrors::of_offset(const Sums& sums, const SharedLimit& limit) const {
  const auto count = static_cast<double>(limit.elements);
  const double mean = sums.errors / count;
  const double left = sums.squares - count * mean * mean;
  const double explained = limit.offset + standard_errors * std::sqrt(std::max(left, 0.0)) / count;
  const Side& side = mean > 0 ? sums.up : sums.down;
  const bool is_one = to_one_side * (sums.up.elements + sums.down.elements) <= of_so_many_sides * side.elements;
  if (!is_one || !(std::abs(mean) > explained)) return {};
  return {{SharedError::Kind::offset, std::abs(mean), explained, side.elements},
          std::abs(mean) / explained,
          limit.rms(),
          side.beyond_tolerance,
          sums.furthest};
}

SharedErrors::Found SharedErrors::of_group(std::size_t group) const {
  const Sums& sums = sums_[group];
  const SharedLimit& limit = (*limits_)[group];
  const bool are_many = sums.up.elements + sums.down.elements >= static_cast<std::int64_t>(least_of_a_group);
  if (!are_many || sums.different < least_values || !(limit.squares > 0 && limit.fourths > 0)) return {};
  const Found ratio = of_ratio(sums, limit), offset = of_offset(sums, limit);
  return offset.times > ratio.times ? offset : ratio;
}

std::vector<SharedErrors::Found> SharedErrors::beyond_rounding() const {
  std::vector<Found> found;
  if (sums_.empty() || limits_->size() != sums_.size()) return found;
  const std::vector<std::size_t>& starts = groups_->starts();
  for (std::size_t way = 0; way + 1 < starts.size() && found.empty(); ++way) {
    for (std::size_t group = starts[way]; group < starts[way + 1]; ++group) {
      if (const Found here = of_group(group); here.what.kind != SharedError::Kind::none) found.push_back(here);
    }
  }
  return found;
}

}  // namespace culprit
