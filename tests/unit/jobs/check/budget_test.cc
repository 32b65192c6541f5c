// --budget: what is done, what is not, and what is said of it. The clock is the number of runs that were started.
#include "bench.h"
#include "check/decisions/decision_data.h"
#include "stream/chunk_reader.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Budget : public Bench {
 protected:
  Budget() {
    options.each = {"a", "b", "c"};
    for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = changes(std::string("by ") + pass);
  }
  /// Time is up once so many runs were started.
  ModelReport check_within(std::size_t runs) {
    const auto is_time_up = [this, runs] { return executor.ran.size() >= runs; };
    return check_model(model, proposals, options, {executor, optimizer, folder(), progress, is_time_up}).value();
  }
  /// Ten samples, drawn when they are asked for.
  void draw_ten() {
    Proposal lazy = proposal("lazy", {});
    lazy.facts.samples = lazy.drawn = 10;
    lazy.facts.other_dims = {{"n", 3}};
    lazy.draw = [this](std::int64_t index, const Stop&) -> Result<Sample> {
      ++drawn;
      return Sample{"s", {{"x", Tensor::of<float>({2}, {static_cast<float>(index + 1), -1})}}};
    };
    proposals = {lazy};
  }
  Result<ModelReport> check_until(const Stop& is_time_up, const Stop& is_interrupted = {}) {
    return check_model(model, proposals, options,
                       {executor, optimizer, folder(), progress, is_time_up, is_interrupted});
  }
  int drawn = 0;

  [[nodiscard]] std::vector<std::string> files_run() const {
    std::vector<std::string> files;
    for (const RunJob& job : executor.ran) files.push_back(job.model.stem());
    return files;
  }
};

constexpr std::size_t plenty = 1000;

TEST_F(Budget, WithTimeEnoughNothingIsSkipped) {
  const ModelReport report = check_within(plenty);
  EXPECT_THAT(report.skipped, IsEmpty());
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 3));
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(Budget, TheReportIsTheSameAsWithoutOne) {
  options.each.clear();
  options.deploy_level = Level::all;
  executor.passes["b"] = breaks("wrong");
  const ModelReport within = check_within(plenty);
  executor.ran.clear();
  const ModelReport without = check();
  ASSERT_EQ(within.variants.size(), without.variants.size());
  for (std::size_t i = 0; i < without.variants.size(); ++i)
    EXPECT_EQ(within.variants[i].verdict, without.variants[i].verdict) << without.variants[i].id;
  EXPECT_EQ(within.faults.size(), without.faults.size());
}

