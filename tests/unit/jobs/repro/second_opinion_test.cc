#include "repro/second_opinion.h"

#include "base/folder.h"
#include "repro_samples.h"
#include "unit/jobs/check/bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What the reference evaluator gives for y and z, beyond what is right.
struct Evaluated {
  float off = 0;             ///< in y
  std::string failure = {};  ///< instead
  bool widens = true;        ///< where float64 is asked for
};

class FakeEvaluator : public Evaluator {
 public:
  Evaluated original, variant;  ///< in float64, and in its own types unless told below
  std::optional<Evaluated> own_original, own_variant;
  std::optional<Error> broken;  ///< of the machine
  std::vector<EvaluatorJob> asked;

  [[nodiscard]] std::string version() const override { return "1.19.0"; }

  Result<std::vector<EvaluatorOutcome>> run(std::span<const EvaluatorJob> jobs) override {
    if (broken) return tl::unexpected(*broken);
    std::vector<EvaluatorOutcome> outcomes;
    for (const EvaluatorJob& job : jobs) {
      const bool is_variant = job.model.filename() != "net.onnx";
      Evaluated what = is_variant ? variant : original;
      if (!job.in_float64) what = (is_variant ? own_variant : own_original).value_or(what);
      outcomes.push_back(outcome_of(job, what));
      asked.push_back(job);
    }
    return outcomes;
  }

 private:
  static EvaluatorOutcome outcome_of(const EvaluatorJob& job, const Evaluated& what) {
    EvaluatorOutcome outcome;
    outcome.failure = what.failure;
    if (!what.failure.empty()) return outcome;
    fs::create_directories(job.folder);
    outcome.outputs = job.folder / "outputs.pack";
    outcome.in_float64 = job.in_float64 && what.widens;
    if (!what.widens) outcome.why = "'w' is float32 all the same";
    EXPECT_TRUE(write_pack(outcome.outputs,
                           std::vector<NamedTensor>{{"y", Tensor::of<float>({2}, {6 + what.off, what.off - 2})},
                                                    {"z", Tensor::of<float>({2}, {-3, 1})}}));
    return outcome;
  }
};

/// The fault that pass a makes in y, two executors that do what a test says, and an evaluator.
class SecondOpinions : public ::testing::Test {
 protected:
  SecondOpinions() {
    model.path = folder_.path() / "net.onnx";
    model.interface = FakeExecutor::interface();
    fault.culprits = {"a"};
    inputs = folder_.path() / "in.pack";
    expected = folder_.path() / "out.pack";
    EXPECT_TRUE(write_pack(inputs, std::vector<NamedTensor>{{"x", Tensor::of<float>({2}, {3, -1})}}));
    EXPECT_TRUE(write_pack(expected, std::vector<NamedTensor>{{"y", Tensor::of<float>({2}, {6, -2})},
                                                              {"z", Tensor::of<float>({2}, {-3, 1})}}));
    executor.graph = second.graph = sample_model().SerializeAsString();
  }

  /// `behaviour`: of the variant on either runner.
  Opinion ask(const Behaviour& behaviour, const Behaviour& there, bool has_second = true) {
    return try_to_ask(behaviour, there, has_second).value();
  }

  Result<Opinion> try_to_ask(const Behaviour& behaviour, const Behaviour& there, bool has_second = true) {
    executor.passes["a"] = behaviour;
    second.passes["a"] = there;
    for (FakeExecutor* each : {&executor, &second}) {
      OptimizeJob job;
      job.model = model.path;
      job.recipes = {{"onnx_optimizer", {"a"}, Repeat::once}};
      job.folder = folder_.path();
      each->submit(std::move(job));
      while (each->next()) {
      }
    }
    const FaultCase shown{model,
                          options,
                          fault,
                          {"onnx_optimizer", {"a"}, Repeat::once},
                          Contract::equivalent,
                          {},
                          "off",
                          folder_.path() / (hash128("wrong").hex() + ".onnx"),
                          inputs,
                          expected,
                          {},
                          {},
                          {},
                          "1.31.1",
                          "2/2"};
    return second_opinion(shown, {executor, has_second ? &second : nullptr, folder_.path() / "opinion", evaluator});
  }

  /// By the evaluator alone, on a variant that is off by `wrong` in y on the first runtime.
  Opinion ask_evaluator() {
    evaluator = &evaluator_;
    return ask(breaks("wrong"), {}, /*has_second=*/false);
  }

