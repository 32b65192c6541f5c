#include "task/embedding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "task/ranking.h"

namespace culprit {
namespace {

constexpr double nobodys = -2;  // less than any cosine: a vector with NaN is no neighbour of any

bool has_nan(const std::vector<float>& vector) {
  return std::ranges::any_of(vector, [](float x) { return std::isnan(x); });
}

template <class Number>
double cosine(std::span<const Number> a, std::span<const Number> b) {
  const auto is_same = [](Number x, Number y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  if (std::ranges::equal(a, b, is_same)) return 1;
  // Divided by the largest element, so that no square overflows.
  double most_a = 0, most_b = 0, product = 0, square_a = 0, square_b = 0;
  for (const Number x : a) most_a = std::max(most_a, std::abs(static_cast<double>(x)));
  for (const Number y : b) most_b = std::max(most_b, std::abs(static_cast<double>(y)));
  if (!(most_a > 0 && most_b > 0) || a.size() != b.size()) return 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]) / most_a, y = static_cast<double>(b[i]) / most_b;
    product += x * y;
    square_a += x * x;
    square_b += y * y;
  }
  const double share = product / (std::sqrt(square_a) * std::sqrt(square_b));
  return std::isfinite(share) ? std::clamp(share, -1.0, 1.0) : 0;
}

}  // namespace

bool holds_nan(std::span<const double> numbers) {
  return std::ranges::any_of(numbers, [](double x) { return std::isnan(x); });
}

double cosine_of(std::span<const double> a, std::span<const double> b) { return cosine(a, b); }

std::vector<std::int64_t> nearest_neighbours(std::span<const std::vector<float>> vectors, std::size_t item,
                                             std::size_t k) {
  std::vector<double> likeness;
  for (const auto& other : vectors) likeness.push_back(has_nan(other) ? nobodys : cosine<float>(vectors[item], other));
  likeness[item] = -std::numeric_limits<double>::infinity();  // last, and cut off
  return top_k(likeness, std::min(k, vectors.size() - 1));
}

std::vector<double> neighbour_agreement(std::span<const std::vector<float>> a, std::span<const std::vector<float>> b,
                                        std::size_t k) {
  std::vector<double> shares;
  for (std::size_t item = 0; item < std::min(a.size(), b.size()); ++item) {
    if (has_nan(a[item]) || has_nan(b[item])) {
      shares.push_back(has_nan(a[item]) && has_nan(b[item]) ? 1 : 0);
      continue;
    }
    const auto near = nearest_neighbours(a, item, k), other = nearest_neighbours(b, item, k);
    const auto is_common = [&](std::int64_t one) { return std::ranges::find(other, one) != other.end(); };
    const auto common = static_cast<double>(std::ranges::count_if(near, is_common));
    shares.push_back(near.empty() ? 1 : common / static_cast<double>(near.size()));
  }
  return shares;
}

}  // namespace culprit
