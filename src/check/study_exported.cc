// The third part of a study: the round trip as the optimizer exports it, where that leaves out types.
#include "check/exported_form.h"
#include "check/study.h"
#include "check/study_content.h"

namespace culprit {

namespace fs = std::filesystem;

void Study::run_as_exported() {
  const VariantOutcome& trip = round_trip_->outcome;
  if (exported_ || trip.failure.failed() || lost_types_of(trip) == nullptr) return;
  exported_ = std::make_unique<Content>();
  const auto file = written_as_exported(trip.file);
  if (!file) {
    exported_->finding->judgement.evidence = {"load", "machine"};
    exported_->finding->judgement.message = "it could not be written without these types: " + file.error().text();
    return;
  }
  exported_->file = *file;
  describe(*exported_, trip.interface, Contract::equivalent);
  RunJob job = run_job(*exported_, new_folder());
  desk_.run(job,
            [this, folder = job.folder](const RunOutcome& outcome) {
              judge_.judge(outcome, exported_->binding, exported_->contract, [this, folder](Judgement judgement) {
                exported_->finding->judgement = std::move(judgement);
                remove_folder(folder);
              });
            },
            {Rank::round_trip, "round_trip as exported"});
}

/// Where the runtime does not take it as it takes the model, or that could not be told, that is the round trip's own
/// verdict, unless more is wrong with it.
void Study::say_as_exported() {
  if (exported_ == nullptr || round_trip_->finding == exported_->finding) return;
  const bool is_worse = round_trip_->finding && (faulty(*round_trip_->finding) || fails_deployed(*round_trip_));
  Judgement& judgement = exported_->finding->judgement;
  const bool is_right = !faulty(*exported_->finding) && judgement.verdict != Verdict::inconclusive;
  if (is_worse || is_right) return;
  tell_lost_types(judgement, round_trip_->outcome);
  round_trip_->finding = exported_->finding;
}

const Finding* Study::as_exported() const { return exported_ ? exported_->finding.get() : nullptr; }

const fs::path& Study::shown_by(const Attempt& attempt) const {
  return exported_ && attempt.finding == exported_->finding ? exported_->file : attempt.outcome.file;
}

}  // namespace culprit
