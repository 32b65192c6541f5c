#include "bench.h"
#include "trial/fault_case.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is handed over of each fault, copied, for it goes with the check.
struct Handed {
  std::string fault, variant, level, confirmed;
  std::vector<std::string> passes;
  float first = 0, expected = 0;
  Evidence evidence;
  std::map<std::string, Explained> explained;
};

class FaultCases : public Bench {
 protected:
  ModelReport check_and_keep() {
    const KeepFault keep = [this](const FaultCase& shown) -> Result<KeptFault> {
      Handed one{shown.fault.id,
                 shown.variant.filename(),
                 std::string(name_of(shown.session.level)),
                 shown.confirmed,
                 shown.recipe.passes,
                 0,
                 0,
                 shown.evidence,
                 shown.explained};
      if (!shown.inputs.empty()) one.first = read_pack(shown.inputs).value()[0].value.as<float>()[0];
      if (!shown.expected.empty()) one.expected = read_pack(shown.expected).value()[0].value.as<float>()[0];
      handed.push_back(std::move(one));
      if (!disk.message.empty()) return tl::unexpected(disk);
      return KeptFault{"repro/" + shown.fault.id};
    };
    return check_model(model, proposals, options, {executor, optimizer, folder(), progress, {}, {}, keep}).value();
  }

  std::vector<Handed> handed;
  Error disk;
};

TEST_F(FaultCases, EveryFaultIsHandedOverWithWhatShowsIt) {
  executor.passes["a"] = breaks("wrong a");
  executor.passes["b"].making = failure(Ending::crashed, "killed by SIGSEGV");
  const ModelReport report = check_and_keep();
  ASSERT_EQ(handed.size(), 2U);
  EXPECT_EQ(handed[0].fault, "F1");
  EXPECT_THAT(handed[0].passes, ElementsAre("a"));
  EXPECT_EQ(handed[0].variant, hash128("wrong a").hex() + ".onnx");
  EXPECT_EQ(handed[0].level, "off");
  EXPECT_EQ(handed[0].confirmed, "2/2");
  EXPECT_EQ(handed[0].expected, 2 * handed[0].first);
  EXPECT_THAT(handed[1].passes, ElementsAre("b"));
  EXPECT_EQ(handed[1].variant, "");
  EXPECT_EQ(handed[1].evidence.stage, EvidenceStage::optimize);
  EXPECT_EQ(report.faults[0].repro, "repro/F1");
  EXPECT_EQ(report.faults[1].repro, "repro/F2");
}

TEST_F(FaultCases, TheSampleIsTheFirstThatShowsIt) {
  executor.labels = true;
  executor.deaf = 1.5F;  // y is 0 for the first sample, and so right there: 0 stays 0
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].shift_y = 0;
  executor.passes["a"].running = failure(Ending::threw, "Incompatible dimensions");
  check_and_keep();
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_EQ(handed[0].first, 1) << "the run ended before its first output";
}

TEST_F(FaultCases, AnInteractionIsShownByItsPassesTogether) {
  executor.recipes["a,b,c"] = breaks("wrong");
  executor.recipes["a,c"] = breaks("wrong");
  check_and_keep();
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_THAT(handed[0].passes, ElementsAre("a", "c"));
}

TEST_F(FaultCases, AtTheDeployLevelTheLevelIsThat) {
  options.deploy_level = Level::all;
  executor.passes["a"] = changes("fused");
  executor.passes["a"].deployed = std::make_shared<Behaviour>(breaks("fused"));
  check_and_keep();
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_EQ(handed[0].level, "all");
  EXPECT_EQ(handed[0].expected, 2 * handed[0].first) << "of the reference's level";
}

TEST_F(FaultCases, TheRoundTripAndTheImportAreShownByNoPassAtAll) {
  executor.round_trip = breaks("trip");
  check_and_keep();
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_THAT(handed[0].passes, IsEmpty());
  handed.clear();
  executor.import = failure(Ending::crashed, "killed by SIGSEGV");
  check_and_keep();
  ASSERT_EQ(handed.size(), 1U);
  EXPECT_EQ(handed[0].evidence.stage, EvidenceStage::import);
}

TEST_F(FaultCases, AnOptimizerThatWandersIsShownByNoRecipe) {
  executor.passes["a"] = changes("one");
  executor.passes["a"].wanders = true;
  const ModelReport report = check_and_keep();
  for (const Handed& one : handed) EXPECT_NE(one.fault, report.faults.back().id);
  EXPECT_EQ(report.faults.back().repro, "");
}

TEST_F(FaultCases, WhatCannotBeKeptIsAWarning) {
  executor.passes["a"] = breaks("wrong");
  disk = {ErrorKind::io, "no space left", ""};
  const ModelReport report = check_and_keep();
  EXPECT_EQ(report.faults.at(0).repro, "");
  EXPECT_THAT(report.warnings.back().message, HasSubstr("F1: no space left"));
}

TEST_F(FaultCases, NothingIsHandedOverWhereNothingFails) {
  executor.passes["a"] = changes("other");
  check_and_keep();
  EXPECT_THAT(handed, IsEmpty());
}

}  // namespace
}  // namespace culprit
