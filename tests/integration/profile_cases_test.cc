// Inputs on which `culprit profile` went wrong, with what is right: the folder shared/cases beside the sources.
#include "cli_folder.h"

namespace culprit::testing {
namespace {

using ::testing::SizeIs;
using Json = nlohmann::json;

class ProfileCases : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    cases_ = fs::path(CULPRIT_SOURCE) / "../shared/cases/profile";
    if (!fs::exists(cases_)) GTEST_SKIP() << "the folder shared/cases is not beside the sources";
  }

  Ran profile(const std::string& words) {
    return shell("culprit profile " + words + " --run-dir run --quiet --seed 1");
  }
  Json report() { return Json::parse(text_of("run/report.json")); }

  fs::path cases_;
};

TEST_F(ProfileCases, GateOtherBaseline) {
  const std::string folder = (cases_ / "gate_other_baseline").string();
  const Ran ran =
      profile(folder + "/nch8abs.onnx --levels off,all --blocks 6 --baseline " + folder + "/kept_against_all.json");
  EXPECT_EQ(ran.exit, 0) << "'off' was 0.346 of 'all', and is 1 of itself" << ran.out << ran.err;
  const Json made = report();
  EXPECT_TRUE(std::ranges::any_of(made["warnings"], [](const Json& one) { return one["code"] == "kept_rebased"; }));
  EXPECT_THAT(made["regressions"], SizeIs(0));
}

TEST_F(ProfileCases, PeakHasSamples) {
  const std::string model = (cases_ / "peak_has_samples/mem10.onnx").string();
  std::map<int, std::int64_t> peaks;
  for (const int samples : {1, 10}) {
    ASSERT_EQ(profile(model + " --levels all --blocks 1 --samples " + std::to_string(samples)).exit, 0);
    peaks[samples] = report()["entries"][0]["memory"]["run_peak"];
  }
  // Nine samples more hold 288 MB.
  EXPECT_LT(peaks[10] - peaks[1], 60'000'000) << peaks[1] << " and " << peaks[10];
}

TEST_F(ProfileCases, TurnsOtherSamples) {
  const fs::path folder = cases_ / "turns_other_samples";
  fs::copy_file(folder / "two_speed.onnx", folder_.path() / "first.onnx");
  fs::copy_file(folder / "two_speed.onnx", folder_.path() / "second.onnx");
  const Ran ran = profile("first.onnx second.onnx --blocks 10 --data " + (folder / "two_data").string());
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  // One sample takes ten times as long as the other: where rows run different ones, half of the blocks are off.
  const Json ratios = report()["entries"][1]["block_ratios"];
  ASSERT_THAT(ratios, SizeIs(10));
  const auto off = std::ranges::count_if(ratios, [](double ratio) { return ratio < 0.4 || ratio > 2.5; });
  EXPECT_LE(off, 1) << ratios;
}

}  // namespace
}  // namespace culprit::testing
