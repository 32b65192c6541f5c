#include "data/random_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "data/size_guesses.h"

namespace culprit {
namespace {

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

std::vector<double> uniform(const Rule& rule, bool is_float, const Drawing& drawing, Random& random) {
  const double low = rule.low, high = highest(rule, drawing.sizes);
  std::vector<double> drawn(count_of(drawing.shape));
  for (std::size_t i = 0; i < drawn.size() && !is_stopped_at(i, drawing.stop); ++i) {
    drawn[i] =
        is_float ? low + (high - low) * random.uniform()
                 : static_cast<double>(random.between(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
  }
  return drawn;
}

/// Fisher and Yates, on as many numbers as are asked for; what goes beyond starts over.
std::vector<double> distinct_integers(const Rule& rule, const Drawing& drawing, Random& random) {
  const auto low = static_cast<std::int64_t>(rule.low);
  const std::size_t count = count_of(drawing.shape);
  auto there = static_cast<std::int64_t>(highest(rule, drawing.sizes)) - low + 1;
  if (rule.bounds.empty()) there = std::max(there, static_cast<std::int64_t>(count));  // axes of an unknown rank
  constexpr std::int64_t most = 1 << 20;  // of a larger range every number is distinct_integers anyhow, or nearly
  if (there > most) return uniform(rule, false, drawing, random);
  std::vector<std::int64_t> pool(static_cast<std::size_t>(there));
  std::iota(pool.begin(), pool.end(), low);
  std::vector<double> drawn(count);
  for (std::size_t i = 0; i < count && !is_stopped_at(i, drawing.stop); ++i) {
    const std::size_t from = i % pool.size();
    const auto other = random.between(static_cast<std::int64_t>(from), there - 1);
    std::swap(pool[from], pool[static_cast<std::size_t>(other)]);
    drawn[i] = static_cast<double>(pool[from]);
  }
  return drawn;
}

/// Along the last axis, or the only one.
std::vector<double> positions(const Rule& rule, const Drawing& drawing) {
  std::vector<double> drawn(count_of(drawing.shape));
  const std::size_t width = drawing.shape.empty() ? 1 : static_cast<std::size_t>(drawing.shape.back());
  const auto high = static_cast<std::int64_t>(highest(rule, drawing.sizes));
  const auto low = static_cast<std::int64_t>(rule.low);
  const std::int64_t first = low + past_in(drawing.sizes);
  for (std::size_t i = 0; i < drawn.size() && !is_stopped_at(i, drawing.stop); ++i) {
    const std::int64_t position = first + static_cast<std::int64_t>(i % width);
    const bool is_inside = rule.bounds.empty() || position <= high;
    drawn[i] = static_cast<double>(is_inside ? position : low + (position - low) % (high - low + 1));
  }
  return drawn;
}

std::vector<double> mask(const Drawing& drawing) {
  std::vector<double> drawn(count_of(drawing.shape));
  const std::int64_t width = drawing.shape.empty() ? 1 : drawing.shape.back();
  const std::int64_t batch = drawing.shape.size() > 1 ? drawing.shape.front() : 1;
  const auto per_batch = static_cast<std::int64_t>(drawn.size()) / std::max<std::int64_t>(1, batch);
  for (std::size_t i = 0; i < drawn.size() && !is_stopped_at(i, drawing.stop); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    drawn[i] = at % width < ones_in_row(drawing, at / per_batch, width) ? 1 : 0;
  }
  return drawn;
}

enum class Side { below, at, above };

/// Beside the threshold `which`, as far as its neighbours, or as far again beyond the last ones.
double beside(const std::vector<double>& thresholds, std::size_t which, Side side, Random& random) {
  const double at = thresholds[which];
  const double beyond = std::max(1.0, thresholds.back() - thresholds.front());
  const double below = which > 0 ? thresholds[which - 1] : at - beyond;
  const double above = which + 1 < thresholds.size() ? thresholds[which + 1] : at + beyond;
  if (side == Side::below) return below + (at - below) * random.uniform();
  return side == Side::at ? at : at + (above - at) * random.uniform();
}

/// Each of three rows, or of three samples of a row, is on another side; which comes first is another for each column
/// and every three.
Side side_of(const Rule& rule, const Drawing& drawing, std::size_t row, std::size_t column) {
  constexpr std::uint64_t apart = 1'000'003;
  const std::uint64_t place = static_cast<std::uint64_t>(drawing.number) + row;
  Random first(((drawing.seed * apart + rule.turn) * apart + column) * apart + place / 3);
  return static_cast<Side>((static_cast<std::uint64_t>(first.between(0, 2)) + place) % 3);
}

/// Whole numbers lie on both sides of what lies between them.
std::vector<double> around(const Rule& rule, bool is_float, const Drawing& drawing, Random& random) {
  std::vector<double> drawn(count_of(drawing.shape));
  const std::size_t width = drawing.shape.empty() ? 1 : static_cast<std::size_t>(drawing.shape.back());
  for (std::size_t i = 0; i < drawn.size() && !is_stopped_at(i, drawing.stop); ++i) {
    const auto column = rule.columns.find(static_cast<std::int64_t>(i % width));
    if (column == rule.columns.end()) {
      drawn[i] = is_float ? random.normal() : static_cast<double>(random.between(0, 1));
      continue;
    }
    const auto last = static_cast<std::int64_t>(column->second.size()) - 1;
    const auto which = static_cast<std::size_t>(random.between(0, last));
    const Side side = side_of(rule, drawing, i / width, i % width);
    const double number = beside(column->second, which, side, random);
    drawn[i] = is_float ? number : std::floor(number) + (side == Side::above ? 1 : 0);
  }
  return drawn;
}

/// Both in 3 samples; of two of them all combinations in 4, of three those of each pair in 6.
double either(const Rule& rule, const Drawing& drawing) {
  static constexpr std::array<std::array<double, 3>, 6> turns = {
      {{1, 1, 1}, {0, 1, 0}, {1, 0, 1}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}}};
  return turns[static_cast<std::size_t>(drawing.index) % turns.size()][rule.turn % 3];
}

/// All sizes, if all are known.
std::optional<Shape> known_shape(const Use& use, const Sizes& sizes) {
  Shape shape;
  for (const Dim& dim : use.shape) {
    const auto size = dim.value ? dim.value : evaluate(dim.name, sizes);
    if (!size) return std::nullopt;
    shape.push_back(*size);
  }
  return shape;
}

std::vector<double> reshape_to(const Use& use, const Sizes& sizes, std::size_t count) {
  std::vector<double> drawn(count, 1);
  const auto known = known_shape(use, sizes);
  if (!use.is_whole) return drawn;
  if (known && known->size() == count && !known->empty()) return {known->begin(), known->end()};
  if (!drawn.empty()) drawn.front() = -1;
  return drawn;
}

/// Broadcast where the data are one wide; elsewhere 1, which goes with every size.
std::vector<double> expand_to(const Use& use, std::size_t count) {
  std::vector<double> drawn(count, 1);
  if (!use.is_whole) return drawn;
  for (std::size_t back = 1; back <= std::min(count, use.shape.size()); ++back) {
    if (use.shape[use.shape.size() - back].value == 1) drawn[count - back] = 3;
  }
  return drawn;
}

/// One element off either end, where every axis is long enough.
std::vector<double> slice_at(const Use& use, const Drawing& drawing, std::size_t count, Random& random) {
  const auto known = known_shape(use, drawing.sizes);
  const bool is_long = known && !known->empty() && std::ranges::all_of(*known, [](auto size) { return size >= 4; });
  const bool cuts = is_long && random.between(0, 1) == 1;
  constexpr double to_the_end = 1000000;
  if (use.kind == UseKind::starts) return std::vector<double>(count, cuts ? 1 : 0);
  return std::vector<double>(count, cuts ? -1 : to_the_end);
}

std::vector<double> resize_by(const Use& use, const Drawing& drawing, std::size_t count) {
  std::vector<double> drawn(count, 1);
  if (use.kind == UseKind::roi) {
    std::fill_n(drawn.begin(), count / 2, 0);
    return drawn;
  }
  const auto known = known_shape(use, drawing.sizes);
  const std::size_t kept = count > 2 ? 2 : 0;  // batch and channels
  for (std::size_t i = 0; i < count; ++i) {
    const double size = known && known->size() == count ? static_cast<double>((*known)[i]) : 8;
    const double factor = i < kept ? 1 : 2;
    drawn[i] = use.kind == UseKind::scales ? factor : factor * size;
  }
  return drawn;
}

std::vector<double> parts(const Use& use, const Sizes& sizes, std::size_t count) {
  const auto whole = use.limit.value ? use.limit.value : evaluate(use.limit.name, sizes);
  std::vector<double> drawn(count, 1);
  if (!whole || count == 0) return drawn;
  const auto each = *whole / static_cast<std::int64_t>(count);
  std::ranges::fill(drawn, static_cast<double>(each));
  drawn.back() = static_cast<double>(*whole - each * (static_cast<std::int64_t>(count) - 1));
  return drawn;
}

std::vector<double> elements(const Use& use, const Drawing& drawing, Random& random) {
  const std::size_t count = count_of(drawing.shape);
  switch (use.kind) {
    case UseKind::reshape_to:
      return reshape_to(use, drawing.sizes, count);
    case UseKind::expand_to:
      return expand_to(use, count);
    case UseKind::starts:
    case UseKind::ends:
      return slice_at(use, drawing, count, random);
    case UseKind::split_sizes:
      return parts(use, drawing.sizes, count);
    default:
      return resize_by(use, drawing, count);
  }
}

}  // namespace

std::int64_t past_in(const Sizes& sizes) {
  for (const auto& [name, size] : sizes) {
    if (!is_formula(name) && counts_cache(name)) return size;
  }
  return 0;
}

std::int64_t ones_in_row(const Drawing& drawing, std::int64_t row, std::int64_t width) {
  const std::int64_t past = past_in(drawing.sizes);
  const std::int64_t least = std::max((width + 1) / 2, past < width ? past + 1 : 1);
  if (drawing.index == 0 || least >= width) return width;
  Random random(drawing.seed, "mask#" + std::to_string(drawing.index) + "#" + std::to_string(row));
  return random.between(least, row == 0 ? width - 1 : width);
}

std::vector<double> draw_by_rule(const Rule& rule, bool is_float, const Drawing& drawing, Random& random) {
  switch (rule.way) {
    case Rule::Way::uniform:
      return uniform(rule, is_float, drawing, random);
    case Rule::Way::distinct:
      return distinct_integers(rule, drawing, random);
    case Rule::Way::positions:
      return positions(rule, drawing);
    case Rule::Way::mask:
      return mask(drawing);
    case Rule::Way::either:
      return std::vector<double>(count_of(drawing.shape), either(rule, drawing));
    case Rule::Way::one_of: {
      const std::size_t turn = rule.numbers.empty() ? 0 : static_cast<std::size_t>(drawing.index) % rule.numbers.size();
      return std::vector<double>(count_of(drawing.shape), rule.numbers.empty() ? 0 : rule.numbers[turn]);
    }
    case Rule::Way::around:
      return around(rule, is_float, drawing, random);
    case Rule::Way::elements:
      break;
  }
  return elements(*rule.use, drawing, random);
}

}  // namespace culprit
