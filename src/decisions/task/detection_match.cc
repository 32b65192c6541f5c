#include "task/detection_match.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "task/ranking.h"

namespace culprit {
namespace {

constexpr std::size_t most_ranked = 1000;

struct Place {
  std::size_t at = 0;
  bool is_ignored = false;
};

/// The boxes of one class on one picture.
struct OfClass {
  std::vector<std::size_t> found;  ///< by descending score
  std::vector<Place> there;        ///< those that are ignored last
};

bool is_outside(double area, const MatchOptions& options) {
  return area < options.least_area || area > options.most_area;
}

std::map<std::int64_t, OfClass> by_class(std::span<const Detection> found, std::span<const TruthBox> there,
                                         const MatchOptions& options) {
  std::map<std::int64_t, OfClass> classes;
  for (std::size_t i = 0; i < there.size(); ++i) {
    const TruthBox& box = there[i];
    const bool ignored = box.is_crowd || box.is_ignored || is_outside(area_of(box.box), options);
    classes[box.label].there.push_back({i, ignored});
  }
  for (std::size_t i = 0; i < found.size(); ++i) classes[found[i].label].found.push_back(i);
  std::vector<double> scores;
  for (auto& [label, boxes] : classes) {
    std::stable_partition(boxes.there.begin(), boxes.there.end(), [](const Place& place) { return !place.is_ignored; });
    scores.clear();
    for (const std::size_t i : boxes.found) scores.push_back(found[i].score);
    const std::size_t most = options.most_boxes == 0 ? boxes.found.size() : options.most_boxes;
    std::vector<std::size_t> sorted;
    for (const std::int64_t i : top_k(scores, most)) sorted.push_back(boxes.found[static_cast<std::size_t>(i)]);
    boxes.found = std::move(sorted);
  }
  return classes;
}

/// Boxes of one class, with how far each found one overlaps each that is there.
class ClassMatcher {
 public:
  ClassMatcher(const OfClass& boxes, std::span<const Detection> found, std::span<const TruthBox> there)
      : boxes_(boxes), overlaps_(boxes.found.size() * boxes.there.size()), crowds_(boxes.there.size()) {
    for (std::size_t t = 0; t < boxes.there.size(); ++t) crowds_[t] = there[boxes.there[t].at].is_crowd;
    for (std::size_t f = 0; f < boxes.found.size(); ++f) {
      for (std::size_t t = 0; t < boxes.there.size(); ++t) {
        const Box &one = found[boxes.found[f]].box, &other = there[boxes.there[t].at].box;
        overlaps_[f * boxes.there.size() + t] = crowds_[t] ? share_in_crowd(one, other) : iou_of(one, other);
      }
    }
  }

  /// The partner of each found box at this threshold, as a place among those that are there; -1: none.
  [[nodiscard]] std::vector<std::int32_t> partners(double threshold) const {
    std::vector<bool> taken(boxes_.there.size());
    std::vector<std::int32_t> partners;
    for (std::size_t f = 0; f < boxes_.found.size(); ++f) {
      const std::int32_t best = best_free(f, std::min(threshold, 1 - 1e-10), taken);
      if (best >= 0) taken[static_cast<std::size_t>(best)] = true;
      partners.push_back(best);
    }
    return partners;
  }

 private:
  [[nodiscard]] std::int32_t best_free(std::size_t f, double least, const std::vector<bool>& taken) const {
    std::int32_t best = -1;
    for (std::size_t t = 0; t < boxes_.there.size(); ++t) {
      if (taken[t] && !crowds_[t]) continue;
      const bool counts = best >= 0 && !boxes_.there[static_cast<std::size_t>(best)].is_ignored;
      if (counts && boxes_.there[t].is_ignored) break;
      const double overlap = overlaps_[f * boxes_.there.size() + t];
      if (overlap < least) continue;
      least = overlap;
      best = static_cast<std::int32_t>(t);
    }
    return best;
  }

