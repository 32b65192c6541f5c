#pragma once
// Tells where the time of a check goes: one record a phase.

#include <string_view>

#include "record/costs.h"

namespace culprit {

/// What a check does, one after the other (docs/architecture.md, "The way of a check"). `variants` is making, running
/// and judging them, which go on beside each other.
enum class Phase {
  reference,
  variants,
  confirming,
  inside,
  explaining,
  witnesses,
  rewrites,
  opinions,
  divergence,
  reducing,
  repro,
  delivering,
};
std::string_view name_of(Phase phase);

/// What one of them took.
struct PhaseRecord {
  Phase phase = Phase::reference;
  double seconds = 0;       ///< that went by
  double seconds_here = 0;  ///< of CPU time of culprit itself, without its workers: planning, comparing, judging
  Spent spent;              ///< by workers
  Counts counts;            ///< of what was asked of them
};

}  // namespace culprit
