#include <onnx/onnx_pb.h>

#include "baseline/refusal_message.h"
#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr auto load = RunOutcome::Stage::load;
constexpr auto run = RunOutcome::Stage::run;

class BaselineTest : public Bench {
 protected:
  /// The model takes only samples whose first value is this.
  void takes_only(float first) {
    executor.refuses = [first](const RunJob& job, RunOutcome::Stage& stage) {
      stage = run;
      const auto inputs = read_pack(job.samples.at(0)).value();
      return inputs.at(0).value.number(0) == first
                 ? Failure{}
                 : failure(Ending::threw, "[ONNXRuntimeError] : 2 : FAIL : wrong sizes");
    };
  }
  /// The model does not load at level off.
  void loads_only_optimized() {
    executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
      stage = load;
      return job.session.level == Level::off ? failure(Ending::threw, "no kernel") : Failure{};
    };
  }
};

TEST_F(BaselineTest, TheReferenceRunsAtLevelOffWithTheGivenThreads) {
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_EQ(report.baseline.reference_level, "off");
  EXPECT_EQ(executor.ran.at(0).session.level, Level::off);
  EXPECT_EQ(executor.ran.at(0).session.threads, 1);
  EXPECT_EQ(executor.ran.at(0).model, "/models/net.onnx");
  EXPECT_THAT(executor.ran.at(0).samples, SizeIs(3));
}

TEST_F(BaselineTest, EveryJudgedRunHasTheReferencesSession) {
  executor.passes["a"] = breaks("wrong");
  options.session.threads = 2;
  loads_only_optimized();
  check();
  ASSERT_GT(executor.ran.size(), 4U);
  for (std::size_t i = 1; i < executor.ran.size(); ++i) {
    EXPECT_EQ(executor.ran[i].session.level, Level::basic);
    EXPECT_EQ(executor.ran[i].session.threads, 2);
  }
}

TEST_F(BaselineTest, ProposalsAreTriedUntilOneRuns) {
  proposals = {proposal("first", {1}), proposal("second", {2}), proposal("third", {3})};
  proposals[1].facts.dims = {{"N", 2}};
  proposals[1].warnings = {{"fewer_samples", "few"}};
  takes_only(2);
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_EQ(report.data.dims.at("N"), 2);
  EXPECT_THAT(codes(report.warnings), ElementsAre("fewer_samples"));
  EXPECT_EQ(variant(report, "a").verdict, Verdict::unchanged);
}

TEST_F(BaselineTest, IfNoneRunsItSaysWhatWasTriedAndWhatHelps) {
  model.interface.inputs[0].dims = {{std::nullopt, "batch"}};
  proposals = {proposal("batch=1", {1}), proposal("batch=2", {2}), proposal("three", {3}), proposal("four", {4})};
  takes_only(9);
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::does_not_run);
  EXPECT_EQ(report.baseline.message,
            "the model does not run: wrong sizes; tried: batch=1; batch=2; three; and 1 more; say what it takes "
            "with --dim batch=N, --data FOLDER");
  EXPECT_EQ(exit_code_of(report, false), 3);
  EXPECT_THAT(report.variants, IsEmpty());
  EXPECT_THAT(executor.optimized, IsEmpty()) << "nothing is made that cannot be judged";
}

TEST_F(BaselineTest, TheInputThatTheRuntimeNamesIsNamed) {
  ValueInfo rate;
  rate.name = "sr";
  rate.dtype = DType::i64;
  rate.has_shape = true;
  model.interface.inputs.push_back(rate);
  executor.original.running =
      failure(Ending::threw, "Got invalid dimensions for input: sr for the following indices\n index: 0");
  const std::string message = check().baseline.message;
  EXPECT_THAT(message, HasSubstr("does not run with what was fed to 'sr': Got invalid dimensions for input: sr"));
  EXPECT_THAT(message, HasSubstr("--input sr=VALUE"));
  EXPECT_THAT(message, Not(HasSubstr("--input x")));
}

TEST_F(BaselineTest, AModelThatLoadsOnlyAtBasicIsJudgedThere) {
  loads_only_optimized();
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_EQ(report.baseline.reference_level, "basic");
}

