#pragma once
// Which found box stands for which that is there, as COCO does it (pycocotools/cocoeval.py, evaluateImg; T.-Y. Lin et
// al., "Microsoft COCO", 2014): by descending score each takes, of the free boxes of its class, the one it overlaps
// best, if by the threshold or more. Asked at ten thresholds, 0.5 to 0.95.

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "task/boxes.h"

namespace culprit {

inline constexpr std::size_t iou_thresholds = 10;
/// numpy.linspace(0.5, 0.95, 10), to the bit.
double iou_threshold(std::size_t number);
inline constexpr std::size_t at_50 = 0, at_75 = 5, at_90 = 8;

struct MatchOptions {
  std::size_t most_boxes = 0;  ///< of each class on one picture, those with the best scores; 0: all. COCO takes 100
  double least_area = 0;       ///< what is there and smaller or larger is ignored
  double most_area = std::numeric_limits<double>::infinity();
};

/// One found box. Bit t of a mask belongs to threshold t.
struct BoxMatch {
  double score = 0;
  std::int64_t label = 0;
  std::uint16_t matched = 0, ignored = 0;
  std::array<std::int32_t, iou_thresholds> truth = {};  ///< place in `there` of its partner; -1: none
  std::size_t place = 0;                                ///< its own, in `found`
};

struct SampleMatches {
  std::vector<BoxMatch> boxes;                  ///< class by class, each by descending score
  std::map<std::int64_t, std::int64_t> truths;  ///< boxes that are there and count, by class; 0 where all are ignored

  [[nodiscard]] std::int64_t hits(std::size_t threshold) const;   ///< found and there
  [[nodiscard]] std::int64_t found(std::size_t threshold) const;  ///< that count: hits and false ones
  [[nodiscard]] std::int64_t there() const;
};

SampleMatches match_boxes(std::span<const Detection> found, std::span<const TruthBox> there,
                          const MatchOptions& options = {});

/// What one model found as what is there, for another: by ascending score, for of boxes that are overlapped equally the
/// last one is taken, and it is to be the surest.
std::vector<TruthBox> as_truth(std::span<const Detection> found);
/// The boxes themselves in that order.
std::vector<Detection> by_ascending_score(std::span<const Detection> found);

/// For each box that is there the best overlap with one found of its class, on average; crowds and ignored ones left
/// out. Nothing there: 1 if nothing was found, else 0.
double mean_best_iou(std::span<const Detection> found, std::span<const TruthBox> there);

/// Kendall's tau-b between the scores of boxes that stand for each other at 0.5, of the 1,000 surest ones. One pair: 1.
/// None: 1 where neither found anything, else 0.
double score_rank_agreement(std::span<const Detection> reference, std::span<const Detection> variant);

}  // namespace culprit
