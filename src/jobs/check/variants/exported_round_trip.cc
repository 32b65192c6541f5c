#include "check/variants/exported_round_trip.h"

#include <string>
#include <utility>

#include "base/folder.h"
#include "trial/exported_form.h"

namespace culprit {

namespace fs = std::filesystem;

std::unique_ptr<DistinctVariant> run_as_exported(Dispatcher& dispatcher, Judging& by, const VariantOutcome& trip,
                                                 const fs::path& folder) {
  if (trip.failure.failed() || trip.lost_types.empty()) return nullptr;
  auto exported = std::make_unique<DistinctVariant>();
  const auto file = written_as_exported(trip.file);
  if (!file) {
    exported->result->judgement.evidence = {EvidenceStage::load, EvidenceEnding::machine};
    exported->result->judgement.message = "it could not be written without these types: " + file.error().text();
    return exported;
  }
  exported->made = runnable(*file, trip.interface, Contract::equivalent, by.reference);
  run_and_judge(dispatcher, by.judge, exported->made, job_for(*exported->made, by.reference, folder),
                [result = exported->result, folder](Judgement judgement, const RunOutcome&) {
                  result->judgement = std::move(judgement);
                  remove_folder(folder);
                },
                {Priority::round_trip, "round_trip as exported"});
  return exported;
}

}  // namespace culprit
