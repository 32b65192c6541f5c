#include "trial/evidence.h"

namespace culprit {
namespace {

/// As in the schema of the report.
const char* word_of(const Failure& failure) {
  if (failure.skipped) return "skipped";
  if (failure.machine) return "machine";
  switch (failure.ending) {
    case Ending::threw:
      return "threw";
    case Ending::crashed:
      return "crashed";
    case Ending::exited:
      return "exited";
    case Ending::timed_out:
      return "timed_out";
    case Ending::out_of_memory:
      return "out_of_memory";
    case Ending::ok:
      break;
  }
  return "";
}

}  // namespace

Evidence evidence_of_making(const Failure& failure, const char* stage) { return {stage, word_of(failure)}; }

Evidence evidence_of_running(const RunOutcome& outcome) {
  // A worker that could not even start says nothing about the model.
  if (outcome.stage == RunOutcome::Stage::start) return {"load", "machine"};
  return {outcome.stage == RunOutcome::Stage::load ? "load" : "run", word_of(outcome.failure)};
}

Verdict verdict_of(const Evidence& evidence) {
  if (evidence.stage.empty()) return Verdict::equivalent;
  if (evidence.ending == "machine" || evidence.ending == "skipped") return Verdict::inconclusive;
  if (evidence.ending == "timed_out") return Verdict::timed_out;
  if (evidence.ending == "out_of_memory") return Verdict::out_of_memory;
  if (evidence.stage == "checker") return Verdict::rejected;
  if (evidence.stage == "interface") return Verdict::interface_changed;
  if (evidence.stage == "import" || evidence.stage == "optimize") return Verdict::optimizer_crashed;
  return evidence.stage == "load" && evidence.ending == "threw" ? Verdict::rejected : Verdict::run_failed;
}

bool may_be_pressure(Verdict verdict) {
  return verdict == Verdict::timed_out || verdict == Verdict::out_of_memory || verdict == Verdict::run_failed ||
         verdict == Verdict::optimizer_crashed;
}

}  // namespace culprit
