// What one campaign has found out, another one takes; damaged or half-written files are nothing.

#include "campaign/outcome_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/files_below.h"
#include "base/folder.h"
#include "campaign/case_processes.h"

namespace culprit {
namespace {

CaseKey key_of_model(const std::string& model) {
  CaseParts parts;
  parts.add(KeyPart::job, "check").add(KeyPart::model, model);
  return CaseKey::of(parts).value();
}

class SharedOutcomes : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(write_file_atomic(program_, "version 1")); }

  [[nodiscard]] OutcomeCache cache(const std::string& cpu = "a CPU") const {
    return OutcomeCache::open(folder_.path() / "cache", {cpu, program_}).value();
  }
  [[nodiscard]] fs::path place(const std::string& name) const { return folder_.path() / name; }
  /// The one file of that name in the cache.
  [[nodiscard]] fs::path cached(const std::string& name) const {
    const std::vector<fs::path> files = files_below(folder_.path() / "cache").value();
    for (const fs::path& file : files)
      if (file.filename() == name) return file;
    return {};
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-shared-").value();
  fs::path program_ = folder_.path() / "program";
  CaseKey key_ = key_of_model("a");
  CaseOutcome fault_{OutcomeStatus::fault, 2.5, R"({"models": []})"};
};

TEST_F(SharedOutcomes, AreTakenWithTheFilesThatWereKept) {
  const fs::path kept = place("one");
  ASSERT_TRUE(make_folder(kept / "repro"));
  ASSERT_TRUE(write_file_atomic(kept / "repro" / "model.onnx", "bytes"));
  ASSERT_TRUE(cache().keep(CaseOrder{}, key_, fault_, kept));
  const auto taken = cache().take(key_, place("two")).value();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->status, OutcomeStatus::fault);
  EXPECT_EQ(taken->seconds, 2.5);
  EXPECT_EQ(taken->report, fault_.report);
  EXPECT_EQ(read_file(place("two") / "repro" / "model.onnx").value(), "bytes");
  EXPECT_FALSE(cache().take(key_of_model("b"), place("three")).value());
  EXPECT_FALSE(fs::exists(place("three")));
}

TEST_F(SharedOutcomes, StandForOneCpuAndOneProgram) {
  ASSERT_TRUE(cache().keep(CaseOrder{}, key_, fault_, place("none")));
  EXPECT_TRUE(cache().take(key_, place("two")).value());
  EXPECT_FALSE(cache("another CPU").take(key_, place("two")).value());
  ASSERT_TRUE(write_file_atomic(program_, "version 2"));
  EXPECT_FALSE(cache().take(key_, place("two")).value());
}

TEST_F(SharedOutcomes, WhatAnotherRunMayGiveOtherwiseIsNotKept) {
  CaseOrder profile;
  profile.job = CampaignJob::profile;
  ASSERT_TRUE(cache().keep(profile, key_, {OutcomeStatus::ok, 1, "{}"}, place("none")));
  for (const OutcomeStatus status : {OutcomeStatus::inconclusive, OutcomeStatus::failed})
    ASSERT_TRUE(cache().keep(CaseOrder{}, key_, {status, 1, "{}"}, place("none")));
  EXPECT_FALSE(cache().take(key_, place("two")).value());
}

TEST_F(SharedOutcomes, ADamagedOneIsNothingAndMakesRoomForAnother) {
  for (const std::string name : {"report.json", "outcome.json", "log.txt"}) {
    const fs::path kept = place("one");
    ASSERT_TRUE(make_folder(kept));
    ASSERT_TRUE(write_file_atomic(kept / "log.txt", "words"));
    ASSERT_TRUE(cache().keep(CaseOrder{}, key_, fault_, kept));
    ASSERT_TRUE(write_file_atomic(cached(name), "{"));
    EXPECT_FALSE(cache().take(key_, place("two")).value()) << name;
    ASSERT_TRUE(cache().keep(CaseOrder{}, key_, fault_, kept));
    EXPECT_TRUE(cache().take(key_, place("two")).value()) << name;
    remove_folder(place("cache"));
  }
}

TEST_F(SharedOutcomes, ManyMayKeepAndTakeAtOnce) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      const fs::path kept = place("kept" + std::to_string(thread));
      ASSERT_TRUE(make_folder(kept));
      ASSERT_TRUE(write_file_atomic(kept / "log.txt", "words"));
      for (int i = 0; i < 20; ++i) {
        const CaseKey key = key_of_model(std::to_string(i));
        EXPECT_TRUE(cache().keep(CaseOrder{}, key, fault_, kept));
        EXPECT_TRUE(cache().take(key, place("taken" + std::to_string(thread))).value());
      }
    });
  for (std::thread& thread : threads) thread.join();
  const std::vector<fs::path> files = files_below(place("cache")).value();
  for (const fs::path& file : files) EXPECT_EQ(file.string().find(".new-"), std::string::npos) << file;
}

TEST_F(SharedOutcomes, FinishTheWaitingCasesThatTheyKnow) {
  auto store = CaseStore::open(place("campaign.sqlite")).value();
  std::vector<PlannedCase> cases;
  for (const std::string model : {"a", "b", "c"}) {
    CaseOrder order;
    order.model = model;
    cases.push_back({key_of_model(model), as_description(order), 1});
    if (model == "b") continue;
    ASSERT_TRUE(cache().keep(order, key_of_model(model), fault_, place("none")));
  }
  ASSERT_TRUE(store.plan(cases));
  EXPECT_EQ(take_known_outcomes(store, cache(), {}, place("cases")).value(), 2);
  EXPECT_EQ(store.counts().value().in(CaseState::waiting), 1);
  EXPECT_EQ(store.outcome_of(key_)->value().outcome.report, fault_.report);
  EXPECT_EQ(take_known_outcomes(store, cache(), {}, place("cases")).value(), 0);
}

}  // namespace
}  // namespace culprit
