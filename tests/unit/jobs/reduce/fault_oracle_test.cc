#include "reduce/fault_oracle.h"

#include <limits>

#include "base/file.h"
#include "fakes.h"
#include "unit/jobs/check/fake_executor.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The model that FakeExecutor knows.
Case known_case(float first = 1) {
  auto model = std::make_shared<onnx::ModelProto>();
  model->set_ir_version(8);
  auto& graph = *model->mutable_graph();
  const auto declare = [](onnx::ValueInfoProto& info, const char* name) {
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(2);
  };
  declare(*graph.add_input(), "x");
  declare(*graph.add_output(), "y");
  declare(*graph.add_output(), "z");
  return {std::move(model), {{{"x", Tensor::of<float>({2}, {first, -1})}}}};
}

/// `content`: another one for another behaviour, for a variant is known by it.
Behaviour breaking(const std::string& content = "broken", float shift = 0.5F) {
  Behaviour behaviour;
  behaviour.content = content;
  behaviour.shift_y = shift;
  behaviour.ops = {{"BatchNormalization", -1}, {"Mul", 1}};
  return behaviour;
}

class FaultOracleTest : public testing::Test {
 protected:
  FaultOracleTest() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-reduce").value()) {
    check.draws = 0;
    check.deploy_level = Level::off;
  }

  FaultOracle& oracle() {
    if (!oracle_) oracle_ = std::make_unique<FaultOracle>(executor, CaseTrialOptions{check, {}}, folder_.path());
    return *oracle_;
  }
  std::optional<SoughtFault> learn(const std::vector<std::string>& passes) {
    return oracle().learn(known_case(), {{"onnx_optimizer", passes}}).value();
  }
  bool shows(bool fresh = false) { return shows(known_case(), fresh); }
  bool shows(const Case& a_case, bool fresh = false) {
    const std::vector<Case> one{a_case};
    return oracle().ask(one, fresh).value().front() == Answer::yes;
  }

  FakeExecutor executor;
  TrialOptions check;
  std::unique_ptr<FaultOracle> oracle_;
  TemporaryFolder folder_;
};

TEST_F(FaultOracleTest, LearnsWhatIsSought) {
  executor.passes["a"] = breaking();
  const auto sought = learn({"a"});
  ASSERT_TRUE(sought);
  EXPECT_EQ(sought->symptom.verdict, Verdict::diverged);
  EXPECT_EQ(sought->symptom.level, "");
  EXPECT_EQ(sought->signature, "diverged | a | BatchNormalization -> Mul | ");
  EXPECT_TRUE(sought->finite);
  EXPECT_THAT(sought->right, SizeIs(1)) << "the round trip";
  EXPECT_TRUE(shows());
  EXPECT_TRUE(fs::is_empty(folder_.path())) << "nothing is left behind";
}

TEST_F(FaultOracleTest, WhatIsRightIsNoFault) {
  executor.passes["a"].content = "other";
  EXPECT_FALSE(learn({"a"}));
  EXPECT_EQ(oracle().symptom().verdict, Verdict::equivalent);
  executor.passes["b"].skipped = true;
  EXPECT_FALSE(learn({"b"}));
}

TEST_F(FaultOracleTest, AnotherVerdictIsAnotherFailure) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.passes["a"] = breaking("does not run");
  executor.passes["a"].running = failure(Ending::threw, "no");
  EXPECT_FALSE(shows());
  executor.passes["a"] = breaking("another shape");
  executor.passes["a"].reshapes = true;
  EXPECT_FALSE(shows()) << "another shape is another class of divergence";
  executor.passes["a"] = breaking("other values", 7);
  EXPECT_TRUE(shows()) << "other values are not";
}

TEST_F(FaultOracleTest, OtherOperatorsAreAnotherFailure) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.passes["a"].ops = {{"Mul", 1}};
  EXPECT_TRUE(shows()) << "fewer places change fewer types";
  executor.passes["a"].ops = {{"Mul", -1}};
  EXPECT_FALSE(shows());
  executor.passes["a"].ops = {{"Relu", -1}};
  EXPECT_FALSE(shows());
}

TEST_F(FaultOracleTest, AnotherMessageIsAnotherFailure) {
  executor.passes["a"].content = "broken";
  executor.passes["a"].running = failure(Ending::threw, "Unknown op 'a1'");
  executor.passes["a"].stage = RunOutcome::Stage::load;
  ASSERT_TRUE(learn({"a"}));
  executor.passes["a"].content = "another name";
  executor.passes["a"].running.message = "Unknown op 'b2'";
  EXPECT_TRUE(shows()) << "names are left out";
  executor.passes["a"].content = "another complaint";
  executor.passes["a"].running.message = "Cycle in the graph";
  EXPECT_FALSE(shows());
}

