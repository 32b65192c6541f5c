#pragma once
// The data set that --data names, whole, as a check is given it: variants are judged by their numbers on a few of its
// samples, and by what they decide on all of them.

#include <cstdint>
#include <string>
#include <vector>

#include "data/sample_source.h"
#include "task/task_settings.h"

namespace culprit {

struct DecisionData {
  const SampleSource& source;         ///< outlives the check
  std::vector<std::int64_t> numbers;  ///< of its samples, those that count, in order
  std::string task = {};              ///< --task; "" or "auto": the one that fits the outputs
  TaskSettings settings = {};
  std::size_t places = 2;  ///< runs at once
  /// Samples on which what an earlier check called safe decides otherwise: what is safe must stay right on them, too.
  std::vector<std::int64_t> telling = {};
};

}  // namespace culprit