  static std::vector<std::string> outcomes(const Opinion& opinion) {
    std::vector<std::string> words;
    for (const AttributionCell& cell : opinion.cells)
      words.push_back(cell.model + " " + cell.level + " " + cell.outcome);
    return words;
  }

  /// Of the evaluator's runs alone.
  static std::vector<std::string> evaluated(const Opinion& opinion) {
    std::vector<std::string> words;
    for (const AttributionCell& cell : opinion.cells) {
      if (cell.runner != "onnx.reference") continue;
      EXPECT_EQ(cell.version, "1.19.0");
      EXPECT_EQ(cell.level, "");
      words.push_back(cell.model + " " + (cell.precision.empty() ? "own" : cell.precision) + " " + cell.outcome);
    }
    return words;
  }

  static constexpr float wrong = 0.5F;  ///< what `breaks` adds to y

  Model model;
  CheckOptions options;
  FaultRecord fault;
  fs::path inputs, expected;
  FakeExecutor executor, second;
  Evaluator* evaluator = nullptr;
  FakeEvaluator evaluator_;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-opinion-").value();
};

TEST_F(SecondOpinions, ARewriteThatIsWrongEverywhereIsTheOptimizers) {
  const Opinion opinion = ask(breaks("wrong"), breaks("wrong"));
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(outcomes(opinion),
              ::testing::ElementsAre("original off agrees", "variant off differs", "original all agrees",
                                     "variant all differs", "original off agrees", "variant off differs"));
  EXPECT_FLOAT_EQ(static_cast<float>(opinion.cells[1].max_abs), 0.5F);
  EXPECT_EQ(opinion.cells[1].version, "1.31.1");
  EXPECT_FALSE(fs::exists(model.path.parent_path() / "opinion"));
}

TEST_F(SecondOpinions, WithoutASecondRunnerTheFourTellAsMuchAsTheyCan) {
  const Opinion opinion = ask(breaks("wrong"), {}, /*has_second=*/false);
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_EQ(opinion.cells.size(), 4U);
}

TEST_F(SecondOpinions, WhereAnotherRunnerFindsThemAlikeItIsAKernels) {
  EXPECT_EQ(ask(breaks("wrong"), changes("wrong")).attribution, Attribution::kernel);
}

TEST_F(SecondOpinions, WhereRunnersDisagreeOnTheOriginalItIsTheModels) {
  second.original.shift_z = 2;
  EXPECT_EQ(ask(breaks("wrong"), breaks("wrong")).attribution, Attribution::model);
}

TEST_F(SecondOpinions, WhatIsWrongAtTheDeployLevelOnlyIsTheRuntimes) {
  Behaviour fused = changes("wrong");
  fused.deployed = std::make_shared<Behaviour>(breaks("wrong"));
  EXPECT_EQ(ask(fused, fused).attribution, Attribution::runtime);
}

TEST_F(SecondOpinions, ARunnerThatFailsHasNoOpinion) {
  second.original.running = failure(Ending::threw, "not implemented");
  const Opinion opinion = ask(breaks("wrong"), breaks("wrong"));
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_EQ(opinion.cells[4].outcome, "fails");
  EXPECT_EQ(opinion.cells[4].message, "not implemented");
}

TEST_F(SecondOpinions, OfOtherFaultsNothingIsRun) {
  fault.verdict = Verdict::rejected;
  const Opinion opinion = ask(breaks("wrong"), breaks("wrong"));
  EXPECT_THAT(opinion.cells, IsEmpty());
  EXPECT_FALSE(opinion.attribution.has_value());
  EXPECT_THAT(executor.ran, IsEmpty());
}

TEST_F(SecondOpinions, WhereTheEvaluatorFindsThemAlikeItIsAKernels) {
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::kernel);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original float64 agrees", "variant float64 agrees",
                                              "original own agrees", "variant own agrees"));
  EXPECT_FALSE(fs::exists(model.path.parent_path() / "opinion"));
}

TEST_F(SecondOpinions, WhatIsWrongInFloat64TooIsTheOptimizersAndNothingElseIsAsked) {
  evaluator_.variant.off = wrong;
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original float64 agrees", "variant float64 differs"));
  EXPECT_FLOAT_EQ(static_cast<float>(opinion.cells.back().max_abs), wrong);
  EXPECT_EQ(evaluator_.asked[0].inputs, inputs);
}

