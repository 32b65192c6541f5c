// What `culprit profile` tells of single runs, of first runs and of nodes against the machine's limits, through the
// real binary. Nothing is said of how fast anything is.
#include "cli_folder.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* net_of_numbers = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  small (float[1,8] x) => (float[1,8] y)
  <float[1] one = {1}> {
    a = Identity(x)
    b = Add(a, one)
    y = Relu(b)
  })";

class ProfileNumbers : public Cli {
 protected:
  Json profiled(const std::string& words) {
    write_model("small.onnx", net_of_numbers);
    const Ran ran = shell("culprit profile small.onnx " + words + " --run-dir run");
    EXPECT_EQ(ran.exit, 0) << ran.err;
    printed_ = ran.out;
    const std::string source = CULPRIT_SOURCE;
    const Ran valid = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                            "/docs/profile.schema.json' run/report.json");
    EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
    return Json::parse(text_of("run/report.json"));
  }

  std::string printed_;
};

TEST_F(ProfileNumbers, SingleRunsAndFirstRunsAreTold) {
  for (const std::string protocol : {"--blocks 4", "--protocol otx"}) {
    const Json found = profiled("--levels off,all --verbose " + protocol);
    for (const Json& entry : found["entries"]) {
      EXPECT_EQ(entry["latency"]["p50"], entry["seconds"]["median"]);
      EXPECT_EQ(entry["latency"]["runs"], entry["seconds"]["runs"]);
      EXPECT_EQ(entry["first_run"]["runs"], protocol == "--blocks 4" ? 4 : 10) << "one of each session";
      double before = 0;
      for (const char* key : {"min", "p50", "p95", "p99", "max"}) {
        EXPECT_GE(entry["latency"][key], before) << key;
        before = entry["latency"][key];
      }
    }
    EXPECT_THAT(text_of("run/figures/latency.svg"), HasSubstr("<polyline"));
    EXPECT_THAT(text_of("run/profile.md"), HasSubstr("### Latency of single runs"));
    for (const char* column : {"p99", "slowest", "first run"}) EXPECT_THAT(printed_, HasSubstr(column));
  }
}

TEST_F(ProfileNumbers, NodesStandUnderTheMachinesLimits) {
  const Json found = profiled("--levels off --blocks 2");
  const Json limits = found["limits"];
  EXPECT_GT(limits["flops_per_second"], 0);
  EXPECT_GT(limits["bytes_per_second"], 0);
  EXPECT_GT(limits["buffer_bytes"], 0);
  EXPECT_EQ(limits["threads"], 1);
  EXPECT_THAT(text_of("run/figures/roofline.svg"), HasSubstr("limits measured with 1 thread"));
  bool is_there = false;
  for (const Json& node : found["entries"][0]["node_times"]["nodes"]) {
    if (node["op"] != "Relu") continue;
    is_there = true;
    EXPECT_EQ(node["flops_per_byte"], 0.125) << "8 elements, 32 bytes in and 32 out";
    EXPECT_DOUBLE_EQ(node["flops_per_second"], 8 / node["seconds"].get<double>());
    EXPECT_DOUBLE_EQ(node["bytes_per_second"], 64 / node["seconds"].get<double>());
  }
  EXPECT_TRUE(is_there);
}

TEST_F(ProfileNumbers, TheWorkerThatMeasuresLimitsWantsANumberOfThreads) {
  EXPECT_EQ(shell("culprit worker --limits 0").exit, 2);
  EXPECT_EQ(shell("culprit worker --limits many").exit, 2);
}

}  // namespace
}  // namespace culprit::testing
