#pragma once
// The curves of one class, at each threshold, of all samples and of all but one group. Private to this room.

#include <array>
#include <cstdint>
#include <vector>

#include "task/average_precision.h"

namespace culprit {

class PrecisionCurves {
 public:
  static constexpr std::size_t parts = AveragePrecision::groups + 1;  ///< the last one: all samples
  static constexpr std::size_t recalls = 101;

  /// Boxes that are there, by group.
  explicit PrecisionCurves(const std::array<std::int64_t, AveragePrecision::groups>& truths);
  /// The boxes of the class come by descending score.
  void add(const MatchRecord& record);
  [[nodiscard]] bool counts(std::size_t part) const { return truths_[part] > 0; }
  [[nodiscard]] double precision(std::size_t part, std::size_t threshold) const;
  [[nodiscard]] double recall(std::size_t part, std::size_t threshold) const;

 private:
  struct Curve {
    std::int64_t hits = 0, found = 0;
    std::array<double, recalls> best{};  ///< precision, by the largest of the 101 recalls that is reached
  };
  std::array<std::int64_t, parts> truths_{};
  std::vector<Curve> curves_;  ///< part by part
};

}  // namespace culprit
