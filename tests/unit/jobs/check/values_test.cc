// Outputs that are no plain tensors, and types that the optimizer's form cannot hold.
#include <onnx/onnx_pb.h>

#include "bench.h"
#include "model/lost_types.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Values : public Bench {
 protected:
  Values() { executor.listed = true; }
};

TEST_F(Values, ASequenceIsComparedPartByPart) {
  executor.passes["a"] = changes("same");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  ASSERT_THAT(report.baseline.weak, SizeIs(1)) << "not the length, which is always the same";
  EXPECT_EQ(report.baseline.weak[0].output, "y[1]");
  EXPECT_THAT(report.faults, IsEmpty());
  std::vector<std::string> names;
  for (const auto& [name, m] : variant(report, "a").measurements) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("y.length", "y[0]", "y[1]", "z"));
}

TEST_F(Values, AWrongElementIsFound) {
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_THAT(variant(report, "a").message, HasSubstr("output 'y[0]' differs by 0.5"));
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
}

TEST_F(Values, AnotherLengthIsFoundAndSaid) {
  executor.passes["a"] = changes("short");
  executor.passes["a"].reshapes = true;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_THAT(variant(report, "a").message,
              HasSubstr("output 'y.length': sequence length 2 became 1 on 3 of 3 samples"));
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].signature, HasSubstr("sequence length"));
}

TEST_F(Values, TheNoiseFloorKnowsTheParts) {
  options.draws = 3;
  executor.passes["a"] = changes("moved");
  executor.passes["a"].shift_y = 1e-6F;  // nobody asks for a floor where all bits agree
  const ModelReport report = check();
  std::vector<std::string> names;
  for (const auto& [name, floor] : report.noise_floor) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("y[0]", "y[1]", "z")) << "a length has no noise";
  EXPECT_GT(report.noise_floor.at("y[0]").abs, 0);
  EXPECT_EQ(report.noise_floor.at("y[0]").draws, 1);
}

/// The export leaves out the type of y, and every file is a model.
class TypesLost : public Values {
 protected:
  TypesLost() {
    executor.round_trip.lost_types = {"output 'y'"};
    executor.round_trip.warnings = {types_lost_warning({"output 'y'"})};
    onnx::ModelProto any;
    any.set_ir_version(8);
    any.add_opset_import()->set_version(17);
    any.mutable_graph()->set_name("g");
    executor.graph = any.SerializeAsString();
  }
  static bool is_as_exported(const RunJob& job) { return job.model.stem().string().ends_with("-as-exported"); }
  void refuse() {
    executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
      stage = RunOutcome::Stage::load;
      return is_as_exported(job) ? failure(Ending::threw, "does not have type information") : Failure{};
    };
  }
  [[nodiscard]] std::ptrdiff_t runs_as_exported() const { return std::ranges::count_if(executor.ran, is_as_exported); }
};

TEST_F(TypesLost, IsAWarningWhereTheExportedModelAgrees) {
  executor.passes["a"] = changes("new");
  const ModelReport report = check();
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::unchanged);
  EXPECT_EQ(runs_as_exported(), 1) << "once, and on all samples";
  const auto ran = std::ranges::find_if(executor.ran, is_as_exported);
  EXPECT_THAT(ran->samples, SizeIs(3));
  EXPECT_THAT(codes(report.warnings), Contains("types_lost"));
  EXPECT_THAT(report.warnings.back().message, HasSubstr("the exported model loads, runs and gives the same values"));
  EXPECT_TRUE(report.safe_recipe->verified);
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(TypesLost, IsTheRoundTripsFaultWhereTheRuntimeRefusesItAndThePassesAreJudged) {
  refuse();
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_EQ(report.faults[0].verdict, Verdict::rejected);
  EXPECT_EQ(
      report.faults[0].message,
      "round_trip: the optimizer's export leaves out the type of output 'y'; as exported: the runtime refuses it: "
      "does not have type information");
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("a"));
  EXPECT_EQ(report.faults[1].verdict, Verdict::diverged);
  EXPECT_THAT(control(report, "round_trip").message, HasSubstr("confirmed 2/2"));
  EXPECT_EQ(runs_as_exported(), 3);
  EXPECT_THAT(codes(report.warnings), Contains("types_lost"));
}

TEST_F(TypesLost, OtherValuesOfTheExportedModelAreAFault) {
  executor.give(folder() / (hash128("original").hex() + "-as-exported.onnx"), breaks("as exported"));
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].verdict, Verdict::diverged);
  EXPECT_THAT(report.faults[0].message, HasSubstr("as exported: output 'y[0]' differs by 0.5"));
  EXPECT_THAT(control(report, "round_trip").measurements, testing::Not(IsEmpty()));
}

TEST_F(TypesLost, AnExportedModelThatCouldNotBeTriedLeavesTheRoundTripOpen) {
  executor.graph = "no model";
  const ModelReport report = check();
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::inconclusive);
  EXPECT_THAT(control(report, "round_trip").message, HasSubstr("it could not be written without these types"));
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(TypesLost, IsALesserThingThanWrongValuesOfTheRoundTrip) {
  refuse();
  executor.round_trip = breaks("trip");
  executor.round_trip.warnings = {types_lost_warning({"output 'y'"})};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].verdict, Verdict::diverged);
}

}  // namespace
}  // namespace culprit