TEST_F(Budget, WhatIsNotJudgedIsInconclusiveAndNamed) {
  const ModelReport report = check_within(2 + 1);  // the reference, its repeat, one variant
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  for (const char* pass : {"b", "c"}) {
    EXPECT_EQ(variant(report, pass).verdict, Verdict::inconclusive);
    EXPECT_EQ(variant(report, pass).evidence.ending, EvidenceEnding::skipped);
    EXPECT_THAT(variant(report, pass).message, testing::HasSubstr("--budget"));
  }
  EXPECT_THAT(report.skipped, testing::IsSupersetOf({"b", "c"}));
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(Budget, WhereNothingWasJudgedItSaysSo) {
  const ModelReport report = check_within(0);
  EXPECT_THAT(executor.ran, SizeIs(2)) << "the reference and its repeat, always";
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(Budget, TheBundleComesBeforeSinglePassesAndTheseBeforeTheDeployLevel) {
  options.each.clear();
  options.deploy_level = Level::all;
  for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = changes(std::string("by ") + pass);
  executor.recipes["a,b,c"] = changes("by all");
  check_within(plenty);
  const auto files = files_run();
  const auto place = [&](const std::string& content) {
    return std::ranges::find(files, hash128(content).hex()) - files.begin();
  };
  EXPECT_LT(place("by all"), place("by a"));
  EXPECT_LT(place("by a"), place("by b"));
  EXPECT_LT(place("by b"), place("by c"));
  std::ptrdiff_t deployed = 0, single = 0;
  for (std::size_t i = 0; i < executor.ran.size(); ++i) {
    const bool is_variant = files[i] != "net";
    if (!is_variant) continue;
    const auto number = static_cast<std::ptrdiff_t>(i);
    (executor.ran[i].session.level == Level::all ? deployed : single) = number;
    if (executor.ran[i].session.level == Level::all) continue;
    EXPECT_EQ(deployed, 0) << i;
  }
  EXPECT_GT(deployed, single);
}

TEST_F(Budget, AFaultThatWasFoundIsConfirmedWhateverTheTime) {
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check_within(3);
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
  EXPECT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(exit_code_of(report, false), 1);
  EXPECT_THAT(report.skipped, Contains("b"));
}

TEST_F(Budget, WhatIsSkippedAtTheDeployLevelIsNotVerifiedThere) {
  options.each = {"a"};
  options.deploy_level = Level::all;
  const ModelReport report = check_within(4);  // with the original there
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  ASSERT_TRUE(variant(report, "a").deployed);
  EXPECT_EQ(variant(report, "a").deployed->verdict, Verdict::inconclusive);
  EXPECT_THAT(report.skipped, Contains("a at all"));
}

TEST_F(Budget, TheSearchForTheSafeRecipeStops) {
  options.each.clear();
  executor.recipes["a,b,c"] = breaks("wrong together");
  const ModelReport report = check_within(3);
  EXPECT_EQ(exit_code_of(report, false), 1);
  ASSERT_TRUE(report.safe_recipe);
  EXPECT_FALSE(report.safe_recipe->verified);
  EXPECT_THAT(report.skipped, Contains("the search for the safe list"));
}

TEST_F(Budget, WhatIsAsTheRoundTripIsNotRightBecauseThatWasSkipped) {
  options.each.clear();
  executor.passes.clear();
  executor.round_trip = changes("by the round trip");
  const ModelReport report = check_within(0);
  EXPECT_THAT(report.skipped, Contains("round_trip"));
  EXPECT_FALSE(report.safe_recipe->verified);
  EXPECT_EQ(exit_code_of(report, false), 3);
  executor.ran.clear();
  EXPECT_TRUE(check_within(plenty).safe_recipe->verified);
}

TEST_F(Budget, WhatTheWorkersSpentIsAddedUp) {
  const ModelReport report = check_within(plenty);
  EXPECT_DOUBLE_EQ(report.spent.runs, 0.25 * 5);
}

TEST_F(Budget, SamplesAreDrawnUntilTimeIsUp) {
  draw_ten();
  const ModelReport report = check_until([this] { return drawn >= 4; }).value();
  EXPECT_EQ(drawn, 4);
  EXPECT_THAT(executor.ran.at(0).samples, SizeIs(4));
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_EQ(report.data.samples, 1) << "time is up, so the reference runs one of them";
  EXPECT_THAT(report.skipped, Contains("9 of 10 samples"));
}

TEST_F(Budget, TheFirstSampleIsMadeAndRunWhateverTheTime) {
  draw_ten();
  const ModelReport report = check_until([] { return true; }).value();
  EXPECT_EQ(drawn, 1);
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_EQ(report.data.samples, 1);
  EXPECT_THAT(report.data.other_dims, IsEmpty()) << "no second sample has them";
  EXPECT_EQ(exit_code_of(report, false), 3) << "nothing was judged";
}

TEST_F(Budget, WhatTheReferenceRanInTimeIsWhatCounts) {
  draw_ten();
  int ran = 0;
  executor.refuses_sample = [&](float) { return ++ran < 0; };
  executor.passes["a"] = breaks("wrong");
  bool is_judging = false;  // then there is time again: what is looked at is the number of samples
  executor.refuses = [&](const RunJob& job, RunOutcome::Stage&) {
    is_judging = job.fresh_process;
    return Failure{};
  };
  const ModelReport report = check_until([&] { return !is_judging && ran >= 3; }).value();
  EXPECT_EQ(drawn, 10);
  EXPECT_EQ(report.data.samples, 3);
  EXPECT_THAT(report.skipped, Contains("7 of 10 samples"));
  for (std::size_t i = 1; i < executor.ran.size(); ++i) EXPECT_THAT(executor.ran[i].samples, SizeIs(3)) << i;
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_EQ(variant(report, "b").verdict, Verdict::equivalent);
}

TEST_F(Budget, AnInterruptEndsTheDrawingAndNothingIsRun) {
  draw_ten();
  const auto report = check_until({}, [this] { return drawn >= 4; });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(drawn, 4);
  EXPECT_THAT(executor.ran, IsEmpty());
}

/// Sample n is x = [n, -1].
class Rows : public SampleSource {
 public:
  explicit Rows(std::int64_t size) : size_(size) {}
  [[nodiscard]] DataFacts facts() const override { return {}; }
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] std::string name(std::int64_t number) const override { return "row " + std::to_string(number); }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop&) const override {
    return Sample{name(number), {{"x", Tensor::of<float>({2}, {static_cast<float>(number), -1})}}};
  }

 private:
  std::int64_t size_;
};

class BudgetOfData : public Budget {
 protected:
  BudgetOfData() {
    options.each.clear();
    options.recipe = {"b"};
    executor.original_took.samples = {10, 10, 10};  // seconds: a chunk is one sample
  }
  /// The time is up once so many runs were started.
  ModelReport look_within(std::size_t runs, const std::string& task = "classification") {
    const DecisionData data{rows, in_order(rows.size()), task};
    const auto is_time_up = [this, runs] { return executor.ran.size() >= runs; };
    CheckTools tools{executor, optimizer, folder(), progress, is_time_up};
    tools.data_set = &data;
    return check_model(model, proposals, options, tools).value();
  }
  Rows rows{60};
};

TEST_F(BudgetOfData, ALongLookAtADataSetIsCutShortAndSaysHowFarItCame) {
  const ModelReport report = look_within(12);
  const VariantDecisions found = variant(report, "b").decisions.value();
  EXPECT_GT(found.decisions.samples, 0);
  EXPECT_LT(found.decisions.samples, 10) << "two runs a sample, and the time is up after twelve";
  EXPECT_EQ(found.decisions.samples + found.not_reached, 60);
  const std::string looked_at = std::to_string(found.decisions.samples) + " of 60 samples were looked at";
  EXPECT_THAT(found.message, testing::HasSubstr(looked_at + " before the time was spent"));
  EXPECT_THAT(report.skipped, Contains("decisions on the whole data set: " + looked_at));
}

TEST_F(BudgetOfData, WithTimeEnoughAllAreLookedAt) {
  const ModelReport report = look_within(plenty);
  const VariantDecisions found = variant(report, "b").decisions.value();
  EXPECT_EQ(found.decisions.samples, 60);
  EXPECT_EQ(found.not_reached, 0);
  EXPECT_THAT(found.message, testing::Not(testing::HasSubstr("looked at")));
  EXPECT_THAT(report.skipped, IsEmpty());
}

TEST_F(BudgetOfData, WhatWasFoundUntilThenIsJudgedAndConfirmed) {
  executor.passes["b"] = breaks("wrong");
  const ModelReport report = look_within(12, "tensor");
  EXPECT_GT(variant(report, "b").decisions.value().not_reached, 0);
  EXPECT_EQ(variant(report, "b").verdict, Verdict::diverged);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

}  // namespace
}  // namespace culprit
