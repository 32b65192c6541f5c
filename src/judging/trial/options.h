#pragma once
// Which variants are made, and how they are made, run and judged.

#include <string>
#include <vector>

#include "executor/executor.h"
#include "judge/judge.h"
#include "optimizer/optimizer.h"

namespace culprit {

struct TrialOptions {
  std::string optimizer = "onnx_optimizer";
  CommandSpecPtr program = nullptr;  ///< where the optimizer is one
  bool works_in_forks = false;       ///< the optimizer, as OptimizeJob has it
  SessionOptions session;            ///< threads, custom operators; its level is set by whoever runs
  Tolerance tolerance;
  bool strict = false;              ///< `deviates` is a fault
  int draws = 27;                   ///< of a sample that differs, at most (judge/draw_need.h); 0: none
  int confirmations = 2;            ///< fresh processes that must show a failure again before it is blamed on anything
  Level deploy_level = Level::all;  ///< where variants are run as well, as users run them; off: nowhere
  Limits limits;
  /// The user gave `limits.cpu_seconds`: no step may take longer. Else variants may take as long as the original's pace
  /// allows (executor/step_limits.h).
  bool time_is_given = false;
  std::vector<std::string> places = {};  ///< that messages name: the run's folder, the model, the folder of that
};

/// Which variants: of these, and of the optimizer's traits, a plan is made (trial/plan.h).
struct PlanOptions : TrialOptions {
  std::vector<std::string> recipe;                    ///< --passes: one ordered recipe, instead of the default plan
  std::vector<std::string> each;                      ///< --each: these alone, instead of the default plan
  bool all_passes = false;                            ///< also those outside the bundle, alone
  bool only_bundle = false;                           ///< what users run, and nothing else, instead of the default plan
  std::vector<std::vector<std::string>> orders = {};  ///< --steps: these ordered recipes, instead of the default plan
  Repeat repeat = Repeat::once;
};

}  // namespace culprit
