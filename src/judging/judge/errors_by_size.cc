#include "judge/errors_by_size.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

using SizedErrors = std::vector<SizedError>;

/// The line through two corners of different sizes, at `size`.
double chord_at(const SizedError& a, const SizedError& b, double size) {
  return a.off + (b.off - a.off) * (size - a.size) / (b.size - a.size);
}

/// How large an error of that size may be so that `corners` decide in its place.
double roof_at(const SizedErrors& corners, double size) {
  if (corners.empty() || size < corners.front().size) return -std::numeric_limits<double>::infinity();
  const auto right = std::ranges::lower_bound(corners, size, {}, &SizedError::size);
  if (right == corners.end()) return corners.back().off;
  return right->size == size ? right->off : chord_at(*(right - 1), *right, size);
}

/// Of errors sorted by size, of equal size the largest first: those where the roof bends, up to the largest of all.
SizedErrors corners_of(const SizedErrors& sorted) {
  SizedErrors corners;
  for (const SizedError& error : sorted) {
    if (!corners.empty() && error.off <= corners.back().off) continue;
    while (corners.size() > 1 &&
           chord_at(corners[corners.size() - 2], error, corners.back().size) >= corners.back().off)
      corners.pop_back();
    corners.push_back(error);
  }
  return corners;
}

/// Without corners that stand out from the roof of the others by at most `height`.
SizedErrors without_flat(const SizedErrors& corners, double height) {
  SizedErrors few{corners.front()};
  std::size_t last = 0;
  const auto is_flat = [&](std::size_t to) {
    for (std::size_t between = last + 1; between < to; ++between)
      if (corners[between].off - chord_at(corners[last], corners[to], corners[between].size) > height) return false;
    return true;
  };
  for (std::size_t i = 1; i < corners.size(); ++i) {
    if (i + 1 < corners.size() && is_flat(i + 1)) continue;
    few.push_back(corners[i]);
    last = i;
  }
  return few;
}

constexpr std::size_t collected_at_once = 256;
constexpr double flattest = 1.0 / (1 << 20);  // of the largest error

}  // namespace

void ErrorCollector::add(const SizedError& error) {
  const double slack = std::isinf(kept_.slack) ? 0 : kept_.slack;
  if (error.off <= roof_at(kept_.corners, error.size) + slack) return;
  if (std::isinf(error.off)) {
    kept_.corners = {{0, error.off}};
    new_.clear();
    return;
  }
  new_.push_back(error);
  if (new_.size() >= collected_at_once) keep_corners();
}

void ErrorCollector::add(const ErrorsBySize& others) {
  kept_.slack = std::max(kept_.slack, others.slack);
  for (const SizedError& error : others.corners) add(error);
  keep_corners();
}

void ErrorCollector::keep_corners() {
  if (new_.empty()) return;
  new_.insert(new_.end(), kept_.corners.begin(), kept_.corners.end());
  std::ranges::sort(new_, [](const SizedError& a, const SizedError& b) {
    return a.size != b.size ? a.size < b.size : a.off > b.off;
  });
  const SizedErrors all = corners_of(new_);
  new_.clear();
  kept_.corners = all;
  double lost = 0;
  for (double height = flattest * all.back().off; kept_.corners.size() > most_sized_errors; height *= 2) {
    kept_.corners = without_flat(all, height);
    lost = height;
  }
  kept_.slack += lost;
}

ErrorsBySize ErrorCollector::result() const {
  ErrorCollector whole = *this;
  whole.keep_corners();
  return whole.kept_;
}

ErrorsBySize all_errors(const ErrorsBySize& a, const ErrorsBySize& b) {
  if (a.corners.empty() && a.slack == 0) return b;
  if (b.corners.empty() && b.slack == 0) return a;
  ErrorCollector both;
  both.add(a);
  both.add(b);
  return both.result();
}

WithinTolerance are_within(const ErrorsBySize& errors, double atol, double rtol) {
  bool is_sure = errors.corners.empty() ? errors.slack == 0 : true;
  for (const SizedError& error : errors.corners) {
    const double tolerance = atol + rtol * error.size;
    if (!(error.off <= tolerance)) return WithinTolerance::no;
    is_sure = is_sure && (errors.slack == 0 || error.off + errors.slack <= tolerance);
  }
  return is_sure ? WithinTolerance::yes : WithinTolerance::unsure;
}

}  // namespace culprit
