#include "model/rows_unlike.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "base/random.h"

namespace culprit {
namespace {

using Doubles = std::vector<double>;
using Rows = std::vector<std::size_t>;

constexpr std::size_t most_found = 16;
constexpr std::size_t widest = 4096;
constexpr std::size_t widest_mapped = 768;  // least squares take the third power of it

double median_of(Doubles numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

/// How far off each row is, 0 for not at all, about 1 for "has nothing in common": which of them are unlike the rest?
Rows far_off(const Doubles& off) {
  constexpr double times = 8;
  constexpr double least = 1e-5;  // rounding
  constexpr double nothing = 0.25;
  const double middle = median_of(off);
  if (middle > nothing) return {};
  Rows rows;
  for (std::size_t i = 0; i < off.size(); ++i) {
    if (!(off[i] <= std::max(times * middle, least))) rows.push_back(i);
  }
  std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) { return off[a] > off[b]; });
  rows.resize(std::min(rows.size(), most_found));
  return rows;
}

// --- equal numbers ------------------------------------------------------------------------------------------------

/// Nothing where more than half of the rows differ.
Rows not_equal(const TableRows& one, const TableRows& other) {
  Rows rows;
  if (one.width != other.width) return rows;
  for (std::size_t i = 0; i < one.count; ++i) {
    if (!std::equal(one.row(i), one.row(i) + one.width, other.row(i))) rows.push_back(i);
  }
  if (rows.size() > one.count / 2) return {};
  rows.resize(std::min(rows.size(), most_found));
  return rows;
}

// --- but for a size and an offset of each row ---------------------------------------------------------------------

/// 1 less the correlation of the two rows.
double apart(const float* one, const float* other, std::size_t width) {
  double mean_one = 0, mean_other = 0;
  for (std::size_t i = 0; i < width; ++i) {
    mean_one += static_cast<double>(one[i]) / static_cast<double>(width);
    mean_other += static_cast<double>(other[i]) / static_cast<double>(width);
  }
  double both = 0, square_one = 0, square_other = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const double x = static_cast<double>(one[i]) - mean_one, y = static_cast<double>(other[i]) - mean_other;
    both += x * y;
    square_one += x * x;
    square_other += y * y;
  }
  if (square_one == 0 || square_other == 0) return square_one == square_other ? 0 : 1;
  return 1 - both / std::sqrt(square_one * square_other);
}

Rows not_alike(const TableRows& one, const TableRows& other) {
  constexpr std::size_t narrowest = 4;
  if (one.width != other.width || one.width < narrowest) return {};
  Doubles off(one.count);
  for (std::size_t i = 0; i < one.count; ++i) off[i] = apart(one.row(i), other.row(i), one.width);
  return far_off(off);
}

// --- a linear map -------------------------------------------------------------------------------------------------

/// Least squares for several right-hand sides at once: sums over rows, then Cholesky's factors.
class LeastSquares {
 public:
  LeastSquares(std::size_t unknowns, std::size_t sides)
      : unknowns_(unknowns), sides_(sides), sums_(unknowns * unknowns), right_(unknowns * sides) {}

  void add(const Doubles& row, std::span<const double> right) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) sums_[i * unknowns_ + j] += row[i] * row[j];
      for (std::size_t k = 0; k < sides_; ++k) right_[k * unknowns_ + i] += row[i] * right[k];
    }
  }

  /// The unknowns of each side, one side after the other. Columns that depend on others get next to nothing.
  Doubles solve() {
    constexpr double ridge = 1e-10;  // of the largest sum
    double largest = 0;
    for (std::size_t i = 0; i < unknowns_; ++i) largest = std::max(largest, sums_[i * unknowns_ + i]);
    for (std::size_t i = 0; i < unknowns_; ++i) sums_[i * unknowns_ + i] += ridge * largest;
    factor();
    Doubles found = right_;
    for (std::size_t k = 0; k < sides_; ++k) substitute(std::span(found).subspan(k * unknowns_, unknowns_));
    return found;
  }

 private:
  void factor() {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = at(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
        at(i, j) = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / at(j, j);
      }
    }
  }

  void substitute(std::span<double> x) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= at(i, k) * x[k];
      x[i] /= at(i, i);
    }
    for (std::size_t i = unknowns_; i-- > 0;) {
      for (std::size_t k = i + 1; k < unknowns_; ++k) x[i] -= at(k, i) * x[k];
      x[i] /= at(i, i);
    }
  }

  double& at(std::size_t i, std::size_t j) { return sums_[i * unknowns_ + j]; }

  std::size_t unknowns_, sides_;
  Doubles sums_, right_;
};

