#pragma once
// Boxes on pictures.

#include <cstdint>
#include <span>
#include <vector>

namespace culprit {

/// From the upper left corner to the lower right one, in pixels of the model's input, or in shares of it.
struct Box {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const Box&) const = default;
};

/// What a model found.
struct Detection {
  Box box;
  std::int64_t label = 0;
  double score = 0;
};

/// What is there.
struct TruthBox {
  Box box;
  std::int64_t label = 0;
  bool is_crowd = false;    ///< COCO's iscrowd: a region with many; what lies in it counts neither way
  bool is_ignored = false;  ///< what is matched with it counts neither way
  /// The id of this category in a file of labels that lists them; then `label` is its place among them, from 0. -1:
  /// `label` is the number that detectors give it.
  std::int64_t category_id = -1;
};

double area_of(const Box& box);  ///< 0 for what is turned inside out; NaN for NaN

/// What two boxes share over what they cover together (P. Jaccard 1912). As pycocotools' bbIou, but that a box and its
/// exact copy have 1 even where their area is 0 or they hold NaN. Other boxes with NaN: 0.
double iou_of(const Box& a, const Box& b);
/// Against a crowd: what they share over the area of `found` alone.
double share_in_crowd(const Box& found, const Box& crowd);

/// More boxes than this are not sorted out: those with the best scores go on.
inline constexpr std::size_t most_candidates = 10000;

/// Greedy suppression of non-maxima, class by class (R. Girshick et al., "Rich feature hierarchies", CVPR 2014; as
/// torchvision.ops.batched_nms): by descending score, what overlaps a kept box of its class by more than `limit` goes.
/// Of equal scores the first one stays. The kept ones come by descending score; NaN scores last.
std::vector<Detection> suppress_non_maxima(std::vector<Detection> found, double limit);

/// Sorts by descending score, NaN last; equal ones keep their order.
void sort_by_score(std::vector<Detection>& found);

}  // namespace culprit
