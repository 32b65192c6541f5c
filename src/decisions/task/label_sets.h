#pragma once
// Sets of classes of which several may be right at once, held against sets that are right.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/state_bytes.h"
#include "statistics/group_bootstrap.h"
#include "statistics/sample_values.h"

namespace culprit {

/// Counts of each class, and of sets that are the same. Whole numbers, so that samples can be added in any grouping.
class LabelSetCounts {
 public:
  static constexpr std::size_t most_classes = 65536;

  /// Classes in ascending order; those from `most_classes` on count as one.
  void add(std::int64_t sample, std::span<const std::int64_t> given, std::span<const std::int64_t> right);
  void merge(const LabelSetCounts& later);
  void write(StateWriter& state) const;
  static LabelSetCounts read(StateReader& state);

  struct ClassCount {
    std::int64_t label = 0, hits = 0, given = 0, right = 0;
  };
  [[nodiscard]] std::vector<ClassCount> classes() const;  ///< by their numbers

  [[nodiscard]] std::int64_t sets() const { return sets_; }
  /// Share of sets that are the same (sklearn.metrics.accuracy_score of rows of 0 and 1).
  [[nodiscard]] Estimate exact_match() const { return rate_of(static_cast<double>(same_), sets_); }
  /// 2 hits / (given + right) of all classes together (f1_score, average="micro"); 1 where there are none.
  [[nodiscard]] Estimate f1_micro(std::uint64_t seed) const;
  /// The mean of that over the classes that are anywhere (average="macro"); 1 where there are none.
  [[nodiscard]] Estimate f1_macro(std::uint64_t seed) const;

 private:
  struct Count {
    std::int64_t hits = 0, given = 0, right = 0;
  };
  using ByGroup = std::array<Count, sample_groups>;
  using Classes = std::map<std::int64_t, ByGroup>;

  template <class Value>
  [[nodiscard]] Estimate over_groups(std::uint64_t seed, const Value& value) const;
  static double micro_of(const std::vector<Count>& counts);
  static double macro_of(const std::vector<Count>& counts);

  Classes classes_;
  std::uint32_t groups_ = 0;  ///< those that have samples, a bit for each
  std::int64_t sets_ = 0, same_ = 0;
};

}  // namespace culprit
