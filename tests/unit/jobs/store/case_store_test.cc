#include "store/case_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/jobs/store/store_place.h"

namespace culprit {
namespace {

using testing::case_of;
using testing::complaint_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::key_of;

class CaseStores : public testing::StorePlace {
 protected:
  static std::vector<std::string> keys_in(const CaseReader& reader, const CaseFilter& filter = {}) {
    std::vector<std::string> keys;
    auto seen = reader.for_each(filter, [&](const CaseEntry& entry) {
      keys.push_back(entry.planned.key.hex());
      return Looking::on;
    });
    EXPECT_TRUE(seen) << seen.error().text();
    return keys;
  }
  static CaseState state_of(const CaseReader& reader, int number) {
    return reader.find(key_of(number)).value().value().state;
  }
  static void finish(CaseStore& store, int number, OutcomeStatus status, const std::string& report = "{}") {
    const AttemptId attempt = store.begin(key_of(number)).value();
    ASSERT_TRUE(store.finish(attempt, testing::outcome_of(status, report)));
  }
  /// Begins the case, and leaves the store as a process does that dies.
  void lose(int number) const {
    CaseStore store = CaseStore::open(at("run.sqlite")).value();
    ASSERT_TRUE(store.begin(key_of(number)));
  }
};

TEST_F(CaseStores, ShowTheDearestFirstAndOfEqualCostTheSmallerKey) {
  CaseStore store = CaseStore::open(at("run.sqlite")).value();
  ASSERT_EQ(store.plan(std::vector{case_of(1, 2), case_of(2, 7), case_of(3, 2)}).value(), 3);
  const auto smaller = std::min(key_of(1), key_of(3)), larger = std::max(key_of(1), key_of(3));
  EXPECT_THAT(keys_in(store), ElementsAre(key_of(2).hex(), smaller.hex(), larger.hex()));
  EXPECT_EQ(store.first({}).value()->planned.key, key_of(2));
}

TEST_F(CaseStores, GoOnAfterAPlaceWithoutShowingACaseTwice) {
  CaseStore store = CaseStore::open(at("run.sqlite")).value();
  ASSERT_TRUE(store.plan(std::vector{case_of(1), case_of(2), case_of(3), case_of(4, 5), case_of(5, 0)}));
  std::vector<std::string> one_by_one;
  CaseFilter filter;
  for (auto next = store.first(filter).value(); next; next = store.first(filter).value()) {
    one_by_one.push_back(next->planned.key.hex());
    filter.after = next->place();
  }
  EXPECT_EQ(one_by_one, keys_in(store));
  EXPECT_EQ(one_by_one.size(), 5U);
}

TEST_F(CaseStores, PlanTheSameTwiceWithoutHarm) {
  CaseStore store = store_with(3);
  const AttemptId attempt = store.begin(key_of(1)).value();
  EXPECT_EQ(store.plan(testing::cases_up_to(4)).value(), 1);
  EXPECT_EQ(state_of(store, 1), CaseState::running);
  ASSERT_TRUE(store.plan(std::vector{PlannedCase{key_of(1), "{\"a\"", 9}, PlannedCase{key_of(1), "{\"z\"", 2}}));
  const auto entry = store.find(key_of(1)).value().value();
  EXPECT_EQ(entry.planned.cost, 9);
  EXPECT_EQ(entry.planned.description, "{\"a\"");
  EXPECT_TRUE(store.withdraw(attempt));
}

TEST_F(CaseStores, KeepWhatCameOfACase) {
  const std::string report = std::string("{\"a\": \"\xc3\xa4\0\"}", 12) + std::string(100'000, ' ');
  {
    CaseStore store = store_with(2);
    finish(store, 1, OutcomeStatus::fault, report);
    EXPECT_EQ(state_of(store, 1), CaseState::finished);
    EXPECT_EQ(state_of(store, 0), CaseState::waiting);
  }
  const CaseReader reader = CaseReader::open(at("run.sqlite")).value();
  const auto kept = reader.outcome_of(key_of(1)).value().value();
  EXPECT_EQ(kept.outcome.report, report);
  EXPECT_EQ(kept.outcome.status, OutcomeStatus::fault);
  EXPECT_EQ(kept.outcome.seconds, 0.5);
  EXPECT_GT(kept.finished_ms, 1'500'000'000'000);
  EXPECT_EQ(reader.find(key_of(1)).value()->finished_ms, kept.finished_ms);
  EXPECT_FALSE(reader.outcome_of(key_of(0)).value());
  EXPECT_FALSE(reader.find(key_of(9)).value());
}

TEST_F(CaseStores, WriteTheAttemptBeforeItRuns) {
  CaseStore store = store_with(1);
  ASSERT_TRUE(store.begin(key_of(0)));
  const CaseReader reader = CaseReader::open(at("run.sqlite")).value();
  EXPECT_EQ(state_of(reader, 0), CaseState::running);
  EXPECT_EQ(complaint_of(store.begin(key_of(0))),
            "the case " + key_of(0).hex() + " cannot begin: its state is running");
}

TEST_F(CaseStores, SetACaseAsideWhoseProcessDiedTwice) {
  store_with(2);
  lose(1);
  {
    CaseStore store = CaseStore::open(at("run.sqlite")).value();
    EXPECT_EQ(state_of(store, 1), CaseState::waiting);
    EXPECT_EQ(store.find(key_of(1)).value()->lost_attempts, 1);
  }
  lose(1);
  CaseStore store = CaseStore::open(at("run.sqlite")).value();
  const auto entry = store.find(key_of(1)).value().value();
  EXPECT_EQ(entry.state, CaseState::set_aside);
  EXPECT_EQ(entry.status, OutcomeStatus::inconclusive);
  const auto begun = store.begin(key_of(1));
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind, ErrorKind::usage);
  EXPECT_EQ(state_of(store, 0), CaseState::waiting);
  ASSERT_TRUE(store.try_again(key_of(1)));
  EXPECT_EQ(state_of(store, 1), CaseState::waiting);
}

TEST_F(CaseStores, SetACaseAsideAfterAsManyDeathsAsAreAskedFor) {
  store_with(1);
  for (int deaths = 0; deaths < 3; ++deaths) {
    EXPECT_EQ(state_of(CaseReader::open(at("run.sqlite"), {.most_lost_attempts = 3}).value(), 0), CaseState::waiting);
    CaseStore store = CaseStore::open(at("run.sqlite"), {.most_lost_attempts = 3}).value();
    ASSERT_TRUE(store.begin(key_of(0)));
  }
  EXPECT_EQ(state_of(CaseReader::open(at("run.sqlite"), {.most_lost_attempts = 3}).value(), 0), CaseState::set_aside);
}

TEST_F(CaseStores, DoNotCountAnAttemptThatTheUserStopped) {
  CaseStore store = store_with(1);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store.withdraw(store.begin(key_of(0)).value()));
  EXPECT_EQ(state_of(store, 0), CaseState::waiting);
  EXPECT_EQ(store.find(key_of(0)).value()->lost_attempts, 0);
}

TEST_F(CaseStores, EndAnAttemptOnce) {
  CaseStore store = store_with(1);
  const AttemptId attempt = store.begin(key_of(0)).value();
  ASSERT_TRUE(store.finish(attempt, testing::outcome_of(OutcomeStatus::ok)));
  for (const auto& again : {store.finish(attempt, testing::outcome_of(OutcomeStatus::fault)), store.withdraw(attempt),
                            store.withdraw(AttemptId{})}) {
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, ErrorKind::internal);
  }
  EXPECT_EQ(store.outcome_of(key_of(0)).value()->outcome.status, OutcomeStatus::ok);
  EXPECT_EQ(complaint_of(store.begin(key_of(0))),
            "the case " + key_of(0).hex() + " cannot begin: its state is finished");
  EXPECT_EQ(store.begin(key_of(7)).error().kind, ErrorKind::not_found);
}

