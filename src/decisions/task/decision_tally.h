#pragma once
// What all comparators count: samples, changed ones, the ten worst. Private to this room.

#include <deque>
#include <vector>

#include "base/state_bytes.h"
#include "task/task.h"

namespace culprit {

class DecisionTally {
 public:
  static constexpr std::size_t most_worst = 10;

  void add(std::int64_t sample, const DecisionChange& change);
  void merge(const DecisionTally& later);
  void write(StateWriter& state) const;
  static DecisionTally read(StateReader& state);
  void fill(DecisionRecord& record) const;
  [[nodiscard]] const std::deque<std::int64_t>& changed() const { return changed_; }

 private:
  void keep_worst();

  std::int64_t samples_ = 0, undecided_ = 0, empty_ = 0;
  std::deque<std::int64_t> changed_;
  std::vector<WorstDecision> worst_;
};

}  // namespace culprit
