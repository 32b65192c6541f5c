#pragma once
// Average precision over many samples, exact and in little memory. Formulas: pycocotools/cocoeval.py, accumulate: for
// each class, over all boxes by descending score, precision at 101 recalls, each the best at that recall or beyond;
// their mean over recalls, classes and thresholds. M. Everingham et al., "The PASCAL visual object classes challenge",
// IJCV 2010; T.-Y. Lin et al. 2014.
//
// Of each found box 16 bytes are kept. Where there is a spill they go there in sorted runs of 1 MiB, and are merged
// when the result is asked for. Boxes of one score stay in the order of their samples, so that neither runs nor merging
// change a bit.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/state_bytes.h"
#include "record/score_curve.h"
#include "statistics/group_bootstrap.h"
#include "task/detection_match.h"
#include "task/spill.h"

namespace culprit {

/// A class of boxes is a number from 0 on and below this. What is none gets one of the two negative ones, so that a
/// box of a model which has no class is a wrong one, and one of the labels is never found.
inline constexpr std::int64_t end_of_classes = 65536, no_class_of_model = -1, no_class_of_label = -2;
inline bool is_class(std::int64_t label) { return label >= 0 && label < end_of_classes; }

struct MatchRecord {
  double score = 0;
  std::int32_t label = 0;
  std::uint32_t flags = 0;  ///< bits 0-9: matched at that threshold, 10-19: ignored, 20-24: group of its sample
                            ///< (statistics/group_bootstrap.h)
};
static_assert(sizeof(MatchRecord) == 16);

/// The precision of one class over all samples.
struct ClassPrecision {
  std::int32_t label = 0;
  std::int64_t there = 0;  ///< boxes that count
  double ap_50 = 0, ap_75 = 0, ap_50_95 = 0, recall = 0;
};

/// Absent where no box is there that counts (pycocotools: -1).
struct PrecisionResult {
  std::optional<Estimate> ap_50, ap_75, ap_90, ap_50_95;  ///< intervals: the bootstrap of groups
  std::optional<Estimate> recall;                         ///< AR: of all found boxes, mean over thresholds and classes
  std::array<double, iou_thresholds> ap_at{}, recall_at{};  ///< means over classes; 0 where absent
  std::vector<ClassPrecision> classes;                      ///< those that are there, by their numbers
};

/// What the steps of one class come to over all samples.
struct ClassSteps {
  std::int32_t label = 0;
  std::int64_t there = 0;
  double precision = 0;
  std::optional<double> area;  ///< absent where all are there
};

/// What scores tell at every threshold.
struct StepsResult {
  /// At each score the precision times what of the recall it brings (sklearn.metrics.average_precision_score), mean
  /// over the classes that are there. Absent where none is.
  std::optional<Estimate> precision;
  /// The area below the ROC (sklearn.metrics.roc_auc_score), mean over the classes that are there, but not always.
  std::optional<Estimate> area;
  std::vector<ClassSteps> classes;  ///< those that are there, by their numbers
  ScoreCurve curve;                 ///< the mean over those that the area is of
};

class AveragePrecision {
 public:
  static constexpr std::size_t run_length = std::size_t{1} << 16;
  static constexpr std::size_t most_classes = end_of_classes + 2;  ///< and the two that are none

  explicit AveragePrecision(std::unique_ptr<Spill> spill = nullptr) : spill_(std::move(spill)) {}
  /// Classes that are no 32-bit numbers, or too many of them, are ErrorKind::bad_input; a full disk ErrorKind::io.
  Result<void> add(std::int64_t sample, const SampleMatches& matches);
  Result<void> write(StateWriter& state) const;
  /// Appends what another one wrote of the samples behind these.
  Result<void> merge(StateReader& state);
  /// `seed`: of the intervals.
  [[nodiscard]] Result<PrecisionResult> result(std::uint64_t seed = 1) const;
  /// Takes the matches at the first threshold. What was not found must be there, too, as a record of a low score.
  [[nodiscard]] Result<StepsResult> by_steps(std::uint64_t seed = 1) const;

 private:
  struct Run {
    std::uint64_t offset = 0, count = 0;
  };
  friend class RunMerger;

  Result<void> put(const MatchRecord& record);
  Result<void> add_truths(std::int64_t label, std::size_t group, std::int64_t count);

  std::unique_ptr<Spill> spill_;
  std::vector<MatchRecord> recent_;  ///< in sample order; without a spill all of them
  std::vector<Run> runs_;            ///< in the spill, each sorted
  std::map<std::int32_t, GroupWeights> truths_;
  std::map<std::int32_t, std::int64_t> records_;  ///< of each class
  std::uint32_t groups_ = 0;                      ///< those that have samples, a bit for each
  std::int64_t samples_ = 0;                      ///< with boxes, found or there
};

}  // namespace culprit
