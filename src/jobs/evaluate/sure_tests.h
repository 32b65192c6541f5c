#pragma once
// Is it sure how many decisions of each row agree with those of the first (statistics/sequential_ratio.h)?

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "record/evaluation.h"
#include "statistics/sequential_ratio.h"
#include "task/task.h"

namespace culprit {

class SureTests {
 public:
  /// `sure_of`: as EvaluateOptions has it. One test for each row behind the first; none where nobody asked.
  /// ErrorKind::usage where there is nothing to ask.
  static Result<SureTests> of(std::pair<double, double> sure_of, std::size_t rows, const DecisionTask& task);

  [[nodiscard]] bool is_asked() const { return !tests_.empty(); }
  /// Does this row decide otherwise on the next sample? True when all are sure.
  bool add(std::size_t row, bool is_changed);
  /// Absent of the first row, and where nobody asked.
  [[nodiscard]] std::optional<SureEnough> of_row(std::size_t row) const;

 private:
  std::vector<std::pair<SequentialTest, SureEnough>> tests_;
};

}  // namespace culprit