TEST_F(BaselineTest, OneThatDoesNotLoadAtAllIsNotFedOtherSizes) {
  proposals = {proposal("first", {1}), proposal("second", {2})};
  executor.original.running = failure(Ending::threw, "[ONNXRuntimeError] : 1 : FAIL : broken graph");
  executor.original.stage = load;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::does_not_load);
  EXPECT_EQ(report.baseline.message, "the model does not load: broken graph");
  EXPECT_EQ(exit_code_of(report, false), 3);
  EXPECT_THAT(executor.ran, SizeIs(2)) << "off and basic";
}

TEST_F(BaselineTest, AMissingOperatorNamesDomainAndFlag) {
  executor.original.running =
      failure(Ending::threw, "Fatal error: com.x:DecodeImage(-1) is not a registered function/op");
  executor.original.stage = load;
  const std::string message = check().baseline.message;
  EXPECT_THAT(message, HasSubstr("the operator DecodeImage of the domain com.x"));
  EXPECT_THAT(message, HasSubstr("--custom-ops LIB"));
}

TEST_F(BaselineTest, OfAKernelThatIsMissingItSaysWhatCanBeDone) {
  executor.original.running = failure(Ending::threw, "Could not find an implementation for Add(14)");
  executor.original.running.cause = FailureCause::no_kernel;
  executor.original.stage = load;
  const std::string message = check().baseline.message;
  EXPECT_THAT(message, HasSubstr("Could not find an implementation for Add(14); the runtime has no kernel for"));
  EXPECT_THAT(message, HasSubstr("--python"));
  EXPECT_THAT(message, HasSubstr("a copy in float32"));
  executor.original.running.cause = FailureCause::unknown;
  EXPECT_EQ(check().baseline.message, "the model does not load: Could not find an implementation for Add(14)")
      << "words alone decide nothing";
}

TEST_F(BaselineTest, ANodeThatIsRefusedIsNamed) {
  const Limits limits;
  const Interface interface;
  const Failure refused = failure(Ending::threw, "layout == 1 is not supported");
  Refusal refusal{refused, limits, interface, nullptr, RefusedNode{{"", "LSTM", 0, "Y"}, {DType::f32}}};
  const std::string message = load_message(refusal);
  EXPECT_THAT(message, HasSubstr("it stops loading with node LSTM of 'Y' (float32); if ONNX allows that node, onnx"));
  EXPECT_THAT(message, HasSubstr("a copy that says the same without what is not implemented"));
  refusal.node->types = {DType::bf16};
  EXPECT_THAT(load_message(refusal), HasSubstr("a copy in float32"));
}

TEST_F(BaselineTest, GivenSamplesThatItRefusesAreLeftOut) {
  proposals = {proposal("given", {1, 2, 3, 4})};
  proposals[0].facts.source = DataSource::file;
  proposals[0].samples[1].name = "short";
  executor.refuses_sample = [](float first) { return first == 2 || first == 4; };
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok) << report.baseline.message;
  EXPECT_EQ(report.data.samples, 2);
  EXPECT_THAT(codes(report.warnings), ElementsAre("samples_refused"));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("fails on 2 of 4 samples, which are left out; the first: short: "));
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged) << "the others tell it";
  proposals[0].facts.source = DataSource::synthesized;
  EXPECT_EQ(check().baseline.status, BaselineStatus::does_not_run) << "made-up ones are guessed anew";
}

TEST_F(BaselineTest, AModelThatRefusesAllSamplesDoesNotRun) {
  proposals = {proposal("given", {2, 2, 2})};
  proposals[0].facts.source = DataSource::file;
  executor.refuses_sample = [](float) { return true; };
  EXPECT_EQ(check().baseline.status, BaselineStatus::does_not_run);
  EXPECT_THAT(executor.ran, SizeIs(3)) << "once less with each sample";
}

