#pragma once
// The control `repeat`: the reference again, in a fresh process, must give the same bits.

#include <functional>
#include <optional>

#include "check/basis.h"
#include "check/desk.h"

namespace culprit {

struct RepeatResult {
  ControlRecord record;
  bool repeats = false;
};

/// Asks for the run; `then` is called when it is judged. At most 8 samples are repeated (DESIGN section 8).
void run_repeat_control(Desk& desk, const Basis& basis, std::function<void(RepeatResult)> then);

/// Operators of the model that draw random numbers without a seed, subgraphs and functions included: "RandomNormal
/// 'noise'", "Dropout 'drop' in training mode".
std::vector<std::string> unseeded_random_ops(const Model& model);

}  // namespace culprit
