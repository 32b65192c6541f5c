#pragma once
// What each row of an evaluation decides, class by class, as samples are told.

#include <vector>

#include "record/evaluation.h"
#include "record/told_decision.h"

namespace culprit {

class DecidedClasses {
 public:
  DecidedClasses() = default;
  explicit DecidedClasses(std::size_t rows) : classes_(rows), became_(rows) {}
  void add(const ToldSample& sample);
  void move_to(EvaluatedModel& evaluated, std::size_t row);

 private:
  std::vector<ClassResults> classes_;  ///< against the labels
  std::vector<ClassResults> became_;   ///< against what the first row decides
};

}  // namespace culprit
