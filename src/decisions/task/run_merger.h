#pragma once
// The records of all runs and of what was not spilled yet, class by class, each by descending score; equal ones in the
// order of their runs. Private to this room.

#include <optional>
#include <queue>
#include <vector>

#include "task/average_precision.h"

namespace culprit {

/// By class, then by descending score, NaN last.
bool stands_before(const MatchRecord& a, const MatchRecord& b);

class RunMerger {
 public:
  explicit RunMerger(const AveragePrecision& from);
  /// `into` is empty when all have come.
  Result<void> next(std::optional<MatchRecord>& into);

 private:
  /// One run, some thousand records of it in memory.
  struct Source {
    AveragePrecision::Run rest;
    std::vector<MatchRecord> part;
    std::size_t at = 0;
  };
  Result<bool> fill(Source& source);  ///< false: at its end
  [[nodiscard]] bool is_behind(std::size_t a, std::size_t b) const;

  Spill* spill_;
  std::vector<Source> sources_;
  std::vector<std::size_t> heap_;  ///< sources with records, the first one in front
  bool is_started_ = false;
};

}  // namespace culprit
