#include "data/wished_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace culprit {
namespace {

using Wanted = std::vector<std::pair<std::int64_t, double>>;

constexpr std::int64_t border = 3;  // elements wide: as a 3 x 3 window

std::int64_t size_of(const Shape& shape) {
  const auto count = element_count(shape);
  return count ? *count : 0;
}

/// Calls visit(element, plane) for the elements beside an end of a spatial axis (all axes but batch and channel).
template <class Visit>
void along_border(const Shape& shape, const Visit& visit) {
  const std::size_t first = shape.size() > 2 ? 2 : 0;
  std::int64_t plane_size = 1;
  for (std::size_t axis = first; axis < shape.size(); ++axis) plane_size *= shape[axis];
  for (std::int64_t element = 0; element < size_of(shape); ++element) {
    std::int64_t rest = element;
    bool is_beside = false;
    for (std::size_t axis = shape.size(); axis > first; --axis) {
      const std::int64_t size = shape[axis - 1];
      const std::int64_t at = rest % size;
      rest /= size;
      is_beside = is_beside || at < border || at >= size - border;
    }
    if (is_beside) visit(element, element / plane_size);
  }
}

Wanted at_border(Wish wish, const Shape& shape, std::size_t round, Random& random) {
  Wanted wanted;
  const bool is_negative = wish == Wish::negative_border;
  along_border(shape, [&](std::int64_t element, std::int64_t plane) {
    const double value = is_negative ? -(0.25 + std::abs(random.normal())) : 8 + 4 * random.normal();
    // Every other plane stays as it was, so that both are there where there are several.
    if (is_negative && (static_cast<std::size_t>(plane) + round) % 2 != 0) return;
    wanted.emplace_back(element, value);
  });
  return wanted;
}

/// One side of `ties` and `extreme` for one row, whose elements are told by `at`.
template <class At>
void fill_row(std::size_t side, std::int64_t length, const At& at, Wanted& wanted, Random& random) {
  const std::int64_t one = random.between(0, length - 1);
  const std::int64_t other = (one + random.between(1, std::max<std::int64_t>(length - 1, 1))) % length;
  const auto all = [&](auto value) {
    for (std::int64_t i = 0; i < length; ++i) wanted.emplace_back(at(i), value());
  };
  switch (side % 4) {
    case 0:  // all overflow exp, of doubles too; neither the first nor the last of them is the largest
      wanted.emplace_back(at(std::min(one, other)), 800.0);
      wanted.emplace_back(at(length - 1), 820.0);
      wanted.emplace_back(at(std::max(one, other)), 900.0);
      break;
    case 1:  // two equal ones above all others
      wanted.emplace_back(at(one), 4.0);
      wanted.emplace_back(at(other), 4.0);
      break;
    case 2:  // all but one underflow beside it
      all([&] { return -900 + 10 * random.normal(); });
      wanted.emplace_back(at(one), 1.0);
      break;
    default:  // all below zero
      all([&] { return -(0.25 + std::abs(random.normal())); });
      break;
  }
}

Wanted by_rows(Wish wish, const Shape& shape, const WishDetails& details, std::size_t round, Random& random) {
  Wanted wanted;
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (rank == 0 || size_of(shape) == 0) return wanted;
  const std::int64_t given = details.axis < 0 ? details.axis + rank : details.axis;
  const auto axis = static_cast<std::size_t>(std::clamp<std::int64_t>(given, 0, rank - 1));
  std::int64_t stride = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
  const std::int64_t rows = size_of(shape) / shape[axis];
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t start = row / stride * stride * shape[axis] + row % stride;
    const auto at = [&](std::int64_t i) { return start + i * stride; };
    const std::size_t turn = static_cast<std::size_t>(row) + round;
    if (rows > 4 && turn % 5 == 4) continue;  // some stay as they were
    fill_row(wish == Wish::ties ? 1 + 2 * (turn % 2) : turn, shape[axis], at, wanted, random);
  }
  return wanted;
}

/// Each element with this probability one of these values.
template <class Values>
Wanted sprinkled(const Shape& shape, double share, const Values& values, Random& random) {
  Wanted wanted;
  for (std::int64_t element = 0; element < size_of(shape); ++element) {
    if (random.uniform() >= share) continue;
    const auto which = random.between(0, static_cast<std::int64_t>(values.size()) - 1);
    wanted.emplace_back(element, values[static_cast<std::size_t>(which)]);
  }
  const bool is_missed = wanted.empty() && size_of(shape) > 0;
  if (is_missed) wanted.emplace_back(random.between(0, size_of(shape) - 1), values.front());
  return wanted;
}

