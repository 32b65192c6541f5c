#pragma once
// Vectors of one model against what is known of them: labels (do they lie next to those of their kind?) and pairs (do
// two stand for the same thing?).

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/state_bytes.h"
#include "record/decisions.h"
#include "task/spill.h"
#include "task/task.h"
#include "task/task_settings.h"

namespace culprit {

/// Vectors go to the spill. Of those with labels the samples with the smallest numbers are compared, so that no more
/// fit into the memory at the end; of pairs all.
class VectorTruth {
 public:
  static constexpr std::int64_t most_retrieved = 4096;
  static constexpr std::size_t most_retrieved_numbers = std::size_t{1} << 23;

  VectorTruth(const TaskSettings& settings, std::unique_ptr<Spill> spill);
  Result<void> add(std::int64_t sample, const Truth* truth, std::span<const double> vector);
  Result<void> write(StateWriter& state) const;
  Result<void> merge(StateReader& state);
  /// Metrics of the variant against labels, and of how many samples something is known.
  Result<void> fill(DecisionRecord& record, std::uint64_t seed) const;

 private:
  struct Place {
    std::uint64_t offset = 0, numbers = 0;
    std::string label;  ///< "" where nobody knows
  };
  Result<void> keep(std::int64_t sample, const std::string& label, std::span<const float> vector);
  [[nodiscard]] Result<std::vector<float>> vector_at(const Place& place) const;
  Result<void> fill_retrieval(DecisionRecord& record, std::uint64_t seed) const;
  Result<void> fill_verification(DecisionRecord& record, std::uint64_t seed) const;

  const TaskSettings& settings_;
  std::unique_ptr<Spill> spill_;
  std::string in_memory_;  ///< without a spill
  std::uint64_t size_ = 0;
  std::set<std::int64_t> paired_;         ///< samples that are in a pair
  std::map<std::int64_t, Place> places_;  ///< by sample
};

}  // namespace culprit