TEST_F(CaseStores, AreAskedByStateStatusAndShard) {
  {
    CaseStore store = store_with(6);
    finish(store, 5, OutcomeStatus::fault);
    finish(store, 4, OutcomeStatus::ok);
    finish(store, 3, OutcomeStatus::inconclusive);
  }
  lose(0);
  lose(0);
  CaseStore store = CaseStore::open(at("run.sqlite")).value();
  ASSERT_TRUE(store.begin(key_of(1)));
  const auto hex = [](int number) { return key_of(number).hex(); };
  EXPECT_THAT(keys_in(store, {.states = {CaseState::waiting}}), ElementsAre(hex(2)));
  EXPECT_THAT(keys_in(store, {.states = {CaseState::running, CaseState::set_aside}}), ElementsAre(hex(1), hex(0)));
  EXPECT_THAT(keys_in(store, {.statuses = {OutcomeStatus::fault, OutcomeStatus::ok}}), ElementsAre(hex(5), hex(4)));
  EXPECT_THAT(keys_in(store, {.statuses = {OutcomeStatus::inconclusive}}), ElementsAre(hex(3), hex(0)));
  EXPECT_THAT(keys_in(store, {.states = {CaseState::finished}, .statuses = {OutcomeStatus::inconclusive}}),
              ElementsAre(hex(3)));
  EXPECT_THAT(keys_in(store, {.statuses = {OutcomeStatus::known}}), IsEmpty());
  EXPECT_EQ(keys_in(store, {.shard = Shard{1, 2}}).size() + keys_in(store, {.shard = Shard{2, 2}}).size(), 6U);
  const CaseCounts counts = store.counts().value();
  EXPECT_EQ(counts.planned, 6);
  EXPECT_EQ(counts.in(CaseState::finished), 3);
  EXPECT_EQ(counts.in(CaseState::running), 1);
  EXPECT_EQ(counts.in(CaseState::set_aside), 1);
  EXPECT_EQ(counts.by_status.at(OutcomeStatus::inconclusive), 2);
  EXPECT_EQ(counts.by_status.count(OutcomeStatus::known), 0U);
  EXPECT_EQ(counts.seconds_left, 2 + 1);
}

TEST_F(CaseStores, RefuseWhatIsTooLargeAndWhatIsNoCost) {
  CaseStore store = store_with(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double cost : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    const auto planned = store.plan(std::vector{case_of(7), case_of(8, cost)});
    ASSERT_FALSE(planned);
    EXPECT_EQ(planned.error().kind, ErrorKind::internal);
  }
  EXPECT_FALSE(store.plan(std::vector{PlannedCase{key_of(7), std::string(largest_case_description + 1, 'x'), 1}}));
  EXPECT_EQ(store.counts().value().planned, 1);  // nothing of a list that is refused is there
  const AttemptId attempt = store.begin(key_of(0)).value();
  EXPECT_THAT(complaint_of(store.finish(attempt, {OutcomeStatus::ok, 1, std::string(largest_case_report + 1, 'x')})),
              HasSubstr("at most 67.1 MB are kept"));
  EXPECT_FALSE(store.finish(attempt, {OutcomeStatus::ok, nan, "{}"}));
  EXPECT_EQ(state_of(store, 0), CaseState::running);
  EXPECT_TRUE(store.finish(attempt, {OutcomeStatus::ok, 1, std::string(largest_case_report, 'x')}));
  EXPECT_EQ(store.outcome_of(key_of(0)).value()->outcome.report.size(), largest_case_report);
}

}  // namespace
}  // namespace culprit