Wanted not_finite(const Shape& shape, Random& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 3> values = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity};
  Wanted wanted;
  if (size_of(shape) < 8) return wanted;  // there must be others beside them
  for (const double value : values) wanted.emplace_back(random.between(0, size_of(shape) - 1), value);
  return wanted;
}

Wanted distinct_values(const Shape& shape) {
  Wanted wanted;
  for (std::int64_t element = 0; element < size_of(shape); ++element) {
    wanted.emplace_back(element, static_cast<double>(element % 100));
  }
  return wanted;
}

}  // namespace

std::string words_for(Wish wish) {
  switch (wish) {
    case Wish::negative_border:
      return "negative values along the border";
    case Wish::large_border:
      return "large values along the border";
    case Wish::large:
      return "large values away from zero";
    case Wish::ties:
      return "ties";
    case Wish::extreme:
      return "values that overflow and underflow";
    case Wish::signed_zeros:
      return "zeros of both signs";
    case Wish::not_finite:
      return "NaN and infinities";
    case Wish::fractions:
      return "fractions";
    case Wish::limits:
      return "values at the limits";
    case Wish::both_truths:
      return "true and false";
    case Wish::distinct:
      return "distinct numbers";
  }
  return "";
}

bool is_for(Wish wish, DType type) {
  if (wish == Wish::both_truths) return type == DType::boolean;
  if (wish == Wish::distinct) return is_integer(type);
  return is_float(type);
}

std::vector<std::pair<std::int64_t, double>> targets(Wish wish, const Shape& shape, const WishDetails& details,
                                                     std::size_t round, Random& random) {
  constexpr double eps = 1.0 / 1024;
  switch (wish) {
    case Wish::negative_border:
    case Wish::large_border:
      return at_border(wish, shape, round, random);
    case Wish::ties:
    case Wish::extreme:
      return by_rows(wish, shape, details, round, random);
    case Wish::large:
      return sprinkled(shape, 0.5, std::array{24.0, 17.5, 9.25, -16.0, -12.5, 40.0, 8.0}, random);
    case Wish::signed_zeros:
      return sprinkled(shape, 0.25, std::array{-0.0, 0.0}, random);
    case Wish::not_finite:
      return not_finite(shape, random);
    case Wish::fractions:
      return sprinkled(shape, 0.5, std::array{0.5, 1.5, 2.5, 3.75, 0.99999994, 100.4, 1.0 / 3, 6.25e-8}, random);
    case Wish::limits:
      return sprinkled(shape, 0.5,
                       std::array{details.low, details.high, details.low - eps, details.low + eps, details.high - eps,
                                  details.high + eps, details.low - 1, details.high + 1, -0.0},
                       random);
    case Wish::both_truths:
      return sprinkled(shape, 1, std::array{0.0, 1.0}, random);
    case Wish::distinct:
      return distinct_values(shape);
  }
  return {};
}

std::size_t grant(const Origins& origins, const std::vector<std::pair<std::int64_t, double>>& wanted, Edits& edits) {
  std::size_t granted = 0;
  for (const auto& [element, value] : wanted) {
    const ElementOrigin& origin = origins.elements.at(static_cast<std::size_t>(element));
    if (origin.input == ElementOrigin::constant || origin.scale == 0 || !std::isfinite(origin.scale)) continue;
    if (origin.clipped && (value < 0 || std::signbit(value))) continue;
    edits[origin.input][origin.index] = (value - origin.offset) / origin.scale;
    ++granted;
  }
  return granted;
}

std::vector<NamedTensor> edited(std::vector<NamedTensor> sample, const Edits& edits) {
  for (const auto& [input, values] : edits) {
    Tensor& tensor = sample.at(static_cast<std::size_t>(input)).value;
    std::vector<double> numbers(static_cast<std::size_t>(tensor.count()));
    for (std::int64_t i = 0; i < tensor.count(); ++i) numbers[static_cast<std::size_t>(i)] = tensor.number(i);
    for (const auto& [index, value] : values) numbers.at(static_cast<std::size_t>(index)) = value;
    auto changed = cast(Tensor::of<double>(tensor.shape(), numbers), tensor.dtype());
    if (changed) tensor = std::move(*changed);
  }
  return sample;
}

}  // namespace culprit
