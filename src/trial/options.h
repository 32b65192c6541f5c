#pragma once
// How variants are made, run and judged.

#include <string>

#include "executor/executor.h"
#include "judge/judge.h"

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
};

}  // namespace culprit