TEST_F(SecondOpinions, WhatOnlyFloat64FindsAlikeIsNobodysKernel) {
  evaluator_.own_variant = Evaluated{wrong};
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original float64 agrees", "variant float64 agrees",
                                              "original own agrees", "variant own differs"));
}

TEST_F(SecondOpinions, WhatFloat64FindsUnlikeIsNobodysKernelEither) {
  evaluator_.variant.off = 7;
  evaluator_.own_variant = Evaluated{};
  EXPECT_EQ(ask_evaluator().attribution, Attribution::optimizer);
}

TEST_F(SecondOpinions, OfAnOriginalThatIsAnotherOneInFloat64NoKernelIsBlamed) {
  evaluator_.original.off = evaluator_.variant.off = 100;
  evaluator_.own_original = evaluator_.own_variant = Evaluated{};
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original float64 differs", "variant float64 differs",
                                              "original own agrees", "variant own agrees"));
}

TEST_F(SecondOpinions, AnEvaluatorThatIsWrongAboutTheOriginalIsNoWitness) {
  evaluator_.original.off = evaluator_.variant.off = 1;
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original float64 differs", "variant float64 differs",
                                              "original own differs", "variant own differs"));
  EXPECT_EQ(ask(breaks("wrong"), changes("wrong")).attribution, Attribution::kernel)
      << "then the second runtime counts";
  second.original.shift_z = 2;
  EXPECT_EQ(ask(breaks("wrong"), breaks("wrong")).attribution, Attribution::model);
}

TEST_F(SecondOpinions, AnEvaluatorWithThirdValuesIsNoWitness) {
  evaluator_.variant.off = 2 * wrong;
  evaluator = &evaluator_;
  EXPECT_EQ(ask(breaks("wrong"), changes("wrong")).attribution, Attribution::kernel);
  evaluator_.variant.off = wrong;
  EXPECT_EQ(ask(breaks("wrong"), changes("wrong")).attribution, Attribution::optimizer);
}

TEST_F(SecondOpinions, TheEvaluatorsWordCountsBeforeASecondRuntimes) {
  evaluator = &evaluator_;
  EXPECT_EQ(ask(breaks("wrong"), breaks("wrong")).attribution, Attribution::kernel);
}

TEST_F(SecondOpinions, AnEvaluatorThatFailsSaysWhyAndHasNoOpinion) {
  evaluator_.variant.failure = "Node type 'Fused' is unknown";
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original float64 agrees", "variant own fails"));
  EXPECT_EQ(opinion.cells.back().message, "Node type 'Fused' is unknown");
  EXPECT_EQ(evaluator_.asked.size(), 2U);
  EXPECT_EQ(ask(breaks("wrong"), changes("wrong")).attribution, Attribution::kernel) << "by the second runtime";
}

TEST_F(SecondOpinions, AModelThatFloat64CannotHoldIsAskedOnce) {
  evaluator_.original.widens = evaluator_.variant.widens = false;
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::kernel);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original own agrees", "variant own agrees"));
  EXPECT_EQ(opinion.cells.back().message, "not in float64: 'w' is float32 all the same");
}

TEST_F(SecondOpinions, TwoPrecisionsAreNotCompared) {
  evaluator_.variant.widens = false;
  const Opinion opinion = ask_evaluator();
  EXPECT_EQ(opinion.attribution, Attribution::kernel);
  EXPECT_THAT(evaluated(opinion), ElementsAre("original own agrees", "variant own agrees"));
  EXPECT_EQ(evaluator_.asked.size(), 4U);
}

TEST_F(SecondOpinions, OfWhatIsWrongAtTheDeployLevelOnlyTheEvaluatorIsNotAsked) {
  evaluator = &evaluator_;
  Behaviour fused = changes("wrong");
  fused.deployed = std::make_shared<Behaviour>(breaks("wrong"));
  EXPECT_EQ(ask(fused, fused, /*has_second=*/false).attribution, Attribution::runtime);
  EXPECT_THAT(evaluator_.asked, IsEmpty());
}

TEST_F(SecondOpinions, AnInterruptionEndsTheAsking) {
  evaluator = &evaluator_;
  evaluator_.broken = Error{ErrorKind::interrupted, "interrupted", ""};
  const auto opinion = try_to_ask(breaks("wrong"), {}, /*has_second=*/false);
  ASSERT_FALSE(opinion);
  EXPECT_EQ(opinion.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
