#pragma once
// What shows a fault, found in a finished check: the recipe, the sample, what it was judged by. For whoever keeps it,
// before samples and outputs go.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "check/check.h"
#include "judge/judge.h"

namespace culprit {

struct FaultCase {
  const Model& model;
  const CheckOptions& options;
  const FaultRecord& fault;
  Recipe recipe;  ///< that shows it; no passes: the round trip
  Contract contract = Contract::equivalent;
  SessionOptions session;  ///< where it fails
  std::string reference_level;
  std::filesystem::path variant;   ///< that failed; "" where none was made
  std::filesystem::path inputs;    ///< pack: the first sample that shows it, or the first one
  std::filesystem::path expected;  ///< pack: the original's outputs on it, at the reference's level
  Evidence evidence;
  Measurements measurements;                   ///< the worst over all samples, by label
  std::map<std::string, Explained> explained;  ///< by label: what rounding explains on that sample
  std::string runtime;                         ///< its version
  std::string confirmed;                       ///< "2/2"; "" where nothing was asked for
  bool is_other_decision = false;  ///< no number is beyond the tolerance; what is decided is all that differs
};

/// Is it a fault of values, of a variant that can be run again beside the original on a sample that shows it?
inline bool has_values(const FaultCase& shown) {
  const bool is_of_values = shown.fault.verdict == Verdict::diverged && shown.contract != Contract::partition;
  return is_of_values && !shown.variant.empty() && !shown.inputs.empty() && !shown.expected.empty();
}

}  // namespace culprit
