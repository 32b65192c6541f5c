#pragma once
// What a variant decides on a whole data set, held against the original, at the level of the runtime at which users run
// both. A decision that rounding alone changes likewise is a tie (rounding_ties.h). Where rounding changes many, as in
// nets that are quantized, the variant is at fault if it changes significantly more (McNemar's test, 1 %): then a tie
// on one sample says little.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/decisions/decision_data.h"
#include "executor/dispatcher.h"
#include "record/warning.h"
#include "stream/run_stream.h"
#include "task/task.h"
#include "trial/reference.h"
#include "trial/variant_run.h"

namespace culprit {

struct ScannedVariant {
  VariantDecisions record;
  std::vector<std::int64_t> beyond;  ///< samples on which it decides otherwise and rounding does not, the surest first
  std::vector<std::int64_t> failed;  ///< samples on which it fails, and the original does not: the first
  std::vector<std::int64_t> worst;   ///< where the task knows no decisions: samples whose numbers are furthest off
};

/// What to say where a data set cannot be looked at as a whole: no reason to say nothing of the model. Errors: the same
/// one, where it is interrupted, io or usage.
Result<Warning> decisions_not_judged(const Error& error);

class DecisionScan {
 public:
  /// `level`: of every run. Samples and outputs lie in `folder` while they are needed. The reference need not live on.
  DecisionScan(Dispatcher& dispatcher, const DecisionData& data, Level level, std::filesystem::path folder,
               std::function<void(std::int64_t done, std::int64_t total)> progress = {});

  /// What is read off the outputs: the task that was named, or that fits what the original gave. Errors: unsupported,
  /// where the named one does not fit.
  Result<void> choose_task(const Reference& reference);
  /// Runs the original and the variant on all samples; where the dispatcher's time is spent before, on those that were
  /// reached, at least one chunk. Errors: interrupted, io, outputs that the task cannot read.
  Result<ScannedVariant> scan(const Reference& reference, const RunnableVariant& variant);

  [[nodiscard]] const std::shared_ptr<const DecisionTask>& task() const { return task_; }

 private:
  [[nodiscard]] Result<StreamReport> stream(const Reference& reference, const std::vector<StreamedModel>& models,
                                            std::vector<std::int64_t> numbers, const Stop& is_time_up);
  [[nodiscard]] std::vector<std::int64_t> order() const;
  Result<void> judge_changes(const Reference& reference, const std::vector<StreamedModel>& models,
                             const StreamedResult& result, const std::vector<std::int64_t>& numbers,
                             ScannedVariant& scanned);
  Result<void> compare_with_draw(const Reference& reference, const StreamedResult& result,
                                 const std::vector<std::int64_t>& numbers, ScannedVariant& scanned);
  [[nodiscard]] StreamedModel original(const Reference& reference, Level level) const;

  Dispatcher& dispatcher_;
  const DecisionData& data_;
  Level level_;
  std::filesystem::path folder_;
  std::function<void(std::int64_t, std::int64_t)> progress_;
  std::shared_ptr<const DecisionTask> task_;
};

}  // namespace culprit
