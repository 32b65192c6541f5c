#pragma once
// `culprit compare --data`: what A and B decide on all of the data.

#include <filesystem>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/decisions/decision_data.h"
#include "executor/dispatcher.h"
#include "record/comparison.h"
#include "trial/reference.h"

namespace culprit {

struct BothDecide {
  Dispatcher& dispatcher;
  const Reference& reference;  ///< of A
  const Model& b;
  const std::vector<std::string>& map;  ///< --map
  const DecisionData& data;
  Level level = Level::all;  ///< of both
  std::filesystem::path work;
  const Progress& progress;
};

/// Fills in `decisions`. Where B decides otherwise on samples and rounding does not, there is a warning, and the two
/// part, if the rule of `check` says so of these samples; where it cannot be said, a warning says why. Errors: usage,
/// interrupted, io.
Result<void> decide_on_all(const BothDecide& both, CompareReport& report);

}  // namespace culprit
