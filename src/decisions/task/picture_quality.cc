#include "task/picture_quality.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "task/same_number.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

/// Are all the same numbers, NaN and infinities included?
bool are_same(std::span<const double> a, std::span<const double> b) { return std::ranges::equal(a, b, is_same); }

Numbers window_of(const SimilarityOptions& options) {
  if (!options.gaussian) return Numbers(7, 1.0 / 7);
  constexpr double sigma = 1.5;
  constexpr int radius = 5;  // 3.5 sigma, as skimage cuts it
  Numbers weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += weights.emplace_back(std::exp(-0.5 * i * i / (sigma * sigma)));
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// One plane, and what is left of it where windows lie inside.
struct Extent {
  std::size_t height, width, window;
  [[nodiscard]] std::size_t rows() const { return height - window + 1; }
  [[nodiscard]] std::size_t columns() const { return width - window + 1; }
};

/// The weighted mean around each place: along rows, then along columns.
template <class Value>
Numbers filtered(const Extent& extent, const Numbers& weights, const Value& value) {
  Numbers across(extent.height * extent.columns()), out(extent.rows() * extent.columns());
  for (std::size_t y = 0; y < extent.height; ++y) {
    for (std::size_t x = 0; x < extent.columns(); ++x) {
      double sum = 0;
      for (std::size_t i = 0; i < extent.window; ++i) sum += weights[i] * value(y * extent.width + x + i);
      across[y * extent.columns() + x] = sum;
    }
  }
  for (std::size_t y = 0; y < extent.rows(); ++y)
    for (std::size_t i = 0; i < extent.window; ++i)
      for (std::size_t x = 0; x < extent.columns(); ++x)
        out[y * extent.columns() + x] += weights[i] * across[(y + i) * extent.columns() + x];
  return out;
}

double plane_similarity(std::span<const double> a, std::span<const double> b, const Extent& extent, double range,
                        const SimilarityOptions& options) {
  const Numbers weights = window_of(options);
  const Numbers mean_a = filtered(extent, weights, [&](std::size_t i) { return a[i]; });
  const Numbers mean_b = filtered(extent, weights, [&](std::size_t i) { return b[i]; });
  const Numbers square_a = filtered(extent, weights, [&](std::size_t i) { return a[i] * a[i]; });
  const Numbers square_b = filtered(extent, weights, [&](std::size_t i) { return b[i] * b[i]; });
  const Numbers product = filtered(extent, weights, [&](std::size_t i) { return a[i] * b[i]; });
  const auto pixels = static_cast<double>(extent.window * extent.window);
  const double norm = options.sample_covariance ? pixels / (pixels - 1) : 1;
  const double c1 = 0.01 * range * (0.01 * range), c2 = 0.03 * range * (0.03 * range);
  double sum = 0;
  for (std::size_t i = 0; i < mean_a.size(); ++i) {
    const double x = mean_a[i], y = mean_b[i];
    const double variances = norm * (square_a[i] - x * x) + norm * (square_b[i] - y * y);
    const double covariance = norm * (product[i] - x * y);
    sum += (2 * x * y + c1) * (2 * covariance + c2) / ((x * x + y * y + c1) * (variances + c2));
  }
  return sum / static_cast<double>(mean_a.size());
}

/// Zeros in place of what is not finite; false where that stands in other places of `other`.
bool make_finite(Numbers& plane, std::span<const double> other) {
  for (std::size_t i = 0; i < plane.size(); ++i) {
    if (std::isfinite(plane[i]) != std::isfinite(other[i])) return false;
    if (!std::isfinite(plane[i])) plane[i] = 0;
  }
  return true;
}

}  // namespace

double mean_squared_error(std::span<const double> a, std::span<const double> b, double range) {
  const std::size_t count = std::min(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_same(a[i], b[i])) continue;
    const double off = (a[i] - b[i]) / range;
    sum += std::isfinite(off) ? off * off : 1;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double decibels(double error) { return error == 0 ? std::numeric_limits<double>::infinity() : -10 * std::log10(error); }

std::optional<double> structural_similarity(std::span<const double> a, std::span<const double> b, std::size_t height,
                                            std::size_t width, double range, const SimilarityOptions& options) {
  const Extent extent{height, width, window_of(options).size()};
  if (height < extent.window || width < extent.window) return std::nullopt;
  const std::size_t size = height * width, planes = std::min(a.size(), b.size()) / size;
  if (planes == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t plane = 0; plane < planes; ++plane) {
    const auto one = a.subspan(plane * size, size), other = b.subspan(plane * size, size);
    if (are_same(one, other)) {
      sum += 1;
      continue;
    }
    Numbers x(one.begin(), one.end()), y(other.begin(), other.end());
    if (make_finite(x, other) && make_finite(y, one)) sum += plane_similarity(x, y, extent, range, options);
  }
  return sum / static_cast<double>(planes);
}

}  // namespace culprit
