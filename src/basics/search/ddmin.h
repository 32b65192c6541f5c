#pragma once
// Minimal failing sublists, keeping order: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
// IEEE TSE 28(2), 2002. Pure: knows nothing of models.

#include <cstddef>
#include <functional>
#include <vector>

namespace culprit {

/// Indices of the kept elements, ascending -> does the failure still show?
using Subset = std::vector<std::size_t>;
using FailsWith = std::function<bool(const Subset&)>;

struct DdminResult {
  Subset minimal;  ///< 1-minimal: without any one of its elements the failure is gone; empty if nothing is needed
  std::size_t checks = 0;   ///< distinct subsets that were asked for (answers are remembered)
  bool reproduced = false;  ///< false: the whole list does not fail, and `minimal` is empty
  bool complete = false;    ///< false: `max_checks` ran out and `minimal` is the best so far
};

DdminResult ddmin(std::size_t count, const FailsWith& fails, std::size_t max_checks = 10'000);

}  // namespace culprit
