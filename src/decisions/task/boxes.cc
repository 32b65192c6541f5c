#include "task/boxes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "task/same_number.h"

namespace culprit {
namespace {

/// Are both the same number, or NaN and NaN?
bool is_copy(const Box& a, const Box& b) {
  return is_same(a.x0, b.x0) && is_same(a.y0, b.y0) && is_same(a.x1, b.x1) && is_same(a.y1, b.y1);
}

double shared_area(const Box& a, const Box& b) {
  const double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  const double height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  return width > 0 && height > 0 ? width * height : 0;
}

bool has_nan(const Box& box) { return std::isnan(box.x0 + box.y0 + box.x1 + box.y1); }

}  // namespace

double area_of(const Box& box) {
  if (has_nan(box)) return std::nan("");
  return box.x1 > box.x0 && box.y1 > box.y0 ? (box.x1 - box.x0) * (box.y1 - box.y0) : 0;
}

double iou_of(const Box& a, const Box& b) {
  if (is_copy(a, b)) return 1;
  if (has_nan(a) || has_nan(b)) return 0;
  const double shared = shared_area(a, b);
  const double share = shared > 0 ? shared / (area_of(a) + area_of(b) - shared) : 0;
  return std::isnan(share) ? 0 : share;  // infinite boxes
}

double share_in_crowd(const Box& found, const Box& crowd) {
  if (has_nan(found) || has_nan(crowd)) return 0;
  const double shared = shared_area(found, crowd);
  const double share = shared > 0 ? shared / area_of(found) : 0;
  return std::isnan(share) ? 0 : share;
}

void sort_by_score(std::vector<Detection>& found) {
  std::ranges::stable_sort(found, [](const Detection& a, const Detection& b) {
    if (std::isnan(a.score) || std::isnan(b.score)) return !std::isnan(a.score) && std::isnan(b.score);
    return a.score > b.score;
  });
}

std::vector<Detection> suppress_non_maxima(std::vector<Detection> found, double limit) {
  sort_by_score(found);
  if (found.size() > most_candidates) found.resize(most_candidates);
  std::vector<Detection> kept;
  std::map<std::int64_t, std::vector<Box>> of_class;
  for (const Detection& one : found) {
    std::vector<Box>& before = of_class[one.label];
    const auto hides_it = [&](const Box& box) { return iou_of(box, one.box) > limit; };
    if (std::ranges::any_of(before, hides_it)) continue;
    before.push_back(one.box);
    kept.push_back(one);
  }
  return kept;
}

}  // namespace culprit