TEST_F(FaultOracleTest, CrashesAndLimitsAreSoughtAsWell) {
  for (const Ending ending : {Ending::crashed, Ending::timed_out, Ending::out_of_memory, Ending::threw}) {
    oracle_.reset();
    executor.passes["a"] = {};
    executor.passes["a"].making = failure(ending, "over");
    const auto sought = learn({"a"});
    ASSERT_TRUE(sought);
    EXPECT_TRUE(shows());
    executor.passes["a"] = breaking();
    EXPECT_FALSE(shows());
  }
}

TEST_F(FaultOracleTest, WhatTheRoundTripDoesIsNoPasss) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.round_trip = breaking();
  EXPECT_FALSE(shows());
}

TEST_F(FaultOracleTest, AFaultOfTheRoundTripCanBeSoughtItself) {
  executor.round_trip = breaking();
  executor.passes["a"].content = "more";
  const auto sought = learn({"a"});
  ASSERT_TRUE(sought);
  EXPECT_THAT(sought->right, IsEmpty());
  EXPECT_TRUE(shows());
}

// Together they fail. A step that leaves a model on which one of them fails alone has found another bug.
TEST_F(FaultOracleTest, AnInteractionDoesNotBecomeAFaultOfOnePass) {
  executor.passes["a"].content = "a";
  executor.passes["b"].content = "b";
  executor.recipes["a,b"] = breaking();
  const auto sought = learn({"a", "b"});
  ASSERT_TRUE(sought);
  EXPECT_THAT(sought->right, SizeIs(3)) << "the round trip, a alone, b alone";
  EXPECT_TRUE(shows());
  executor.passes["b"] = breaking();
  EXPECT_FALSE(shows());
}

TEST_F(FaultOracleTest, TheReferenceMustRunAndBeFinite) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  EXPECT_FALSE(shows(known_case(std::numeric_limits<float>::quiet_NaN())));
  executor.original.running = failure(Ending::threw, "no");
  EXPECT_FALSE(shows());
}

TEST_F(FaultOracleTest, OutputsThatSayNothingAreNotJudgedByTheirValues) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  Case constant = known_case();
  constant.samples[0][0].value = Tensor::of<float>({2}, {0, 0});
  EXPECT_FALSE(shows(constant));
  oracle_.reset();
  executor.passes["a"] = breaking("does not run");
  executor.passes["a"].running = failure(Ending::threw, "no");
  ASSERT_TRUE(learn({"a"}));
  EXPECT_TRUE(shows(constant)) << "what does not run has no values";
}

TEST_F(FaultOracleTest, WhatTheCheckerRefusesIsNotAsked) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.original_complaint = "no opset";
  const std::size_t runs = executor.ran.size();
  EXPECT_FALSE(shows());
  EXPECT_EQ(executor.ran.size(), runs + 1) << "the original beside the import, and no variant";
}

TEST_F(FaultOracleTest, AComplaintAboutTheModelAsGivenIsNone) {
  executor.passes["a"] = breaking();
  executor.original_complaint = "no opset";
  ASSERT_TRUE(learn({"a"}));
  EXPECT_TRUE(shows());
  executor.original_complaint = "a cycle";
  EXPECT_FALSE(shows());
}

TEST_F(FaultOracleTest, AFaultOfTheDeployLevelStaysOne) {
  check.deploy_level = Level::all;
  executor.passes["a"].content = "other";
  executor.passes["a"].ops = {{"Concat", -1}};
  executor.passes["a"].deployed = std::make_shared<Behaviour>(breaking());
  const auto sought = learn({"a"});
  ASSERT_TRUE(sought);
  EXPECT_EQ(sought->symptom.level, "all");
  EXPECT_TRUE(shows());
  executor.passes["a"].content = "wrong at any level";
  executor.passes["a"].shift_y = 0.5F;
  EXPECT_FALSE(shows()) << "now it is wrong with optimizations off";
}

TEST_F(FaultOracleTest, OnlyFaultsOfTheDeployLevelAreRunThere) {
  check.deploy_level = Level::all;
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.ran.clear();
  EXPECT_TRUE(shows());
  for (const RunJob& job : executor.ran) EXPECT_EQ(job.session.level, Level::off);
}

TEST_F(FaultOracleTest, FreshMeansFreshProcesses) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  for (const bool fresh : {false, true}) {
    executor.ran.clear();
    EXPECT_TRUE(shows(fresh));
    EXPECT_FALSE(executor.ran.empty());
    for (const RunJob& job : executor.ran) EXPECT_EQ(job.fresh_process, fresh);
  }
}

TEST_F(FaultOracleTest, AnswersInTheOrderOfTheCases) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.shuffle = 5;
  const std::vector<Case> cases{known_case(), known_case(std::numeric_limits<float>::infinity()), known_case(3)};
  EXPECT_THAT(oracle().ask(cases, false).value(), ElementsAre(Answer::yes, Answer::no, Answer::yes));
}

