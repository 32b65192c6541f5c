#pragma once
// What stands between making variants and judging them: the final samples, and the controls of the original on them,
// which are the repeat and the original at the deploy level. It is found out while variants are made.

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "baseline/directed/directed_samples.h"
#include "baseline/repeat_control.h"
#include "check/variants/variant_runs.h"
#include "record/report.h"
#include "trial/judging.h"

namespace culprit {

/// What it finds out of the original it writes into the report: the control, the directions, whether the model repeats.
class ControlledRuns {
 public:
  ControlledRuns(MadeVariants& made, ModelReport& report) : made_(made), report_(report) {}
  ControlledRuns(const ControlledRuns&) = delete;
  ControlledRuns& operator=(const ControlledRuns&) = delete;

  /// Starts with these samples, which are the final ones from here on. When both controls have come and went well,
  /// VariantRuns are made, with what they need.
  void start(Reference reference, std::optional<std::size_t> needed = {});
  /// Starts with some of these samples directed at the places that the handler is told; for MadeVariants::make.
  OnPlaces start_directed(Reference plain);

  /// An error where the machine failed, so that nothing can be said.
  [[nodiscard]] const Result<void>& machine() const { return machine_; }
  /// Null until the controls have come.
  [[nodiscard]] VariantRuns* runs() const { return runs_.get(); }

 private:
  void take_repeat(Result<RepeatResult> repeat);
  void control_came();

  MadeVariants& made_;
  ModelReport& report_;
  std::optional<std::size_t> needed_;
  std::unique_ptr<Directed> directed_;  // absent where nothing is
  std::unique_ptr<Judging> by_;         // absent until the samples are the final ones
  std::unique_ptr<VariantRuns> runs_;
  Result<void> machine_;
  int awaited_ = 2;  // controls
};

}  // namespace culprit
