// The third part of Variants: the round trip as the optimizer exports it, where that leaves out types.
#include "check/variants/distinct_variant.h"
#include "check/variants/variants.h"
#include "trial/exported_form.h"

namespace culprit {

namespace fs = std::filesystem;

void Variants::run_as_exported() {
  const VariantOutcome& trip = round_trip_->outcome;
  if (exported_ || trip.failure.failed() || trip.lost_types.empty()) return;
  exported_ = std::make_unique<DistinctVariant>();
  const auto file = written_as_exported(trip.file);
  if (!file) {
    exported_->result->judgement.evidence = {EvidenceStage::load, EvidenceEnding::machine};
    exported_->result->judgement.message = "it could not be written without these types: " + file.error().text();
    return;
  }
  exported_->made = runnable(*file, trip.interface, Contract::equivalent, by_->reference);
  const fs::path folder = new_folder();
  run_and_judge(dispatcher_, by_->judge, exported_->made, job_for(*exported_->made, by_->reference, folder),
                [this, folder](Judgement judgement, const RunOutcome&) {
                  exported_->result->judgement = std::move(judgement);
                  remove_folder(folder);
                },
                {Priority::round_trip, "round_trip as exported"});
}

/// Where the runtime does not take it as it takes the model, or that could not be told, that is the round trip's own
/// verdict, unless more is wrong with it.
void Variants::say_as_exported() {
  if (exported_ == nullptr || round_trip_->result == exported_->result) return;
  const bool is_worse = round_trip_->result && (faulty(*round_trip_->result) || fails_deployed(*round_trip_));
  Judgement& judgement = exported_->result->judgement;
  const bool is_right = !faulty(*exported_->result) && judgement.verdict != Verdict::inconclusive;
  if (is_worse || is_right) return;
  tell_lost_types(judgement, round_trip_->outcome);
  round_trip_->result = exported_->result;
}

const VariantResult* Variants::as_exported() const { return exported_ ? exported_->result.get() : nullptr; }

const fs::path& Variants::shown_by(const Variant& variant) const {
  return exported_ && variant.result == exported_->result ? exported_->made->file : variant.outcome.file;
}

}  // namespace culprit
