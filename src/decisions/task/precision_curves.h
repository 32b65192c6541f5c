#pragma once
// The curves of one class, at each threshold, of all samples and of each draw of groups. Private to this room.

#include <array>
#include <cstdint>
#include <vector>

#include "task/average_precision.h"

namespace culprit {

class PrecisionCurves {
 public:
  static constexpr std::size_t recalls = 101;

  /// `parts`: the weights of groups in each draw, and last of all samples; they outlive this. `truths`: boxes that are
  /// there, by group.
  PrecisionCurves(const std::vector<GroupWeights>& parts, const GroupWeights& truths);
  /// The boxes of the class come by descending score.
  void add(const MatchRecord& record);
  [[nodiscard]] bool counts(std::size_t part) const { return truths_[part] > 0; }
  [[nodiscard]] std::int64_t there(std::size_t part) const { return truths_[part]; }
  [[nodiscard]] double precision(std::size_t part, std::size_t threshold) const;
  [[nodiscard]] double recall(std::size_t part, std::size_t threshold) const;

 private:
  struct Curve {
    std::int64_t hits = 0, found = 0;
    std::array<double, recalls> best{};  ///< precision, by the largest of the 101 recalls that is reached
  };
  const std::vector<GroupWeights>& parts_;
  std::vector<std::int64_t> truths_;  ///< of each part
  std::vector<Curve> curves_;         ///< part by part
};

}  // namespace culprit
