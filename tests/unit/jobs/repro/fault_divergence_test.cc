// Where a fault's values part first, on an executor that computes.
#include "repro/fault_divergence.h"

#include "unit/judging/compare/evaluator.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Three layers, of which the third has a weight.
std::string layers(const std::string& weight) {
  return "g (float[3] x) => (float[3] y) <float[3] v = {1.5, 2, 0.25}, float[3] u = {" + weight +
         "}> { a = Mul(x, v)  b = Abs(a)  c = Mul(b, u)  y = Neg(c) }";
}

class FaultDivergences : public CompareBench {
 protected:
  FaultDivergences() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-parting-").value()) {
    fault.id = "F1";
    inputs_file = folder_.path() / "in.pack";
    expected_file = folder_.path() / "out.pack";
    EXPECT_TRUE(write_pack(inputs_file, inputs[0]));
  }

  FaultDivergence find(const std::string& original, const std::string& variant) {
    const Model a = model("A", original), b = model("B", variant);
    RunJob job;
    job.model = a.path;
    job.samples = {inputs_file};
    job.folder = folder_.path() / "reference";
    ComputingExecutor reference;
    reference.submit(job);
    fs::rename(std::get<RunOutcome>(*reference.next()).outputs.at(0), expected_file);
    const FaultCase shown{a,           check,         fault, {"onnx_optimizer", {"a"}, Repeat::once},
                          contract,    session,       "off", b.path,
                          inputs_file, expected_file, {},    {},
                          {},          "1.31.1",      "2/2"};
    auto found = fault_divergence(shown, {evaluator, folder_.path() / "divergence", is_time_up});
    EXPECT_FALSE(fs::exists(folder_.path() / "divergence"));
    if (!found) throw std::runtime_error(found.error().text());
    return std::move(*found);
  }

  CheckOptions check;
  FaultRecord fault;
  Contract contract = Contract::equivalent;
  SessionOptions session;
  Stop is_time_up;
  fs::path inputs_file, expected_file;

 private:
  TemporaryFolder folder_;
};

TEST_F(FaultDivergences, TheValueTheNodeAndTheCostAreTold) {
  const FaultDivergence found = find(layers("1, 1, 1"), layers("1, 2, 1"));
  EXPECT_EQ(found.message, "");
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->original, "c");
  EXPECT_EQ(found.first->variant, "c");
  EXPECT_EQ(found.first->nodes_original.at(0).op, "Mul");
  EXPECT_EQ(found.first->nodes_variant.at(0).index, 2);
  EXPECT_EQ(found.first->state, "made_here");
  EXPECT_DOUBLE_EQ(found.first->error, 4.5);
  EXPECT_GT(found.first->floor, 0);
  EXPECT_LT(found.first->floor, 1e-3);
  EXPECT_EQ(found.first->coverage, 100);
  EXPECT_THAT(
      found.first->message,
      HasSubstr("first mismatch at 'c', made by Mul of 'c' in the original, by Mul of 'c' in the variant; given the "
                "original's values there, max abs error 4.5"));
  EXPECT_EQ(found.first->runs, static_cast<std::int64_t>(evaluator.ran.size())) << "one sample a run";
}

/// The variant, the original again, both with inner values, and its region alone; draws move the original's outputs and
/// then its inner values.
TEST_F(FaultDivergences, WhatASmallModelCosts) {
  check.draws = 3;
  EXPECT_EQ(find(layers("1, 1, 1"), layers("1, 2, 1")).first->runs, 1 + 1 + 3 + 2 + 3 + 1);
}

TEST_F(FaultDivergences, OfFaultsThatAreNoneOfValuesNothingIsRunOrSaid) {
  fault.verdict = Verdict::rejected;
  EXPECT_EQ(find(layers("1, 1, 1"), layers("1, 2, 1")).message, "");
  fault.verdict = Verdict::diverged;
  contract = Contract::partition;
  EXPECT_FALSE(find(layers("1, 1, 1"), layers("1, 2, 1")).first);
  EXPECT_THAT(evaluator.ran, IsEmpty());
}

TEST_F(FaultDivergences, WhatFailsAtTheDeployLevelOnlyHasNoSuchValue) {
  session.level = Level::all;
  const FaultDivergence found = find(layers("1, 1, 1"), layers("1, 2, 1"));
  EXPECT_FALSE(found.first);
  EXPECT_THAT(found.message, HasSubstr("not looked for: it shows at the level all only"));
  EXPECT_THAT(evaluator.ran, IsEmpty());
}

TEST_F(FaultDivergences, WhereTheTimeIsUpNothingIsRun) {
  is_time_up = [] { return true; };
  EXPECT_EQ(find(layers("1, 1, 1"), layers("1, 2, 1")).message, "not looked for: the time was up");
  EXPECT_THAT(evaluator.ran, IsEmpty());
}

TEST_F(FaultDivergences, TimeThatIsUpOnTheWayEndsTheReading) {
  int asked = 0;
  is_time_up = [&] { return ++asked > 1; };
  const FaultDivergence found = find(layers("1, 1, 1"), layers("1, 2, 1"));
  EXPECT_FALSE(found.first);
  EXPECT_THAT(found.message, HasSubstr("the time was up"));
  EXPECT_EQ(evaluator.most_outputs, 1U) << "no inner value was read";
}

TEST_F(FaultDivergences, WhatCannotBeReadIsSaid) {
  evaluator.disturbing = {"a", "b", "c"};
  const FaultDivergence found = find(layers("1, 1, 1"), layers("1, 2, 1"));
  ASSERT_TRUE(found.first) << found.message;
  EXPECT_EQ(found.first->original, "y") << "the first that can be read";
  EXPECT_EQ(found.first->nodes_original.size(), 4U);
}

TEST_F(FaultDivergences, WhatDoesNotShowAgainIsSaid) {
  EXPECT_THAT(find(layers("1, 1, 1"), layers("1, 1, 1")).message, HasSubstr("within the tolerance"));
}

}  // namespace
}  // namespace culprit