TEST_F(BaselineTest, AReferenceThatDiesOrHangsCannotBeJudged) {
  executor.original.running = failure(Ending::crashed, "killed by SIGSEGV");
  executor.original.stage = load;
  EXPECT_EQ(check().baseline.status, BaselineStatus::does_not_load);
  executor.original.stage = run;
  const ModelReport died = check();
  EXPECT_EQ(died.baseline.status, BaselineStatus::does_not_run);
  EXPECT_THAT(died.baseline.message, HasSubstr("killed by SIGSEGV"));
  executor.original.running = failure(Ending::timed_out, "");
  executor.ran.clear();
  proposals.push_back(proposal("another", {4}));
  const ModelReport hung = check();
  EXPECT_EQ(hung.baseline.status, BaselineStatus::does_not_run);
  EXPECT_THAT(hung.baseline.message, HasSubstr("--timeout"));
  EXPECT_THAT(executor.ran, SizeIs(1)) << "a model that hangs is not tried again and again";
}

TEST_F(BaselineTest, ARuntimeThatGivesNothingCannotBeJudged) {
  executor.original.hides = true;
  EXPECT_EQ(check().baseline.status, BaselineStatus::does_not_run);
}

TEST_F(BaselineTest, WithoutSamplesNothingSeemsWell) {
  proposals = {proposal("none", {})};
  EXPECT_FALSE(try_check());
  proposals.clear();
  EXPECT_FALSE(try_check());
}

TEST_F(BaselineTest, TheMachinesFailureIsNoVerdictOnTheModel) {
  executor.original.running = failure(Ending::threw, "no space left on device");
  executor.original.running.machine = true;
  const auto report = try_check();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::io);
  EXPECT_THAT(report.error().message, HasSubstr("no space left on device"));
}

TEST_F(BaselineTest, InputsWithADefaultThatSamplesHoldAreFedToVariantsToo) {
  ValueInfo alpha = model.interface.inputs[0];
  alpha.name = "alpha";
  model.interface.optional_inputs = {alpha};
  proposals[0].samples.resize(1);
  proposals[0].samples[0].inputs.push_back({"alpha", Tensor::of<float>({2}, {1, 1})});
  executor.passes["a"] = changes("new");
  executor.passes["a"].interface = model.interface;
  executor.passes["b"] = changes("without alpha");
  check();
  for (const RunJob& job : executor.ran) {
    if (job.model.stem() == hash128("new").hex()) {
      ASSERT_EQ(job.inputs.size(), 2U);
      EXPECT_EQ(job.inputs[1].variant, "alpha");
    }
    if (job.model.stem() == hash128("without alpha").hex()) {
      EXPECT_EQ(job.inputs.size(), 1U);
    }
  }
}

/// The model takes samples whose first value is below 10; proposals that begin alike differ in the second one.
class AlikeTest : public BaselineTest {
 protected:
  AlikeTest() {
    executor.refuses_sample = [](float first) { return first >= 10; };
    proposals = {alike("both", {1, 11}, false), alike("batch alone", {1, 12}, true), alike("one size", {1, 2}, true)};
    proposals[0].facts.other_dims = {{"N", 11}};
    proposals[1].facts.other_dims = {{"N", 12}};
  }
  static Proposal alike(const std::string& description, const std::vector<float>& firsts, bool begins_as_before) {
    Proposal made = proposal(description, firsts);
    made.begins_as_before = begins_as_before;
    return made;
  }
};

TEST_F(AlikeTest, OtherSizesThatAreRefusedAreGivenUpOneAfterTheOtherAndNoted) {
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_TRUE(report.data.other_dims.empty());
  EXPECT_THAT(report.data.choices, ElementsAre("it does not run with N=11 (wrong sizes)"));
}

TEST_F(AlikeTest, ThoseThatRunAreKept) {
  proposals[0] = alike("both", {1, 3}, false);
  proposals[0].facts.other_dims = {{"N", 3}};
  EXPECT_EQ(check().data.other_dims.at("N"), 3);
}

TEST_F(AlikeTest, WhatBeginsAlikeIsNotTriedWhereTheBeginningIsRefused) {
  proposals = {alike("a", {20, 1}, false), alike("b", {20, 2}, true), alike("c", {5, 6}, false)};
  EXPECT_EQ(check().baseline.status, BaselineStatus::ok);
  EXPECT_NE(executor.ran.at(1).samples, executor.ran.at(0).samples);
  EXPECT_EQ(executor.ran.at(2).model, model.path) << "the repeat control comes third";
  EXPECT_TRUE(executor.ran.at(2).fresh_process);
  proposals[2] = alike("c", {30, 6}, false);
  const std::string message = check().baseline.message;
  EXPECT_THAT(message, HasSubstr("tried: a; c; say"));
}

