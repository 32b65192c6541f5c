// `culprit profile --sweep` through the real binary: settings, files and exit codes. Nothing is said of how fast
// anything is.
#include "cli_folder.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Json = nlohmann::json;

class ProfileSweep : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write_model("open.onnx", R"(
      <ir_version: 8, opset_import: ["" : 13]>
      open (float[batch,8] x) => (float[batch,8] y)
      <float[1] one = {1}> {
        a = Add(x, one)
        y = Relu(a)
      })");
    write_model("fixed.onnx", R"(
      <ir_version: 8, opset_import: ["" : 13]>
      fixed (float[1,8] x) => (float[1,8] y) {
        y = Relu(x)
      })");
    write_model("reshaped.onnx", R"(
      <ir_version: 8, opset_import: ["" : 13]>
      reshaped (float[batch,8] x) => (float[n,4] y)
      <int64[2] shape = {2, 4}> {
        y = Reshape(x, shape)
      })");
  }

  Ran profile(const std::string& words) {
    return shell("culprit profile " + words + " --blocks 2 --run-dir run --quiet");
  }
  Json report() { return Json::parse(text_of("run/report.json")); }
};

TEST_F(ProfileSweep, EachRowRunsAtEachSetting) {
  const Ran ran = profile("open.onnx --levels off,all --sweep batch=1,4 --sweep threads=1,2");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const Json sweep = report()["sweep"];
  EXPECT_EQ(sweep["batches"], Json({1, 4}));
  EXPECT_EQ(sweep["threads"], Json({1, 2}));
  ASSERT_THAT(sweep["points"], SizeIs(8));
  std::set<std::string> settings;
  for (const Json& point : sweep["points"]) {
    settings.insert(point["entry"].get<std::string>() + point["batch"].dump() + point["threads"].dump());
    EXPECT_EQ(point["failure"], "");
    EXPECT_GT(point["latency"]["runs"], 0);
    EXPECT_DOUBLE_EQ(point["samples_per_second"], point["batch"].get<double>() / point["latency"]["p50"].get<double>());
  }
  EXPECT_THAT(settings, SizeIs(8));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("sweep, "), HasSubstr("samples/s")));
  EXPECT_THAT(text_of("run/sweep.csv"), StartsWith("entry,batch,threads,seconds_p50,"));
  EXPECT_THAT(text_of("run/profile.md"), HasSubstr("### Sweep"));
  EXPECT_THAT(text_of("run/figures/sweep.svg"), HasSubstr("Samples a second by batch"));
  const std::string source = CULPRIT_SOURCE;
  const Ran valid = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                          "/docs/profile.schema.json' run/report.json");
  EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
}

TEST_F(ProfileSweep, AFixedBatchIsRefusedBeforeAnythingIsMeasured) {
  const Ran ran = profile("open.onnx fixed.onnx --sweep batch=1,2");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--sweep batch: the batch of 'fixed.onnx' is fixed"), HasSubstr("float32[1,8]"),
                             HasSubstr("dynamic_axes={'x': {0: 'batch'}}")));
  EXPECT_FALSE(fs::exists(folder_.path() / "run/report.json"));
  EXPECT_EQ(profile("fixed.onnx --levels off --sweep threads=1,2").exit, 0) << "threads are no batch";
  EXPECT_EQ(report()["sweep"]["points"][1]["batch"], 1);
}

TEST_F(ProfileSweep, ASettingThatFailsSaysSoAndTheOthersAreMeasured) {
  const Ran ran = profile("reshaped.onnx --levels off --sweep batch=1,2");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  const Json points = report()["sweep"]["points"];
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_EQ(points[0]["failure"], "") << "8 elements are 2 times 4";
  EXPECT_GT(points[0]["latency"]["runs"], 0);
  EXPECT_THAT(std::string(points[1]["failure"]), HasSubstr("Reshape"));
  EXPECT_TRUE(points[1]["samples_per_second"].is_null());
  EXPECT_THAT(ran.out, HasSubstr("FAILED"));
}

TEST_F(ProfileSweep, WhatCannotBeSweptIsUsage) {
  EXPECT_THAT(profile("open.onnx --sweep size=3").err, HasSubstr("what is swept is batch or threads"));
  EXPECT_EQ(profile("open.onnx --sweep batch=0").exit, 2);
  EXPECT_THAT(shell("culprit profile open.onnx --protocol otx --sweep batch=1,2").err, HasSubstr("--protocol otx"));
  EXPECT_THAT(shell("culprit profile a.json --compare b.json --sweep batch=1,2").err,
              HasSubstr("--sweep and --compare contradict each other"));
  const Ran large = profile("open.onnx --sweep batch=1000000 --dim batch=1");
  EXPECT_EQ(large.exit, 0) << "32 MB are no matter: " << large.err;
}

}  // namespace
}  // namespace culprit::testing
