#include "store/merge_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "unit/jobs/store/store_place.h"

namespace culprit {
namespace {

using testing::case_of;
using testing::content_of;
using ::testing::HasSubstr;
using testing::key_of;

class MergedStores : public testing::StorePlace {
 protected:
  /// A store as a shard leaves it that does this and that at random, and dies now and then.
  void make_shard(const std::string& name, Random& random) const {
    for (int life = 0; life < 2; ++life) {
      CaseStore store = CaseStore::open(at(name), {.now_ms = [&] { return random.between(1, 4); }}).value();
      std::vector<PlannedCase> cases;
      for (int i = 0; i < 6; ++i)
        if (random.between(0, 2) > 0) cases.push_back(case_of(i, static_cast<double>(random.between(0, 3))));
      store.plan(cases).value();
      for (const PlannedCase& planned : cases) {
        auto attempt = store.begin(planned.key);
        if (!attempt) continue;
        const auto status = static_cast<OutcomeStatus>(random.between(0, 4));
        if (random.between(0, 3) == 0) {
          EXPECT_TRUE(store.withdraw(*attempt));
        } else if (random.between(0, 2) > 0) {
          EXPECT_TRUE(store.finish(*attempt, testing::outcome_of(status, std::to_string(random.between(0, 1)))));
        }
      }
    }
  }
  /// What a new store holds that takes these in, one after the other.
  [[nodiscard]] std::string merged(const std::vector<std::string>& names, const std::string& into) const {
    for (const char* side : {"", "-wal", "-shm"}) fs::remove(at(into + side));
    CaseStore store = CaseStore::open(at(into)).value();
    for (const std::string& name : names) {
      const auto answer = store.merge(at(name));
      EXPECT_TRUE(answer) << answer.error().text();
    }
    return content_of(at(into));
  }
  /// A store with one finished case.
  CaseStore with_outcome(const std::string& name, OutcomeStatus status, std::int64_t now, const char* report) const {
    CaseStore store = CaseStore::open(at(name), {.now_ms = [now] { return now; }}).value();
    store.plan(std::vector{case_of(0)}).value();
    EXPECT_TRUE(store.finish(store.begin(key_of(0)).value(), testing::outcome_of(status, report)));
    return store;
  }
};

TEST_F(MergedStores, HoldTheSameInWhichOrderAndHowOftenTheyCame) {
  Random random(46);
  for (int round = 0; round < 3; ++round) {
    const auto name = [&](const char* letter) { return letter + std::to_string(round); };
    const std::string a = name("a"), b = name("b"), c = name("c");
    for (const std::string& shard : {a, b, c}) make_shard(shard, random);
    const std::string all = merged({a, b, c}, "all");
    EXPECT_EQ(merged({c, a, b}, "other"), all);
    EXPECT_EQ(merged({b, c, a}, "other"), all);
    EXPECT_EQ(merged({a, a, b, c, b, a, c}, "other"), all);
    const std::string pair = merged({b, c}, "pair");
    EXPECT_NE(pair, all);
    EXPECT_EQ(merged({a, "pair"}, "other"), all);
    EXPECT_EQ(merged({"pair", a, "pair"}, "other"), all);
  }
}

TEST_F(MergedStores, OfTwoOutcomesKeepTheHeavierThenTheEarlierThenTheSmaller) {
  struct Rule {
    OutcomeStatus stands, goes;
    std::int64_t stands_ms, goes_ms;
  };
  const std::vector<Rule> rules = {{OutcomeStatus::fault, OutcomeStatus::ok, 9, 1},
                                   {OutcomeStatus::fault, OutcomeStatus::known, 9, 1},
                                   {OutcomeStatus::known, OutcomeStatus::ok, 9, 1},
                                   {OutcomeStatus::ok, OutcomeStatus::inconclusive, 9, 1},
                                   {OutcomeStatus::inconclusive, OutcomeStatus::failed, 9, 1},
                                   {OutcomeStatus::ok, OutcomeStatus::ok, 1, 9}};
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string number = std::to_string(i);
    const std::int64_t contradicts = rules[i].stands == rules[i].goes ? 0 : 1;
    CaseStore one = with_outcome("one" + number, rules[i].stands, rules[i].stands_ms, "stands");
    CaseStore two = with_outcome("two" + number, rules[i].goes, rules[i].goes_ms, "goes");
    auto answer = one.merge(at("two" + number)).value();
    EXPECT_EQ(answer.taken_instead, 0) << i;
    EXPECT_EQ(answer.contradictions, contradicts) << i;
    EXPECT_EQ(one.outcome_of(key_of(0)).value()->outcome.report, "stands") << i;
    answer = two.merge(at("one" + number)).value();
    EXPECT_EQ(answer.taken_instead, 1) << i;
    EXPECT_EQ(answer.contradictions, contradicts) << i;
    EXPECT_EQ(two.outcome_of(key_of(0)).value()->outcome.report, "stands") << i;
    EXPECT_EQ(content_of(at("one" + number)), content_of(at("two" + number))) << i;
  }
}

TEST_F(MergedStores, SayWhatIsMissing) {
  CaseStore one = store_with(3, "one"), two = store_with(4, "two");
  for (const int number : {0, 1})
    ASSERT_TRUE(two.finish(two.begin(key_of(number)).value(), testing::outcome_of(OutcomeStatus::ok)));
  const MergeAnswer answer = one.merge(at("two")).value();
  EXPECT_EQ(answer.new_cases, 1);
  EXPECT_EQ(answer.new_outcomes, 2);
  EXPECT_EQ(answer.taken_instead, 0);
  EXPECT_EQ(answer.missing, 2);
  std::vector<std::string> missing;
  ASSERT_TRUE(one.for_each({.states = {CaseState::waiting, CaseState::running, CaseState::set_aside}},
                           [&](const CaseEntry& entry) {
                             missing.push_back(entry.planned.key.hex());
                             return Looking::on;
                           }));
  EXPECT_THAT(missing, ::testing::ElementsAre(key_of(3).hex(), key_of(2).hex()));
  const MergeAnswer again = one.merge(at("two")).value();
  EXPECT_EQ(again.new_cases + again.new_outcomes + again.taken_instead + again.contradictions, 0);
}

TEST_F(MergedStores, LetWhatIsFinishedBeatWhatIsSetAside) {
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(store_with(1, "one").begin(key_of(0)));
  with_outcome("two", OutcomeStatus::ok, 5, "{}");
  CaseStore one = store_with(0, "one");
  ASSERT_EQ(one.find(key_of(0)).value()->state, CaseState::set_aside);
  ASSERT_TRUE(one.merge(at("two")));
  EXPECT_EQ(one.find(key_of(0)).value()->state, CaseState::finished);
  EXPECT_EQ(one.find(key_of(0)).value()->status, OutcomeStatus::ok);
}

TEST_F(MergedStores, LeaveOutWhatStillRunsThere) {
  CaseStore into = store_with(0, "into");
  {
    CaseStore live = store_with(1, "live");
    ASSERT_TRUE(live.begin(key_of(0)));
    ASSERT_TRUE(into.merge(at("live")));
    EXPECT_EQ(into.find(key_of(0)).value()->lost_attempts, 0);
    EXPECT_EQ(into.find(key_of(0)).value()->state, CaseState::waiting);
  }
  ASSERT_TRUE(into.merge(at("live")));
  EXPECT_EQ(into.find(key_of(0)).value()->lost_attempts, 1);
}

TEST_F(MergedStores, TakeThemselvesInWithoutHarm) {
  CaseStore store = with_outcome("one", OutcomeStatus::ok, 5, "{}");
  const std::string before = content_of(at("one"));
  ASSERT_TRUE(store.merge(at("one")));
  EXPECT_EQ(content_of(at("one")), before);
}

TEST_F(MergedStores, TakeNothingOfAStoreWithValuesThatNoneHas) {
  CaseStore into = store_with(1, "into");
  const std::string before = content_of(at("into"));
  store_with(3, "odd");
  ASSERT_TRUE(Database::open(at("odd"), Database::Use::write)
                  .value()
                  .run("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
                       "INSERT INTO outcomes VALUES ('x', 'splendid', 1, 1, 'y', '{}')"));
  const auto answer = into.merge(at("odd"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(answer.error().message, HasSubstr("cannot merge " + at("odd").string()));
  EXPECT_EQ(content_of(at("into")), before);
  EXPECT_EQ(into.merge(at("absent")).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace culprit
