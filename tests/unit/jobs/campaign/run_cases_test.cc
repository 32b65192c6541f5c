#include "campaign/run_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// What becomes of a case in the fake: it ends with this code, or is killed.
enum class Fate { ok, fault, broken, killed };

/// Ends one case in each `wait`: the one that began first.
class FakeRunner : public CaseRunner {
 public:
  std::function<Fate(const std::string& model)> fate = [](const std::string&) { return Fate::ok; };
  std::vector<std::string> began;
  std::vector<std::size_t> beside;  ///< how many others ran when it began
  std::size_t killed = 0;

  Result<void> start(const CaseKey& key, const CaseOrder& order) override {
    began.push_back(order.model);
    beside.push_back(running_.size());
    running_.push_back({key, order.model});
    return {};
  }
  Result<std::vector<CaseEnd>> wait() override {
    const auto [key, model] = running_.front();
    running_.erase(running_.begin());
    CaseEnd end{key, 1.0};
    switch (fate(model)) {
      case Fate::ok:
        end.exit_code = 0;
        break;
      case Fate::fault:
        end.exit_code = 1;
        break;
      case Fate::broken:
        end.exit_code = 4;
        break;
      case Fate::killed:
        end.death = {Ending::out_of_memory, "killed by SIGKILL", ""};
        end.death.doubtful = true;
        break;
    }
    return std::vector{end};
  }
  void kill_all() override {
    killed += running_.size();
    running_.clear();
  }

 private:
  std::vector<std::pair<CaseKey, std::string>> running_;
};

Result<CaseOutcome> by_code(const CaseOrder&, const CaseEnd& end) {
  const int code = end.exit_code.value_or(4);
  return CaseOutcome{code == 0   ? OutcomeStatus::ok
                     : code == 1 ? OutcomeStatus::fault
                                 : OutcomeStatus::failed,
                     end.seconds, "{}"};
}

class RunsOfCases : public ::testing::Test {
 protected:
  static PlannedCase planned(const std::string& model, double cost, CampaignJob job = CampaignJob::check) {
    CaseParts parts;
    parts.add(KeyPart::job, std::string(name_of(job))).add(KeyPart::model, model);
    CaseOrder order;
    order.job = job;
    order.model = model;
    return {CaseKey::of(parts).value(), as_description(order), cost};
  }
  [[nodiscard]] CaseStore open() const { return CaseStore::open(folder_.path() / "campaign.sqlite").value(); }
  Result<RunEnd> run(CaseStore& store, const RunSettings& settings) {
    return run_cases(settings,
                     {store, runner_, by_code, [this](const RunProgress& told) { progress_.push_back(told); }});
  }
  static CaseCounts counts(const CaseStore& store) { return store.counts().value(); }

  FakeRunner runner_;
  std::vector<RunProgress> progress_;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-run-").value();
};

TEST_F(RunsOfCases, TheLongestComesFirstAndAllAreFinished) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 1), planned("b", 3), planned("c", 2)}));
  runner_.fate = [](const std::string& model) { return model == "c" ? Fate::fault : Fate::ok; };
  EXPECT_EQ(run(store, {.jobs = 2}).value(), RunEnd::all_done);
  EXPECT_THAT(runner_.began, ElementsAre("b", "c", "a"));
  EXPECT_THAT(runner_.beside, ElementsAre(0, 1, 1));
  EXPECT_EQ(counts(store).in(CaseState::finished), 3);
  EXPECT_EQ(progress_.back().done, 3);
  EXPECT_EQ(progress_.back().total, 3);
  EXPECT_EQ(progress_.back().faults, 1);
  EXPECT_EQ(progress_.back().seconds_left, 0);
}

TEST_F(RunsOfCases, NothingIsDoneTwice) {
  {
    CaseStore store = open();
    ASSERT_TRUE(store.plan(std::vector{planned("a", 1), planned("b", 3)}));
    ASSERT_TRUE(run(store, {}));
  }
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 1), planned("b", 3), planned("c", 2)}));
  runner_.began.clear();
  EXPECT_EQ(run(store, {}).value(), RunEnd::all_done);
  EXPECT_THAT(runner_.began, ElementsAre("c"));
}

TEST_F(RunsOfCases, WhatMeasuresTimeRunsAloneAndLast) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("p", 9, CampaignJob::profile), planned("q", 8, CampaignJob::profile),
                                     planned("a", 1), planned("b", 2)}));
  ASSERT_TRUE(run(store, {.jobs = 4}));
  EXPECT_THAT(runner_.began, ElementsAre("b", "a", "p", "q"));
  EXPECT_THAT(runner_.beside, ElementsAre(0, 1, 0, 0));
}

