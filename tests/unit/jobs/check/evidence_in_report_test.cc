// What a report says of a verdict that rests on no measurement.
#include <set>

#include "bench.h"
#include "trial/evidence.h"

namespace culprit {
namespace {

constexpr std::array endings = {Ending::threw, Ending::crashed, Ending::exited, Ending::timed_out,
                                Ending::out_of_memory};

Failure machine_failure() {
  Failure made = failure(Ending::exited, "no space left on the disk");
  made.machine = true;
  return made;
}

/// What a reader of report.json can do: the verdict again, without the tool.
Verdict again(const VariantRecord& record) {
  if (record.same_as == SameAs::original || record.same_as == SameAs::round_trip) return Verdict::unchanged;
  if (record.confirmed.starts_with("0/")) return Verdict::inconclusive;
  return record.evidence.stage == EvidenceStage::none ? verdict_of(record.measurements) : verdict_of(record.evidence);
}

using EvidenceInReport = Bench;

TEST_F(EvidenceInReport, GivesEveryVerdictAgain) {
  std::vector<Behaviour> behaviours = {{}, changes("same"), breaks("wrong"), breaks("close", 1e-4F)};
  for (const Ending ending : endings) {
    Behaviour making = changes("m");
    making.making = failure(ending, "f");
    behaviours.push_back(making);
    making.bad_makings = 1;
    behaviours.push_back(making);
    for (const auto stage : {RunOutcome::Stage::start, RunOutcome::Stage::load, RunOutcome::Stage::run}) {
      Behaviour running = changes("r" + std::to_string(behaviours.size()));
      running.running = failure(ending, "f");
      running.stage = stage;
      behaviours.push_back(running);
    }
  }
  behaviours.push_back(changes("complained"));
  behaviours.back().complaint = "invalid";
  behaviours.push_back(changes("interface"));
  behaviours.back().interface = Interface{};
  behaviours.push_back(changes("silent"));
  behaviours.back().hides = true;
  behaviours.push_back(changes("disk"));
  behaviours.back().making = machine_failure();
  behaviours.push_back(changes("half"));
  std::set<Verdict> seen;
  for (const Behaviour& behaviour : behaviours) {
    const std::string pass = behaviour.content == "half" ? "halves" : "a";
    options.each = {pass};
    executor.passes = {{pass, behaviour}};
    const VariantRecord record = variant(check(), pass);
    EXPECT_EQ(again(record), record.verdict) << behaviour.content << ": " << record.message;
    EXPECT_TRUE(record.evidence.stage == EvidenceStage::none || record.measurements.empty()) << "one or the other";
    seen.insert(record.verdict);
  }
  EXPECT_EQ(seen.size(), 11U) << "every verdict there is";
}

}  // namespace
}  // namespace culprit
