#pragma once
// What the comparators of all tasks have in common: who writes a task begins with one of these.

#include <array>
#include <memory>

#include "statistics/sample_values.h"
#include "task/decision_tally.h"

namespace culprit {

inline MetricRecord record_of(const Estimate& estimate) { return {estimate.value, estimate.low, estimate.high}; }

/// A place for records; null: the memory.
Result<std::unique_ptr<Spill>> one_spill(const ComparatorOptions& options);
/// Opens what the records of three comparisons go into (of the two models, and of either with the truth); null: into
/// the memory.
Result<std::array<std::unique_ptr<Spill>, 3>> three_spills(const ComparatorOptions& options);

/// Who is right where the two give another answer: once for each sample whose truth is known.
void count_label_change(LabelChanges& changes, bool was_right, bool is_right, bool is_same);
void write_label_changes(StateWriter& state, const LabelChanges& changes);
/// Adds the counts that were written.
void merge_label_changes(StateReader& state, LabelChanges& changes);

/// Counts what changes, and hands the rest to the task's own part. The task must outlive it.
class TallyingComparator : public Comparator {
 public:
  TallyingComparator(const DecisionTask& task, std::uint64_t seed) : task_(task), seed_(seed) {}
  Result<void> add(const SampleOutputs& sample) override;
  [[nodiscard]] Result<std::string> state() const override;
  Result<void> merge(std::string_view later) override;
  [[nodiscard]] Result<DecisionRecord> result() const override;
  [[nodiscard]] std::vector<std::int64_t> changed() const override;

 protected:
  /// What changes on this sample; what else is measured on it, the part keeps.
  virtual Result<DecisionChange> look_at(const SampleOutputs& sample) = 0;
  virtual Result<void> write(StateWriter& state) const = 0;
  virtual Result<void> read_and_merge(StateReader& state) = 0;
  virtual Result<void> fill(DecisionRecord& record) const = 0;
  [[nodiscard]] const DecisionTask& task() const { return task_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  const DecisionTask& task_;
  std::uint64_t seed_;
  DecisionTally tally_;
};

/// Decides for both models, and measures how the decisions differ.
class TaskComparator : public TallyingComparator {
 public:
  using TallyingComparator::TallyingComparator;

 protected:
  Result<DecisionChange> look_at(const SampleOutputs& sample) override;
  virtual Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) = 0;
};

}  // namespace culprit