TEST_F(RunsOfCases, WhatIsKilledBeginsAgainAloneAndIsSetAsideAfterTwo) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 3), planned("b", 2), planned("c", 1)}));
  runner_.fate = [](const std::string& model) { return model == "a" ? Fate::killed : Fate::ok; };
  EXPECT_EQ(run(store, {.jobs = 3}).value(), RunEnd::all_done);
  EXPECT_THAT(runner_.began, ElementsAre("a", "b", "c", "a"));
  EXPECT_EQ(runner_.beside.back(), 0);
  EXPECT_EQ(counts(store).in(CaseState::set_aside), 1);
  EXPECT_EQ(counts(store).by_status[OutcomeStatus::inconclusive], 1);
  EXPECT_EQ(progress_.back().total, 3);
}

TEST_F(RunsOfCases, WhatWasUnderWayWhenItWasKilledBeginsAlone) {
  {
    CaseStore store = open();
    ASSERT_TRUE(store.plan(std::vector{planned("a", 3), planned("b", 2), planned("c", 1)}));
    ASSERT_TRUE(store.begin(planned("a", 3).key));  // and the process dies
  }
  CaseStore store = open();
  EXPECT_EQ(run(store, {.jobs = 3}).value(), RunEnd::all_done);
  EXPECT_THAT(runner_.began, ElementsAre("b", "c", "a"));
  EXPECT_EQ(runner_.beside.back(), 0);
}

TEST_F(RunsOfCases, FailedAndSetAsideOnesAreTriedAgainWhereOneAsks) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 3), planned("b", 2), planned("c", 1)}));
  runner_.fate = [](const std::string& model) {
    return model == "a" ? Fate::killed : model == "b" ? Fate::broken : Fate::ok;
  };
  ASSERT_TRUE(run(store, {}));
  runner_.fate = [](const std::string&) { return Fate::ok; };
  runner_.began.clear();
  ASSERT_TRUE(run(store, {}));
  EXPECT_THAT(runner_.began, IsEmpty());
  ASSERT_TRUE(run(store, {.again = true}));
  EXPECT_THAT(runner_.began, UnorderedElementsAre("a", "b"));
  EXPECT_EQ(counts(store).by_status[OutcomeStatus::ok], 3);
  EXPECT_EQ(progress_.back().done, 3);
}

TEST_F(RunsOfCases, EnoughFaultsEndItAndWhatRunsIsWithdrawn) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 3), planned("b", 2), planned("c", 1)}));
  runner_.fate = [](const std::string&) { return Fate::fault; };
  EXPECT_EQ(run(store, {.jobs = 2, .stop_after_faults = 1}).value(), RunEnd::enough_faults);
  EXPECT_THAT(runner_.began, ElementsAre("a", "b"));
  EXPECT_EQ(runner_.killed, 1);
  EXPECT_EQ(store.find(planned("b", 2).key).value()->state, CaseState::waiting);
  EXPECT_EQ(store.find(planned("b", 2).key).value()->lost_attempts, 0);
}

TEST_F(RunsOfCases, AStopWithdrawsWhatRuns) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 3), planned("b", 2)}));
  int asked = 0;
  EXPECT_EQ(run(store, {.jobs = 2, .is_interrupted = [&] { return ++asked > 1; }}).value(), RunEnd::interrupted);
  EXPECT_EQ(counts(store).in(CaseState::finished), 1);
  EXPECT_EQ(counts(store).in(CaseState::waiting), 1);
  EXPECT_EQ(counts(store).in(CaseState::running), 0);
}

TEST_F(RunsOfCases, ShardsAreDisjointAndTogetherAll) {
  std::vector<PlannedCase> cases;
  for (int i = 0; i < 20; ++i) cases.push_back(planned("m" + std::to_string(i), i));
  CaseStore store = open();
  ASSERT_TRUE(store.plan(cases));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(run(store, {.jobs = 2, .shard = Shard{i, 3}}));
  std::ranges::sort(runner_.began);
  EXPECT_EQ(runner_.began.size(), 20U);
  EXPECT_EQ(std::ranges::adjacent_find(runner_.began), runner_.began.end());
}

TEST_F(RunsOfCases, AMachineThatFailsEndsItWithoutAnOutcome) {
  CaseStore store = open();
  ASSERT_TRUE(store.plan(std::vector{planned("a", 3)}));
  const auto full = [](const CaseOrder&, const CaseEnd&) -> Result<CaseOutcome> {
    return fail(ErrorKind::io, "the disk is full");
  };
  const auto end = run_cases({}, {store, runner_, full});
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().text(), HasSubstr("the disk is full"));
  EXPECT_EQ(counts(store).in(CaseState::waiting), 1);
}

}  // namespace
}  // namespace culprit
