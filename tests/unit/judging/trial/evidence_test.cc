#include "trial/evidence.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "executor/executor.h"

namespace culprit {
namespace {

constexpr std::array all_endings = {Ending::threw, Ending::crashed, Ending::exited, Ending::timed_out,
                                    Ending::out_of_memory};

Failure ended(Ending how) {
  Failure made;
  made.ending = how;
  return made;
}

Failure ended_by_machine() {
  Failure made = ended(Ending::exited);
  made.message = "no space left on the disk";
  made.machine = true;
  return made;
}

TEST(Evidence, OfMakingGivesTheVerdictOfEveryEnding) {
  const std::map<Ending, Verdict> expected = {{Ending::threw, Verdict::optimizer_crashed},
                                              {Ending::crashed, Verdict::optimizer_crashed},
                                              {Ending::exited, Verdict::optimizer_crashed},
                                              {Ending::timed_out, Verdict::timed_out},
                                              {Ending::out_of_memory, Verdict::out_of_memory}};
  for (const EvidenceStage stage : {EvidenceStage::import, EvidenceStage::optimize}) {
    std::set<EvidenceEnding> words;
    for (const Ending ending : all_endings) {
      const Evidence evidence = evidence_of_making(ended(ending), stage);
      EXPECT_EQ(evidence.stage, stage);
      EXPECT_EQ(verdict_of(evidence), expected.at(ending)) << name_of(evidence.ending);
      words.insert(evidence.ending);
    }
    EXPECT_EQ(words.size(), all_endings.size()) << "each ending has a word of its own";
    EXPECT_EQ(verdict_of(evidence_of_making(ended_by_machine(), stage)), Verdict::inconclusive);
  }
}

TEST(Evidence, OfRunningTellsARefusalFromADeath) {
  RunOutcome outcome;
  const auto verdict = [&](RunOutcome::Stage stage, const Failure& why) {
    outcome.stage = stage;
    outcome.failure = why;
    return verdict_of(evidence_of_running(outcome));
  };
  using Stage = RunOutcome::Stage;
  EXPECT_EQ(verdict(Stage::load, ended(Ending::threw)), Verdict::rejected);
  EXPECT_EQ(verdict(Stage::run, ended(Ending::threw)), Verdict::run_failed);
  for (const Stage stage : {Stage::load, Stage::run}) {
    EXPECT_EQ(verdict(stage, ended(Ending::crashed)), Verdict::run_failed);
    EXPECT_EQ(verdict(stage, ended(Ending::exited)), Verdict::run_failed);
    EXPECT_EQ(verdict(stage, ended(Ending::timed_out)), Verdict::timed_out);
    EXPECT_EQ(verdict(stage, ended(Ending::out_of_memory)), Verdict::out_of_memory);
    EXPECT_EQ(verdict(stage, ended_by_machine()), Verdict::inconclusive);
  }
  for (const Ending ending : all_endings)
    EXPECT_EQ(verdict(Stage::start, ended(ending)), Verdict::inconclusive) << "it never saw the model";
}

TEST(Evidence, RefusalsAndNoneAtAll) {
  EXPECT_EQ(verdict_of(Evidence{EvidenceStage::checker, EvidenceEnding::refused}), Verdict::rejected);
  EXPECT_EQ(verdict_of(Evidence{EvidenceStage::interface, EvidenceEnding::refused}), Verdict::interface_changed);
  EXPECT_EQ(verdict_of(Evidence{}), Verdict::equivalent);
}

}  // namespace
}  // namespace culprit
