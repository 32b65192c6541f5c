#pragma once
// The warning that rounding may hide faults: of outputs that it may move further than the tolerance.

#include <map>
#include <optional>
#include <string>

#include "judge/judge.h"
#include "record/warning.h"

namespace culprit {

/// Counts an output's elements, and those of them that rounding may move further than the tolerance.
struct Hidden {
  std::int64_t elements = 0, hidden = 0;
  void add(const Tensor& reference, const Explained& explained, const Tolerance& tolerance);
};

/// `floor_hides`, where that is a tenth of an output's elements. Nothing where no output is so.
std::optional<Warning> floor_hides(const std::map<std::string, Hidden>& by_output);

}  // namespace culprit
