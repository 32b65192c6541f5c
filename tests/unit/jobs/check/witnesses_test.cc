#include "bench.h"
#include "executor/run_all.h"
#include "two_output_graph.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Two others who run the model, which do what a test says.
class WitnessesOfTheOriginal : public Bench {
 protected:
  static Witness witness(const std::string& runner, FakeExecutor& who) {
    return {runner, [&who](const RunJob& job) {
              return run_all(who, {job}).map([](std::vector<RunOutcome>&& outcomes) { return outcomes.front(); });
            }};
  }

  ModelReport hear(std::vector<Witness> witnesses) {
    CheckTools tools{executor, optimizer, folder(), progress};
    tools.witnesses = std::move(witnesses);
    auto report = check_model(model, proposals, options, tools);
    if (!report) throw std::runtime_error(report.error().text());
    return std::move(*report);
  }
  ModelReport hear_second() { return hear({witness("onnxruntime", second)}); }
  ModelReport hear_both() { return hear({witness("onnxruntime", second), witness("onnx.reference", evaluator)}); }

  static std::string warning_of(const ModelReport& report, const std::string& code) {
    for (const Warning& warning : report.warnings)
      if (warning.code == code) return warning.message;
    return "";
  }

  FakeExecutor second, evaluator;
};

TEST_F(WitnessesOfTheOriginal, AreAskedWhereNoPassFails) {
  const ModelReport report = hear_both();
  ASSERT_TRUE(report.witnesses);
  ASSERT_THAT(report.witnesses->asked, SizeIs(2));
  EXPECT_EQ(report.witnesses->asked[0].runner, "onnxruntime");
  EXPECT_EQ(report.witnesses->asked[0].version, "1.31.1");
  EXPECT_EQ(report.witnesses->asked[1].outcome, "agrees");
  EXPECT_FALSE(report.witnesses->differ());
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0);
  ASSERT_THAT(second.ran, SizeIs(1));
  EXPECT_EQ(second.ran[0].session.level, Level::off);
  EXPECT_THAT(second.ran[0].samples, SizeIs(3));
  EXPECT_FALSE(check().witnesses) << "nobody was named";
}

TEST_F(WitnessesOfTheOriginal, RuntimesThatDifferLeaveItOpenAndBlameNoPass) {
  second.original.shift_y = 0.5F;
  const ModelReport report = hear_second();
  EXPECT_TRUE(report.witnesses->differ());
  EXPECT_EQ(report.witnesses->asked[0].max_abs, 0.5);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_THAT(codes(report.warnings), ElementsAre("runtimes_differ"));
  const std::string said = warning_of(report, "runtimes_differ");
  EXPECT_THAT(said, HasSubstr("onnxruntime 1.31.1 and onnxruntime 1.31.1 differ on the model itself"));
  EXPECT_THAT(said, HasSubstr("output 'y' differs by 0.5"));
  EXPECT_THAT(said, HasSubstr("--trust-runtime"));
  EXPECT_EQ(open_question(report), "the runtimes differ on the model itself");
  EXPECT_EQ(exit_code_of(report, false), 3);
  ASSERT_TRUE(report.safe_recipe);
  EXPECT_FALSE(report.safe_recipe->verified);
}

TEST_F(WitnessesOfTheOriginal, TheRuntimeIsTrustedWhereTheUserSaysSo) {
  second.original.shift_y = 0.5F;
  options.trusts_runtime = true;
  const ModelReport report = hear_second();
  EXPECT_THAT(codes(report.warnings), ElementsAre("runtimes_differ")) << "it is said all the same";
  EXPECT_EQ(exit_code_of(report, false), 0);
  EXPECT_TRUE(report.safe_recipe->verified);
}

TEST_F(WitnessesOfTheOriginal, AFaultStaysAFault) {
  executor.passes["a"] = breaks("wrong");
  second.original.shift_y = 0.5F;
  const ModelReport report = hear_second();
  EXPECT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(WitnessesOfTheOriginal, WhatTheTolerancePermitsIsNoDifference) {
  second.original.shift_y = 1e-5F;
  const ModelReport report = hear_second();
  EXPECT_EQ(report.witnesses->asked[0].outcome, "agrees");
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST_F(WitnessesOfTheOriginal, OneThatContradictsAllOthersIsSetAside) {
  evaluator.original.shift_y = 0.5F;
  const ModelReport report = hear_both();
  EXPECT_TRUE(report.witnesses->asked[1].set_aside);
  EXPECT_FALSE(report.witnesses->differ());
  EXPECT_THAT(codes(report.warnings), ElementsAre("witness_set_aside"));
  EXPECT_THAT(warning_of(report, "witness_set_aside"), HasSubstr("onnx.reference 1.31.1 gives other values"));
  EXPECT_EQ(exit_code_of(report, false), 0);
  second.original.shift_y = 0.5F;
  const ModelReport two = hear_both();
  EXPECT_THAT(codes(two.warnings), ElementsAre("runtimes_differ")) << "both contradict the runtime";
  EXPECT_THAT(warning_of(two, "runtimes_differ"), HasSubstr("onnx.reference 1.31.1 differs as well"));
  EXPECT_EQ(exit_code_of(two, false), 3);
}

TEST_F(WitnessesOfTheOriginal, OneThatCannotRunItSaysNothing) {
  second.original.running = failure(Ending::threw, "no kernel");
  const ModelReport report = hear_second();
  EXPECT_EQ(report.witnesses->asked[0].outcome, "fails");
  EXPECT_EQ(report.witnesses->asked[0].message, "no kernel");
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(WitnessesOfTheOriginal, AreAskedWhetherARefusedModelRuns) {
  executor.original.running = failure(Ending::threw, "no kernel");
  executor.original.stage = RunOutcome::Stage::load;
  EXPECT_THAT(hear_second().baseline.message, HasSubstr("onnxruntime 1.31.1 runs it, so the model itself can be run"));
  second.original.running = failure(Ending::threw, "it loops without end");
  const ModelReport report = hear_second();
  EXPECT_THAT(report.baseline.message, HasSubstr("onnxruntime 1.31.1 does not run it, either: it loops without end"));
  EXPECT_EQ(exit_code_of(report, false), 3);
  EXPECT_THAT(check().baseline.message, Not(HasSubstr("runs it")));
}

TEST_F(WitnessesOfTheOriginal, TheFirstNodeAtWhichTheyPartIsNamed) {
  model.proto = two_output_graph({{"Relu", "x", "inside"}, {"Cast", "inside", "y"}, {"Neg", "x", "z"}});
  second.original.shift_y = 0.5F;
  EXPECT_THAT(warning_of(hear_second(), "runtimes_differ"), HasSubstr("first mismatch at Cast of 'y'"));
  second.original.shift_inner = 1;
  const ModelReport report = hear_second();
  EXPECT_THAT(warning_of(report, "runtimes_differ"), HasSubstr("first mismatch at Relu of 'inside'"));
  EXPECT_EQ(report.witnesses->first_node->index, 0);
}

}  // namespace
}  // namespace culprit
