#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using OptimizerRepeats = Bench;

std::vector<std::vector<std::string>> passes_of(const OptimizeJob& job) {
  std::vector<std::vector<std::string>> found;
  for (const Recipe& recipe : job.recipes) found.push_back(recipe.passes);
  return found;
}

TEST_F(OptimizerRepeats, TheBundleIsMadeAgainAndNothingIsRunOrKept) {
  executor.passes["a"] = changes("new");
  EXPECT_EQ(control(check(), "optimizer_repeat").verdict, Verdict::equivalent);
  ASSERT_THAT(executor.optimized, SizeIs(2));
  EXPECT_THAT(passes_of(executor.optimized[1]), ElementsAre(ElementsAre("a", "b", "c")));
  EXPECT_EQ(executor.optimized[1].folder, "");
  EXPECT_EQ(executor.runs_of("new"), 1U);
}

TEST_F(OptimizerRepeats, OrWhatWasAskedFor) {
  options.recipe = {"b", "a"};
  check();
  EXPECT_THAT(passes_of(executor.optimized[1]), ElementsAre(ElementsAre("b", "a")));
  executor.optimized.clear();
  options.recipe = {};
  options.each = {"a", "outside"};
  check();
  EXPECT_THAT(passes_of(executor.optimized[1]), ElementsAre(ElementsAre("a"), ElementsAre("outside")));
}

TEST_F(OptimizerRepeats, TwoModelsFromOneRecipeAreTheOptimizersFault) {
  executor.recipes["a,b,c"] = changes("new");
  executor.recipes["a,b,c"].wanders = true;
  const ModelReport report = check();
  EXPECT_EQ(control(report, "optimizer_repeat").verdict, Verdict::diverged);
  EXPECT_EQ(control(report, "optimizer_repeat").message,
            "two fresh processes made two different models of the default pass list");
  ASSERT_THAT(report.faults, SizeIs(1));
  const FaultRecord& fault = report.faults[0];
  EXPECT_EQ(fault.id, "F1");
  EXPECT_EQ(fault.kind, FaultKind::control);
  EXPECT_EQ(fault.control, ControlName::optimizer_repeat);
  EXPECT_EQ(fault.attribution, Attribution::optimizer);
  EXPECT_EQ(fault.verdict, Verdict::diverged);
  EXPECT_THAT(fault.culprits, ElementsAre("optimizer_repeat"));
  EXPECT_THAT(fault.variants, ElementsAre("V04"));
  EXPECT_THAT(fault.signature, HasSubstr("diverged | optimizer_repeat"));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(OptimizerRepeats, ItIsNumberedAfterTheFaultsOfPasses) {
  executor.passes["a"] = breaks("wrong");
  executor.recipes["a,b,c"] = changes("new");
  executor.recipes["a,b,c"].wanders = true;
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_EQ(report.faults[1].id, "F2");
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("optimizer_repeat"));
}

TEST_F(OptimizerRepeats, OnlyThePassesThatFlickerAreNamed) {
  options.each = {"a", "b"};
  executor.passes["a"] = changes("x");
  executor.passes["b"] = changes("y");
  executor.passes["b"].wanders = true;
  const ModelReport report = check();
  EXPECT_THAT(report.faults.at(0).variants, ElementsAre("V02"));
  EXPECT_EQ(control(report, "optimizer_repeat").message, "two fresh processes made two different models of b");
}

TEST_F(OptimizerRepeats, FailingInTheSameWayIsRepeating) {
  executor.recipes["a,b,c"].making = failure(Ending::crashed, "killed by SIGSEGV");
  EXPECT_EQ(control(check(), "optimizer_repeat").verdict, Verdict::equivalent);
}

TEST_F(OptimizerRepeats, FailingOnceInThreeIsInconclusive) {
  executor.recipes["a,b,c"].making = failure(Ending::crashed, "killed by SIGSEGV");
  executor.recipes["a,b,c"].bad_makings = 1;
  const ModelReport report = check();
  EXPECT_EQ(control(report, "optimizer_repeat").verdict, Verdict::inconclusive);
  EXPECT_EQ(control(report, "optimizer_repeat").message,
            "the optimizer failed once to make the default pass list: killed by SIGSEGV");
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 3) << "so it was not judged";
}

TEST_F(OptimizerRepeats, FailingTwiceInThreeIsNotRepeating) {
  options.confirmations = 0;
  int makings = 0;
  options.each = {"a"};
  executor.passes["a"] = changes("x");
  executor.passes["a"].making = failure(Ending::threw, "assertion failed");
  executor.fails_making = [&](const Recipe& recipe) { return recipe.passes == options.each && makings++ > 0; };
  const ModelReport report = check();
  EXPECT_EQ(makings, 3) << "made, made again, and once more because these two differ";
  EXPECT_EQ(control(report, "optimizer_repeat").verdict, Verdict::diverged);
  EXPECT_EQ(control(report, "optimizer_repeat").message,
            "the optimizer failed again and again, but not always, to make a: assertion failed");
  EXPECT_THAT(report.faults, SizeIs(1));
}

TEST_F(OptimizerRepeats, TheMachinesFailureSaysNothing) {
  executor.recipes["a,b,c"].making = failure(Ending::exited, "no space left on the disk");
  executor.recipes["a,b,c"].making.machine = true;
  const ModelReport report = check();
  EXPECT_EQ(control(report, "optimizer_repeat").verdict, Verdict::inconclusive);
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(OptimizerRepeats, AnImportThatFailsIsNotRepeatedHere) {
  executor.import = failure(Ending::threw, "sparse initializers");
  const ModelReport report = check();
  EXPECT_THROW(static_cast<void>(control(report, "optimizer_repeat")), std::runtime_error);
}

TEST_F(OptimizerRepeats, TheOrderOfOutcomesDoesNotMatter) {
  executor.passes["a"] = breaks("wrong");
  executor.recipes["a,b,c"] = changes("new");
  executor.recipes["a,b,c"].wanders = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    executor.shuffle = seed;
    const ModelReport report = check();
    ASSERT_THAT(report.faults, SizeIs(2));
    EXPECT_THAT(report.faults[1].variants, ElementsAre("V04"));
  }
}

}  // namespace
}  // namespace culprit
