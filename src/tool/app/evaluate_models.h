#pragma once
// `eval` as a library: what models decide on a data set.

#include <functional>

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "record/evaluation.h"
#include "record/told_decision.h"

namespace culprit {

struct EvaluateAnswer {
  EvaluationReport report;
  RunFolder folder;  ///< whoever asked finishes it with the report
};

/// Who wants every decision of every sample, while they are made.
struct DecisionListener {
  /// Before the first, when all models could be read and there are data. Empty: nothing is to be done.
  std::function<Result<void>()> begin = {};
  std::function<Result<void>(const ToldSample& sample)> told = {};
  /// After the last one, also where the evaluation failed.
  std::function<Result<void>()> end = {};
};

/// Errors: those of reading the models and of `evaluate`, and what the listener says.
Result<EvaluateAnswer> evaluate_models(const EvaluateRequest& request, const Caller& caller,
                                       const DecisionListener& decisions = {});

}  // namespace culprit
