#include "baseline/repeat_control.h"

#include <onnx/onnx_pb.h>

#include "bench.h"
#include "two_output_graph.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using RepeatControl = Bench;

TEST_F(RepeatControl, TheSameBitsTwiceInAFreshProcess) {
  const ModelReport report = check();
  EXPECT_EQ(control(report, "repeat").verdict, Verdict::equivalent);
  EXPECT_TRUE(executor.ran.at(1).fresh_process);
  EXPECT_TRUE(executor.ran.at(1).fills_memory) << "else what nobody wrote is zero in both";
  EXPECT_FALSE(executor.ran.at(0).fills_memory);
  EXPECT_EQ(executor.ran.at(1).model, model.path);
}

TEST_F(RepeatControl, TheRepeatControlTakesEightSamplesAtMost) {
  proposals = {proposal("many", std::vector<float>(20, 1))};
  check();
  EXPECT_THAT(executor.ran.at(1).samples, SizeIs(8));
}

TEST_F(RepeatControl, AReferenceThatDoesNotRepeatIsNondeterministic) {
  executor.noise = 0.25F;
  executor.passes["a"] = breaks("wrong");
  const auto proto = std::make_shared<onnx::ModelProto>();
  auto* node = proto->mutable_graph()->add_node();
  node->set_op_type("If");
  auto* branch = node->add_attribute();
  branch->set_name("then_branch");
  auto* random = branch->mutable_g()->add_node();
  random->set_op_type("RandomNormalLike");
  random->set_name("noise");
  auto* seeded = proto->mutable_graph()->add_node();
  seeded->set_op_type("RandomUniform");
  seeded->add_attribute()->set_name("seed");
  model.proto = proto;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
  EXPECT_EQ(exit_code_of(report, false), 3);
  EXPECT_THAT(report.baseline.message, HasSubstr("output 'y' differs by 0.25"));
  EXPECT_THAT(report.baseline.message, HasSubstr("RandomNormalLike 'noise'"));
  EXPECT_THAT(report.baseline.message, Not(HasSubstr("RandomUniform")));
  EXPECT_EQ(control(report, "repeat").verdict, Verdict::diverged);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(executor.runs_of("wrong"), 0U) << "nothing is run that cannot be judged";
}

TEST_F(RepeatControl, MoreThreadsThanOneAreNamedWhereNothingIsRandom) {
  executor.noise = 1e-6F;
  options.session.threads = 2;
  EXPECT_THAT(check().baseline.message, HasSubstr("it ran on 2 threads"));
  EXPECT_THAT(check().baseline.message, HasSubstr("use --threads 1"));
  options.session.threads = 1;
  EXPECT_THAT(check().baseline.message, Not(HasSubstr("threads")));
  const auto proto = std::make_shared<onnx::ModelProto>();
  proto->mutable_graph()->add_node()->set_op_type("RandomNormal");
  model.proto = proto;
  options.session.threads = 2;
  EXPECT_THAT(check().baseline.message, Not(HasSubstr("threads"))) << "the operator is cause enough";
}

TEST_F(RepeatControl, TwoRunsThatAgreeByChanceAreNoRepeat) {
  const auto proto = std::make_shared<onnx::ModelProto>();
  auto& graph = *proto->mutable_graph();
  graph.add_output()->set_name("y");
  graph.add_node()->set_op_type("RandomNormal");
  graph.mutable_node(0)->add_output("noise");
  graph.add_node()->set_op_type("Add");
  for (const char* input : {"x", "noise"}) graph.mutable_node(1)->add_input(input);
  graph.mutable_node(1)->add_output("y");
  model.proto = proto;
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
  EXPECT_THAT(report.baseline.message, HasSubstr("agree by chance only"));
  EXPECT_THAT(report.baseline.message, HasSubstr("RandomNormal 'noise'; give these a seed"));
  EXPECT_EQ(control(report, "repeat").verdict, Verdict::inconclusive);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 3);
  EXPECT_EQ(executor.runs_of("wrong"), 0U);
  graph.mutable_node(1)->set_input(1, "x");
  EXPECT_EQ(check().baseline.status, BaselineStatus::ok) << "nothing is made of the noise";
}

TEST_F(RepeatControl, BitsCountForTheRepeatNotTolerance) {
  executor.noise = 1e-6F;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
  EXPECT_EQ(control(report, "repeat").verdict, Verdict::deviates);
}

TEST_F(RepeatControl, DyingTheSecondTimeIsNotRepeating) {
  executor.refuses = [n = 0](const RunJob&, RunOutcome::Stage&) mutable {
    return n++ == 0 ? Failure{} : failure(Ending::crashed, "killed by SIGSEGV");
  };
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
  EXPECT_THAT(report.baseline.message, HasSubstr("killed by SIGSEGV"));
}

TEST_F(RepeatControl, TheFirstNodeThatDoesNotRepeatIsNamedAlsoWhereTheDataAreWeak) {
  model.proto = two_output_graph({{"Relu", "x", "same"}, {"MatMulNBits", "x", "y"}, {"Neg", "x", "z"}});
  executor.mute = true;
  executor.deaf = 10;  // y and z say nothing
  EXPECT_EQ(check().baseline.status, BaselineStatus::weak_data);
  executor.noise = 0.25F;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
  EXPECT_THAT(report.baseline.message, HasSubstr("the first node whose values differ between two runs is MatMulNBits"));
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(RepeatControl, TheMachinesFailureTheSecondTimeIsNoVerdictOnTheModel) {
  executor.refuses = [n = 0](const RunJob&, RunOutcome::Stage&) mutable {
    Failure full = n++ == 0 ? Failure{} : failure(Ending::exited, "no space left on device");
    full.machine = full.failed();
    return full;
  };
  const auto report = try_check();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::io);
  EXPECT_THAT(report.error().message, HasSubstr("a second time: no space left on device"));
}

}  // namespace
}  // namespace culprit
