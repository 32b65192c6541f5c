#include "campaign/case_outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class CaseOutcomes : public ::testing::Test {
 protected:
  void report(const std::string& text) const {
    fs::create_directories(at());
    std::ofstream(at() / "report.json") << text;
  }
  [[nodiscard]] fs::path at() const { return folder_.path() / "case"; }
  [[nodiscard]] CaseOutcome outcome(std::optional<int> code, CampaignJob job = CampaignJob::check) const {
    CaseParts parts;
    parts.add(KeyPart::job, "check").add(KeyPart::model, "m");
    CaseEnd end{CaseKey::of(parts).value(), 2.0, code};
    end.death = {Ending::crashed, "killed by SIGSEGV", "its last words"};
    CaseOrder order;
    order.job = job;
    return outcome_of(order, end, at()).value();
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-outcome-").value();
};

TEST_F(CaseOutcomes, FollowTheExitCodeOfACaseThatLeftAReport) {
  for (const auto& [code, status] :
       {std::pair{0, OutcomeStatus::ok}, {1, OutcomeStatus::fault}, {3, OutcomeStatus::inconclusive}}) {
    report(R"({"models": [{"outcome": "whatever"}]})");
    const CaseOutcome of_code = outcome(code);
    EXPECT_EQ(of_code.status, status) << code;
    EXPECT_EQ(of_code.report, R"({"models": [{"outcome": "whatever"}]})");
    EXPECT_EQ(of_code.seconds, 2.0);
  }
}

TEST_F(CaseOutcomes, AreKnownIfTheCheckSaysSo) {
  report(R"({"models": [{"outcome": "known"}]})");
  EXPECT_EQ(outcome(0).status, OutcomeStatus::known);
}

TEST_F(CaseOutcomes, AMachineThatFailedIsNoOpenQuestion) {
  report(R"({"models": [{"outcome": "not_judged", "baseline": {"status": "machine_failed"}}]})");
  EXPECT_EQ(outcome(3).status, OutcomeStatus::failed);
}

TEST_F(CaseOutcomes, ACaseWithoutAReportHasFailedWithItsLastWords) {
  for (const std::optional<int> code : {std::optional<int>(2), std::optional<int>(0), std::optional<int>()}) {
    const CaseOutcome failed = outcome(code);
    EXPECT_EQ(failed.status, OutcomeStatus::failed);
    EXPECT_THAT(failed.report, HasSubstr("its last words"));
  }
  EXPECT_THAT(outcome(std::nullopt).report, HasSubstr("killed by SIGSEGV"));
  EXPECT_THAT(outcome(2).report, HasSubstr("exit code 2 and left no report"));
  report("no json");
  EXPECT_EQ(outcome(0).status, OutcomeStatus::failed);
}

TEST_F(CaseOutcomes, ACaseThatSaysWithoutAReportThatNobodyCanJudgeItIsInconclusive) {
  const CaseOutcome open = outcome(3);
  EXPECT_EQ(open.status, OutcomeStatus::inconclusive);
  EXPECT_THAT(open.report, HasSubstr("its last words"));
}

TEST_F(CaseOutcomes, OnlyFoldersWithMoreThanAReportStay) {
  report("{}");
  fs::create_directories(at() / "logs");
  (void)outcome(0);
  EXPECT_FALSE(fs::exists(at()));
  report("{}");
  fs::create_directories(at() / "repro/F1");
  (void)outcome(1);
  EXPECT_TRUE(fs::exists(at() / "repro/F1"));
}

}  // namespace
}  // namespace culprit