/// Is `to` a linear map of `from` and a constant? A few sums of each row of `to`, with signs by chance, stand for it.
class LinearMap {
 public:
  LinearMap(const TableRows& from, const TableRows& to) : from_(from), sums_(to.count * sides) {
    Random random(0, "signs");
    Doubles signs(sides * to.width);
    for (double& sign : signs) sign = random.between(0, 1) == 1 ? 1 : -1;
    for (std::size_t i = 0; i < to.count; ++i) {
      for (std::size_t k = 0; k < sides; ++k) {
        for (std::size_t column = 0; column < to.width; ++column)
          sums_[i * sides + k] += signs[k * to.width + column] * static_cast<double>(to.row(i)[column]);
      }
    }
    for (const double sum : sums_) squares_ += sum * sum / static_cast<double>(to.count);
  }

  /// How far off each row is, as a share of a typical row; nothing where there are too few rows to tell. Worked out
  /// once from rows spread over the table, then from those of them that are least off.
  [[nodiscard]] Doubles off() const {
    const std::size_t unknowns = from_.width + 1, wanted = 3 * unknowns + 16;
    if (from_.count < 2 * unknowns || !(squares_ > 0) || !std::isfinite(squares_)) return {};
    Rows rows(std::min(wanted, from_.count));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i * from_.count / rows.size();
    const Doubles first = off_by(fitted(rows));
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) { return first[a] < first[b]; });
    rows.resize(rows.size() - rows.size() / 8);
    return off_by(fitted(rows));
  }

 private:
  static constexpr std::size_t sides = 3;

  [[nodiscard]] Doubles row_of(std::size_t i) const {
    Doubles row(from_.row(i), from_.row(i) + from_.width);
    row.push_back(1);
    return row;
  }

  [[nodiscard]] Doubles fitted(const Rows& rows) const {
    LeastSquares squares(from_.width + 1, sides);
    for (const std::size_t i : rows) squares.add(row_of(i), std::span(sums_).subspan(i * sides, sides));
    return squares.solve();
  }

  [[nodiscard]] Doubles off_by(const Doubles& map) const {
    Doubles off(from_.count);
    for (std::size_t i = 0; i < from_.count; ++i) {
      const Doubles row = row_of(i);
      double squares = 0;
      for (std::size_t k = 0; k < sides; ++k) {
        const double* unknowns = map.data() + k * row.size();
        const double left = sums_[i * sides + k] - std::inner_product(row.begin(), row.end(), unknowns, 0.0);
        squares += left * left;
      }
      off[i] = std::sqrt(squares / squares_);
    }
    return off;
  }

  const TableRows& from_;
  Doubles sums_;
  double squares_ = 0;
};

/// Takes the way round in which more goes together.
Rows not_mapped(const TableRows& one, const TableRows& other) {
  if (std::max(one.width, other.width) > widest_mapped) return {};
  const Doubles there = LinearMap(one, other).off(), back = LinearMap(other, one).off();
  if (there.empty() && back.empty()) return {};
  if (there.empty()) return far_off(back);
  return far_off(back.empty() || median_of(there) <= median_of(back) ? there : back);
}

}  // namespace

Rows rows_unlike(const TableRows& one, const TableRows& other) {
  constexpr std::size_t fewest = 8;
  if (one.count != other.count || one.count < fewest || std::min(one.width, other.width) == 0 ||
      std::max(one.width, other.width) > widest)
    return {};
  for (const auto& look : {not_equal, not_alike, not_mapped}) {
    if (Rows rows = look(one, other); !rows.empty()) return rows;
  }
  return {};
}

}  // namespace culprit