TEST_F(FaultOracleTest, AnInterruptIsAnError) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.interrupt_after = 0;
  const std::vector<Case> one{known_case()};
  const auto answers = oracle().ask(one, false);
  ASSERT_FALSE(answers);
  EXPECT_EQ(answers.error().kind, ErrorKind::interrupted);
}

TEST_F(FaultOracleTest, AFolderThatCannotBeMadeIsAnErrorAndNoAnswer) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  fs::create_directories(folder_.path() / "1");
  ASSERT_TRUE(write_file_atomic(folder_.path() / "1" / "outputs-0", "in the way"));
  const std::vector<Case> one{known_case()};
  const auto answers = oracle().ask(one, false);
  ASSERT_FALSE(answers);
  EXPECT_EQ(answers.error().kind, ErrorKind::io);
  EXPECT_THAT(answers.error().text(), ::testing::HasSubstr("cannot make the folder"));
  EXPECT_TRUE(shows()) << "the next one can be tried";
}

TEST_F(FaultOracleTest, AFullDiskIsAnErrorAndNoAnswer) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  Failure full = failure(Ending::exited, "cannot write 0.pack: no space left");
  full.machine = true;
  const std::vector<Case> one{known_case()};
  const auto error_where = [&](const Failure& making, const Failure& running, const Failure& reference) {
    executor.passes["a"] = breaking(making.failed() ? "a" : running.failed() ? "b" : "c");  // made by nobody before
    executor.passes["a"].making = making;
    executor.passes["a"].running = running;
    executor.original.running = reference;
    const auto answers = oracle().ask(one, false);
    return answers ? "" : answers.error().text();
  };
  EXPECT_THAT(error_where(full, {}, {}), ::testing::HasSubstr("no space left"));
  EXPECT_THAT(error_where({}, full, {}), ::testing::HasSubstr("no space left"));
  EXPECT_THAT(error_where({}, {}, full), ::testing::HasSubstr("no space left"));
  EXPECT_EQ(error_where({}, {}, failure(Ending::exited, "ended with exit status 1")), "") << "the model's own doing";
}

TEST_F(FaultOracleTest, WhatTimesOutIsLookedAtBrieflyAndThenToTheLimit) {
  check.limits.cpu_seconds = 60;
  executor.passes["a"].content = "endless";
  executor.passes["a"].running = failure(Ending::timed_out, "used 61.0 s (limit 60.0 s of CPU time)");
  ASSERT_TRUE(learn({"a"}));
  executor.passes["a"].running.message = "used 510 ms (limit 500 ms of CPU time)";
  executor.ran.clear();
  EXPECT_TRUE(shows()) << "the text of the limit is no symptom";
  EXPECT_LT(executor.ran.at(1).limits.cpu_seconds, 20);
  executor.ran.clear();
  EXPECT_TRUE(shows(/*fresh=*/true));
  EXPECT_EQ(executor.ran.at(1).limits.cpu_seconds, 60) << "the same as was asked of the model";
  EXPECT_LT(executor.ran.at(0).limits.cpu_seconds, 20) << "but the original is not waited for";
}

TEST_F(FaultOracleTest, AVariantThatNeverEndsIsNotWaitedForWhereTheFaultIsAnother) {
  check.limits.cpu_seconds = 600;
  executor.passes["a"].content = "endless";
  executor.passes["a"].running = failure(Ending::out_of_memory, "over");
  ASSERT_TRUE(learn({"a"}));
  executor.ran.clear();
  EXPECT_TRUE(shows(/*fresh=*/true));
  EXPECT_LT(executor.ran.at(1).limits.cpu_seconds, 20);
}

TEST_F(FaultOracleTest, AStepThatNeverEndsIsNotWaitedFor) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"}));
  executor.ran.clear();
  EXPECT_TRUE(shows());
  EXPECT_LT(executor.ran.front().limits.cpu_seconds, 20) << "the reference took a quarter of a second at first";
}

TEST_F(FaultOracleTest, WhatDeclaresUntrueTypesIsNotLookedAt) {
  executor.passes["a"] = breaking();
  ASSERT_TRUE(learn({"a"})->well_typed);
  executor.types_complaint = "Inferred shape and existing shape differ in dimension 2: (5) vs (3)";
  const std::vector<Case> one{known_case()};
  EXPECT_THAT(oracle().ask(one, false).value(), ElementsAre(Answer::mistyped));
}

TEST_F(FaultOracleTest, UnlessTheCaseAsGivenDidSo) {
  executor.passes["a"] = breaking();
  executor.types_complaint = "Inferred shape and existing shape differ in dimension 2: (5) vs (3)";
  ASSERT_FALSE(learn({"a"})->well_typed);
  EXPECT_TRUE(shows());
  EXPECT_FALSE(executor.optimized.back().infers_types) << "asked for nothing";
}

}  // namespace
}  // namespace culprit
