#pragma once
// What two models decide on all of the data: for `culprit compare --data` and `culprit diagnose --data`.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/decisions/decision_data.h"
#include "executor/dispatcher.h"
#include "record/warning.h"
#include "trial/reference.h"
#include "trial/variant_run.h"

namespace culprit {

struct BothDecide {
  Dispatcher& dispatcher;
  const Reference& reference;       ///< of the first
  Result<RunnablePtr> other;        ///< bound to it, or why it cannot be
  std::string name, name_of_other;  ///< for people: "A", "B"
  const DecisionData& data;
  Level level = Level::all;  ///< of both
  /// Is another decision a reason to call them apart? False where they are called so already.
  bool is_judged = true;
  std::filesystem::path work;
  const Progress& progress;
};

struct DecidedOnAll {
  std::optional<VariantDecisions> decisions;
  std::vector<Warning> warnings;           ///< among them other_decisions, where they differ and rounding does not
  std::vector<std::int64_t> telling = {};  ///< samples of the data that show it, at most 6
  std::string apart;                       ///< why they part, if the rule of `check` says so of these samples; else ""
};

/// A warning says why, if it cannot be told what they decide. Errors: usage, interrupted, io.
Result<DecidedOnAll> decide_on_all(const BothDecide& both);

/// B, bound to A as `compare` binds them; numbers of B's outputs get A's type. Errors: of the binding; unsupported,
/// where an output of A stands for none of B.
Result<RunnablePtr> bound_to(const Model& a, const Model& b, const std::vector<std::string>& map);

}  // namespace culprit
