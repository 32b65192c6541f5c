#include "trial/evidence.h"

namespace culprit {
namespace {

EvidenceEnding ending_of(const Failure& failure) {
  if (failure.skipped) return EvidenceEnding::skipped;
  if (failure.machine) return EvidenceEnding::machine;
  switch (failure.ending) {
    case Ending::threw:
      return EvidenceEnding::threw;
    case Ending::crashed:
      return EvidenceEnding::crashed;
    case Ending::exited:
      return EvidenceEnding::exited;
    case Ending::timed_out:
      return EvidenceEnding::timed_out;
    case Ending::out_of_memory:
      return EvidenceEnding::out_of_memory;
    case Ending::ok:
      break;
  }
  return EvidenceEnding::none;
}

}  // namespace

Evidence evidence_of_making(const Failure& failure, EvidenceStage stage) { return {stage, ending_of(failure)}; }

Evidence evidence_of_running(const RunOutcome& outcome) {
  // A worker that could not even start says nothing about the model.
  if (outcome.stage == RunOutcome::Stage::start) return {EvidenceStage::load, EvidenceEnding::machine};
  const bool at_load = outcome.stage == RunOutcome::Stage::load;
  return {at_load ? EvidenceStage::load : EvidenceStage::run, ending_of(outcome.failure)};
}

Verdict verdict_of(const Evidence& evidence) {
  using Stage = EvidenceStage;
  const EvidenceEnding ending = evidence.ending;
  if (evidence.stage == Stage::none) return Verdict::equivalent;
  if (ending == EvidenceEnding::machine || ending == EvidenceEnding::skipped) return Verdict::inconclusive;
  if (ending == EvidenceEnding::timed_out) return Verdict::timed_out;
  if (ending == EvidenceEnding::out_of_memory) return Verdict::out_of_memory;
  switch (evidence.stage) {
    case Stage::checker:
      return Verdict::rejected;
    case Stage::interface:
      return Verdict::interface_changed;
    case Stage::import:
    case Stage::optimize:
      return Verdict::optimizer_crashed;
    case Stage::load:
      return ending == EvidenceEnding::threw ? Verdict::rejected : Verdict::run_failed;
    default:
      return Verdict::run_failed;
  }
}

bool may_be_pressure(Verdict verdict) {
  return verdict == Verdict::timed_out || verdict == Verdict::out_of_memory || verdict == Verdict::run_failed ||
         verdict == Verdict::optimizer_crashed;
}

}  // namespace culprit
