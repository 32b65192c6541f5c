#include "conversion/map/place_line.h"

#include <algorithm>
#include <cmath>

namespace culprit {

PlaceLine::PlaceLine(std::vector<std::pair<int, int>> anchors, int source_end, int target_end)
    : anchors_(std::move(anchors)) {
  anchors_.emplace_back(-1, -1);
  anchors_.emplace_back(source_end, target_end);
  std::ranges::sort(anchors_);
  const auto is_of_one_place = [](const auto& one, const auto& other) { return one.first == other.first; };
  anchors_.erase(std::unique(anchors_.begin(), anchors_.end(), is_of_one_place), anchors_.end());
}

double PlaceLine::expected(int source) const {
  const auto behind = std::ranges::lower_bound(anchors_, source, {}, &std::pair<int, int>::first);
  if (behind == anchors_.end()) return anchors_.back().second;
  if (behind->first == source || behind == anchors_.begin()) return behind->second;
  const auto before = std::prev(behind);
  const double share = static_cast<double>(source - before->first) / (behind->first - before->first);
  return before->second + share * (behind->second - before->second);
}

double PlaceLine::off(int source, int target) const { return std::abs(expected(source) - target); }

}  // namespace culprit
