#pragma once
// What shows a fault, found in a finished check: the recipe, the sample, what it was judged by. For whoever keeps it,
// before samples and outputs go.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/executor.h"
#include "judge/judge.h"
#include "model/model.h"
#include "optimizer/optimizer.h"
#include "record/evidence.h"
#include "record/fault_record.h"
#include "record/measurement.h"
#include "trial/check_options.h"

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

/// What was kept of a fault.
struct KeptFault {
  std::string repro;                            ///< what the report names as its `repro`; "" where nothing was kept
  std::optional<Attribution> attribution = {};  ///< by a second opinion; absent where there was none
  std::vector<AttributionCell> evidence = {};   ///< for that
  std::optional<ReductionRecord> reduced = {};  ///< absent where nobody asked for it
  std::string reduced_fingerprint = {};         ///< 32 hex digits; "" where it was not reduced
  std::optional<DivergenceRecord> first_divergence = {};
  std::string first_divergence_message = {};  ///< why it is absent, where it was looked for
};
/// Keeps what shows a fault.
using KeepFault = std::function<Result<KeptFault>(const FaultCase& shown)>;

}  // namespace culprit