  const OfClass& boxes_;
  std::vector<double> overlaps_;
  std::vector<bool> crowds_;
};

}  // namespace

double iou_threshold(std::size_t number) {
  constexpr double first = 0.5, last = 0.95;
  return number + 1 == iou_thresholds ? last : static_cast<double>(number) * ((last - first) / 9) + first;
}

SampleMatches match_boxes(std::span<const Detection> found, std::span<const TruthBox> there,
                          const MatchOptions& options) {
  SampleMatches matches;
  for (const auto& [label, boxes] : by_class(found, there, options)) {
    const auto counting = std::ranges::count_if(boxes.there, [](const Place& place) { return !place.is_ignored; });
    matches.truths[label] = counting;
    const ClassMatcher matcher(boxes, found, there);
    const std::size_t first = matches.boxes.size();
    for (const std::size_t f : boxes.found)
      matches.boxes.push_back({.score = found[f].score, .label = label, .place = f});
    for (std::size_t t = 0; t < iou_thresholds; ++t) {
      const auto partners = matcher.partners(iou_threshold(t));
      for (std::size_t f = 0; f < partners.size(); ++f) {
        BoxMatch& box = matches.boxes[first + f];
        const Place* partner = partners[f] < 0 ? nullptr : &boxes.there[static_cast<std::size_t>(partners[f])];
        const bool ignored = partner ? partner->is_ignored : is_outside(area_of(found[box.place].box), options);
        box.truth[t] = partner ? static_cast<std::int32_t>(partner->at) : -1;
        if (partner) box.matched |= static_cast<std::uint16_t>(1U << t);
        if (ignored) box.ignored |= static_cast<std::uint16_t>(1U << t);
      }
    }
  }
  return matches;
}

std::int64_t SampleMatches::hits(std::size_t threshold) const {
  return std::ranges::count_if(
      boxes, [&](const BoxMatch& box) { return ((box.matched & ~box.ignored) >> threshold & 1) != 0; });
}

std::int64_t SampleMatches::found(std::size_t threshold) const {
  return std::ranges::count_if(boxes, [&](const BoxMatch& box) { return (box.ignored >> threshold & 1) == 0; });
}

std::int64_t SampleMatches::there() const {
  std::int64_t sum = 0;
  for (const auto& [label, count] : truths) sum += count;
  return sum;
}

std::vector<Detection> by_ascending_score(std::span<const Detection> found) {
  std::vector<Detection> sorted(found.begin(), found.end());
  sort_by_score(sorted);
  std::ranges::reverse(sorted);
  return sorted;
}

std::vector<TruthBox> as_truth(std::span<const Detection> found) {
  std::vector<TruthBox> there;
  for (const Detection& one : by_ascending_score(found)) there.push_back({one.box, one.label, false, false});
  return there;
}

double mean_best_iou(std::span<const Detection> found, std::span<const TruthBox> there) {
  double sum = 0;
  std::int64_t boxes = 0;
  for (const TruthBox& box : there) {
    if (box.is_crowd || box.is_ignored) continue;
    double best = 0;
    for (const Detection& one : found)
      if (one.label == box.label) best = std::max(best, iou_of(one.box, box.box));
    sum += best;
    ++boxes;
  }
  if (boxes == 0) return found.empty() ? 1 : 0;
  return sum / static_cast<double>(boxes);
}

double score_rank_agreement(std::span<const Detection> reference, std::span<const Detection> variant) {
  const auto sorted = by_ascending_score(reference);
  std::vector<std::pair<double, double>> pairs;
  for (const BoxMatch& box : match_boxes(variant, as_truth(reference)).boxes)
    if (box.truth[at_50] >= 0) pairs.emplace_back(sorted[static_cast<std::size_t>(box.truth[at_50])].score, box.score);
  if (pairs.empty()) return reference.empty() && variant.empty() ? 1 : 0;
  std::vector<double> a, b;
  for (const auto& pair : pairs) a.push_back(pair.first);
  for (const std::int64_t i : top_k(a, most_ranked)) b.push_back(pairs[static_cast<std::size_t>(i)].second);
  std::ranges::sort(a, [](double x, double y) { return x > y || (!std::isnan(x) && std::isnan(y)); });
  a.resize(b.size());
  return kendall_tau_b(a, b);
}

}  // namespace culprit
