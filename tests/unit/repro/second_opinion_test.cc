#include "repro/second_opinion.h"

#include "check/folders.h"
#include "repro_samples.h"
#include "unit/check/bench.h"

namespace culprit {
namespace {

using testing::IsEmpty;

/// The fault that pass a makes in y, and two executors that do what a test says.
class SecondOpinions : public testing::Test {
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
                          {},
                          "1.31.1",
                          "2/2"};
    return second_opinion(shown, {executor, has_second ? &second : nullptr, folder_.path() / "opinion"}).value();
  }

  static std::vector<std::string> outcomes(const Opinion& opinion) {
    std::vector<std::string> words;
    for (const AttributionCell& cell : opinion.cells)
      words.push_back(cell.model + " " + cell.level + " " + cell.outcome);
    return words;
  }

  Model model;
  CheckOptions options;
  FaultRecord fault;
  fs::path inputs, expected;
  FakeExecutor executor, second;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-opinion-").value();
};

TEST_F(SecondOpinions, ARewriteThatIsWrongEverywhereIsTheOptimizers) {
  const Opinion opinion = ask(breaks("wrong"), breaks("wrong"));
  EXPECT_EQ(opinion.attribution, Attribution::optimizer);
  EXPECT_THAT(outcomes(opinion),
              testing::ElementsAre("original off agrees", "variant off differs", "original all agrees",
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

}  // namespace
}  // namespace culprit
