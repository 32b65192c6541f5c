// What known faults do to exit codes and totals.
#include <gtest/gtest.h>

#include "check/check.h"

namespace culprit {
namespace {

ModelReport report_with(const std::vector<bool>& known) {
  ModelReport report;
  for (const bool is_known : known) {
    FaultRecord& fault = report.faults.emplace_back();
    fault.variants = {"V0" + std::to_string(report.faults.size())};
    if (is_known) fault.known = KnownAs{"K-1", ""};
    report.variants.emplace_back().id = fault.variants[0];
    report.variants.back().verdict = Verdict::diverged;
  }
  return report;
}

TEST(KnownFaults, OnlyNewOnesMakeExitCodeOne) {
  EXPECT_EQ(exit_code_of(report_with({true, true}), false), 0);
  EXPECT_EQ(exit_code_of(report_with({true, false}), false), 1);
  ModelReport weak = report_with({true});
  weak.baseline.status = BaselineStatus::weak_data;
  EXPECT_EQ(exit_code_of(weak, false), 3) << "what is known says nothing of the rest";
}

TEST(KnownFaults, UnderStrictWhatDeviatesIsNewUnlessAKnownFaultNamesIt) {
  ModelReport report = report_with({true});
  report.variants[0].verdict = Verdict::deviates;
  EXPECT_EQ(exit_code_of(report, true), 0);
  report.variants.emplace_back().id = "V02";
  report.variants.back().verdict = Verdict::deviates;
  EXPECT_EQ(exit_code_of(report, true), 1);
}

TEST(KnownFaults, AreCountedApart) {
  const Summary summary = summarize({report_with({true, false, true}), report_with({true})}, {}, 0, false);
  EXPECT_EQ(summary.faults, 1);
  EXPECT_EQ(summary.known_faults, 3);
}

}  // namespace
}  // namespace culprit