TEST_F(BaselineTest, SamplesAreDrawnOneByOneWhenAProposalIsTried) {
  std::vector<std::int64_t> drawn;
  Proposal lazy = proposal("lazy", {});
  lazy.drawn = 3;
  lazy.draw = [&](std::int64_t index, const Stop&) -> Result<Sample> {
    drawn.push_back(index);
    return Sample{"s", {{"x", Tensor::of<float>({2}, {static_cast<float>(index + 1), -1})}}};
  };
  proposals = {lazy, lazy};
  EXPECT_EQ(check().baseline.status, BaselineStatus::ok);
  EXPECT_THAT(drawn, ElementsAre(0, 1, 2)) << "and not those of the second one";
}

TEST_F(BaselineTest, TheSearchForInputsIsTold) {
  std::vector<std::string> told;
  progress = [&](std::size_t, std::size_t, const std::string& what) { told.push_back(what); };
  proposals = {proposal("first", {1}), proposal("second", {2})};
  takes_only(2);
  check();
  EXPECT_THAT(told, testing::Contains("the reference, guess 2 at its inputs"));
}

/// Varied numbers, of which the second sample's are answered with infinities; plain ones, that are not.
Proposal varied(Proposal made, const Proposal& plain) {
  made.plain = [plain] { return plain; };
  return made;
}

TEST_F(BaselineTest, NumbersThatOnlyMakeInfinitiesAreGivenUp) {
  const float huge = std::numeric_limits<float>::max();
  proposals = {varied(proposal("varied", {1, huge}), proposal("plain", {1, 2}))};
  const ModelReport report = check();
  EXPECT_THAT(report.data.choices, ElementsAre("plain numbers: zeros, tiny and large ones gave NaN or infinities"));
  proposals = {varied(proposal("varied", {1, huge}), proposal("plain", {1, huge}))};
  EXPECT_THAT(check().data.choices, IsEmpty()) << "they are not the reason";
  proposals = {varied(proposal("varied", {1, 3}), proposal("plain", {1, 2}))};
  EXPECT_THAT(check().data.choices, IsEmpty());
}

/// Two samples, and further ones that begin with these numbers.
class FurtherTest : public BaselineTest {
 protected:
  void with_further(const std::vector<float>& firsts) {
    Proposal made = proposal("two", {});
    made.drawn = 2;
    made.further = static_cast<std::int64_t>(firsts.size());
    made.draw = [firsts](std::int64_t index, const Stop&) -> Result<Sample> {
      const float first = index < 2 ? static_cast<float>(index) + 1 : firsts.at(static_cast<std::size_t>(index) - 2);
      return Sample{"s", {{"x", Tensor::of<float>({2}, {first, -1})}}};
    };
    for (const float first : firsts) made.further_words.push_back("x=" + fmt::format("{}", first));
    proposals = {made};
  }
};

TEST_F(FurtherTest, TheyComeBehindTheFirstAndAreTold) {
  with_further({7, 8});
  const ModelReport report = check();
  EXPECT_EQ(report.data.samples, 4);
  EXPECT_THAT(report.data.choices, ElementsAre("sample 1: x=7", "sample 2: x=8"));
  const auto own = executor.ran.at(0).samples, further = executor.ran.at(1).samples;
  EXPECT_THAT(executor.ran.at(2).samples, ElementsAre(own[0], further[0], further[1], own[1])) << "the repeat";
}

TEST_F(FurtherTest, OneThatIsRefusedIsLeftOutAndTheRestIsJudged) {
  executor.refuses_sample = [](float first) { return first == 7; };
  with_further({7, 8});
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_EQ(report.data.samples, 3);
  EXPECT_THAT(report.data.choices, ElementsAre("sample 1: x=8", "it does not run with x=7 (wrong sizes)"));
}

TEST_F(FurtherTest, OneThatGivesInfinitiesIsLeftOut) {
  with_further({std::numeric_limits<float>::infinity(), 8});
  const ModelReport report = check();
  EXPECT_EQ(report.data.samples, 3);
  EXPECT_THAT(report.data.choices, ElementsAre("sample 1: x=8"));
}

}  // namespace
}  // namespace culprit
