#pragma once
// Do others give for the model itself what the runtime gives? Where they do not, the reference may be wrong, and what
// is judged by it says little.

#include <vector>

#include "executor/dispatcher.h"
#include "record/warning.h"
#include "record/witnesses.h"
#include "trial/judging.h"
#include "trial/witness.h"

namespace culprit {

struct WitnessesHeard {
  WitnessesRecord record;
  std::vector<Warning> warnings = {};  ///< runtimes_differ, witness_set_aside
};

/// Each runs the first samples, 3 at most and none that was directed, with its optimizations off, and is judged as a
/// variant is: by draws and the tolerance. One that differs, where another agrees with the reference, is set aside.
/// Where others than those differ, the first node at which values part is looked for. ErrorKind::interrupted, io.
Result<WitnessesHeard> ask_witnesses(Dispatcher& dispatcher, Judging& by, const std::vector<Witness>& witnesses,
                                     bool trusts_runtime);

/// Of a model that the runtime refuses: "; onnx.reference 1.22.0 runs it, so the model itself can be run". They run the
/// sample that was refused. "" without witnesses, or where time is up. ErrorKind::interrupted, io.
Result<std::string> who_runs_it(Dispatcher& dispatcher, const std::vector<Witness>& witnesses,
                                const Reference& reference);

}  // namespace culprit
