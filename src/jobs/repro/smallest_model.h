#pragma once
// The smallest model that still shows a fault: reduced (room `reduce`), and then checked like any model, with nothing
// but the recipe that breaks it. What that check finds is what goes into the repro, so that nothing is claimed of the
// small model that was seen on the large one only.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executor/phase_clock.h"
#include "reduce/reduced_case.h"
#include "repro/repro_folder.h"
#include "trial/fault_case.h"

namespace culprit {

/// Models with more than this, weights outside included, are not reduced.
constexpr std::uint64_t most_reducible_bytes = std::uint64_t{512} << 20;

struct ReducingTools {
  Executor& executor;
  const OptimizerTraits& optimizer;
  std::filesystem::path folder;           ///< exists; the contents' files lie in it
  std::function<bool()> is_time_up = {};  ///< then the best so far is taken; empty: never
  std::function<void(const CaseSize& left, std::size_t checks)> progress = {};
  PhaseClock* clock = nullptr;  ///< told when it is no longer reduced but checked by itself; null: nobody is
};

struct Smallest {
  std::optional<ReproContents> contents;  ///< nothing: the reduced model is none to show, and `record` says why
  ReductionRecord record;
  /// The fingerprint of the reduced model, 32 hex digits; "" where there is none to show, and where the time was up
  /// before it was the smallest: another time the same fault would end at another model.
  std::string fingerprint;
};

/// Reduces the sample that shows the fault and its model. Not where the fault is one of the round trip, or where
/// each look at it takes a long limit of time. Errors: io, interrupted.
Result<Smallest> smallest_case(const FaultCase& shown, const ReproVersions& versions, const ReducingTools& tools);

}  // namespace culprit
