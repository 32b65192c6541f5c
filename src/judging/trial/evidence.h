#pragma once
// What a verdict rests on where nothing was measured. All such verdicts are made here, from what stands in the report:
// so they can be made again from report.json alone.

#include "executor/executor.h"
#include "record/evidence.h"

namespace culprit {

/// The evidence where making a variant failed, or the import before it.
Evidence evidence_of_making(const Failure& failure, EvidenceStage stage = EvidenceStage::optimize);
/// The evidence where a run failed: at the stage `load` or `run`.
Evidence evidence_of_running(const RunOutcome& outcome);

/// The verdict on a variant whose making or run ended like this. The machine's failures, and what was skipped, are
/// `inconclusive`, limits `timed_out` and `out_of_memory`, whatever the stage. A refusal is `rejected` by the checker
/// and `interface_changed` at the interface. In the optimizer all else is `optimizer_crashed`. A loader that throws
/// refuses in words: `rejected`; one that dies has been killed by the variant: `run_failed`, as is everything while
/// running. No evidence at all: `equivalent`, for then measurements decide, and where there are none either nothing
/// spoke against it.
Verdict verdict_of(const Evidence& evidence);

/// May such a failure come from work that runs beside it? Then it is confirmed alone.
bool may_be_pressure(Verdict verdict);

}  // namespace culprit
