// `culprit profile` on other providers than the CPU, and with ncu: with a runtime that only says that it has CUDA, and
// an ncu that only says that it counts.
#include "cli_folder.h"
#include "process/run_program.h"
#include "runtime/find_library.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using Json = nlohmann::json;

constexpr const char* unary_net = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  small (float[batch,8] x) => (float[batch,8] y) { a = Identity(x) y = Relu(a) })";

class ProfileDevices : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write_model("small.onnx", unary_net);
  }

  /// `before`: assignments for the environment.
  Ran profile(const std::string& words, const std::string& before = "") {
    return shell(before + " culprit profile small.onnx --blocks 2 " + words + " --run-dir run --quiet");
  }
  /// On a runtime that has CUDA by its own account.
  Ran on_cuda(const std::string& words, const std::string& before = "") {
    const std::string real = find_onnxruntime("").value().string();
    return profile("--runtime " CULPRIT_TEST_CUDA_RUNTIME " " + words,
                   "CULPRIT_TEST_REAL_RUNTIME='" + real + "' CULPRIT_TEST_CUDA_LOG=$PWD/cuda.log " + before);
  }
  void put_ncu(const std::string& body) {
    std::ofstream(folder_.path() / "ncu") << "#!/bin/sh\nhome=$(dirname \"$0\")\n" + body;
    fs::permissions(folder_.path() / "ncu", fs::perms::owner_all);
  }
  Json report() { return Json::parse(text_of("run/report.json")); }
};

/// Finds its --log-file and leaves the command to be run by "$@".
const std::string finds_its_log = R"(while [ $# -gt 0 ]; do
  case "$1" in
    --log-file) log="$2"; shift 2;;
    --page|--print-units|--target-processes|--clock-control|--metrics|--launch-count) shift 2;;
    --*) shift;;
    *) break;;
  esac
done
)";

TEST_F(ProfileDevices, ProvidersAreRows) {
  const Ran ran = on_cuda("--provider cpu --provider cuda");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const Json found = report();
  ASSERT_THAT(found["entries"], SizeIs(2));
  EXPECT_EQ(found["entries"][0]["name"], "CPU");
  EXPECT_EQ(found["entries"][0]["verdict"], "baseline");
  EXPECT_EQ(found["entries"][1]["name"], "CUDA");
  EXPECT_EQ(found["entries"][1]["provider"], "CUDA");
  EXPECT_EQ(found["environment"]["provider"], "CPU, CUDA");
  EXPECT_THAT(text_of("cuda.log"), HasSubstr("device_id=0\nappended\nreleased\n"));
  EXPECT_THAT(text_of("cuda.log"), Not(HasSubstr("another")));
}

TEST_F(ProfileDevices, TheCpuAloneAsksForNoOther) {
  EXPECT_EQ(on_cuda("--levels all").exit, 0);
  EXPECT_FALSE(there("cuda.log"));
  EXPECT_EQ(report()["entries"][0]["provider"], "CPU");
}

TEST_F(ProfileDevices, ADeviceThatIsNotThereIsARowThatFails) {
  const Ran ran = on_cuda("--provider cpu,cuda", "CULPRIT_TEST_NO_GPU=1");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  const Json row = report()["entries"][1];
  EXPECT_EQ(row["verdict"], "failed");
  EXPECT_EQ(row["failed_at"], "load");
  EXPECT_THAT(std::string(row["failure"]), HasSubstr("no CUDA-capable device"));
}

TEST_F(ProfileDevices, WhatTheLibraryLacksIsSaidBeforeAnythingRuns) {
  const Ran ran = profile("--provider cpu --provider cuda");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--provider cuda: ONNX Runtime "), HasSubstr("it has "), HasSubstr("cpu")));
  EXPECT_FALSE(there("run/report.json"));
}

TEST_F(ProfileDevices, KernelsOfTheRowsOnTheGpuAreCounted) {
  put_ncu("echo \"$*\" >> \"$home/calls\"\n" + finds_its_log + R"(
"$@" || exit 9
cat > "$log" <<'END'
"ID","Kernel Name","gpu__time_duration.sum","launch__block_size","launch__grid_size","sm__warps_active.avg.pct_of_peak_sustained_active"
"","","nsecond","","","%"
"0","relu, wide","2,000","256","32","50"
"1","relu, wide","2,000","256","32","70"
END
)");
  const Ran ran = on_cuda("--provider cpu,cuda --kernels");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const Json found = report();
  EXPECT_THAT(found["entries"][0]["kernels"], IsEmpty()) << "it runs on the CPU";
  ASSERT_THAT(found["entries"][1]["kernels"], SizeIs(1)) << found["entries"][1]["warnings"];
  const Json kernel = found["entries"][1]["kernels"][0];
  EXPECT_EQ(kernel["name"], "relu, wide");
  EXPECT_EQ(kernel["calls"], 2);
  EXPECT_DOUBLE_EQ(kernel["seconds"], 4e-6);
  EXPECT_DOUBLE_EQ(kernel["occupancy_percent"], 60);
  EXPECT_THAT(ran.out, HasSubstr("relu, wide"));
  EXPECT_THAT(text_of("run/profile.md"), HasSubstr("### Kernels"));
  const std::string calls = text_of("calls");
  EXPECT_EQ(std::ranges::count(calls, '\n'), 1) << calls;
  EXPECT_THAT(calls, HasSubstr("worker --run "));
}

TEST_F(ProfileDevices, ThatKernelsCannotBeCountedIsAWarning) {
  put_ncu(finds_its_log + R"(echo "==ERROR== ERR_NVGPUCTRPERM" > "$log"; exit 1)");
  EXPECT_EQ(on_cuda("--provider cpu,cuda --kernels").exit, 0);
  EXPECT_THAT(report()["warnings"].dump(), HasSubstr("ERR_NVGPUCTRPERM"));
  put_ncu(finds_its_log + R"("$@" > /dev/null && exit 3)");
  EXPECT_EQ(on_cuda("--provider cpu,cuda --kernels").exit, 0);
  EXPECT_THAT(report()["entries"][1]["warnings"].dump(),
              AllOf(HasSubstr("kernels_not_counted"), HasSubstr("status 3")));
}

TEST_F(ProfileDevices, KernelsThatNobodyLaunchesAreRefused) {
  put_ncu("exit 1\n");
  const Ran ran = profile("--kernels");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("no row runs on NVIDIA's GPU"));
}

TEST_F(ProfileDevices, WithoutNcuItSaysWhatToInstall) {
  if (can_start("ncu")) GTEST_SKIP() << "ncu is installed here";
  const Ran ran = on_cuda("--provider cuda --kernels");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("install NVIDIA Nsight Compute"));
  EXPECT_FALSE(there("run/report.json"));
}

TEST_F(ProfileDevices, TheBatchIsTold) {
  EXPECT_EQ(profile("--levels all --dim batch=4").exit, 0);
  const Json row = report()["entries"][0];
  EXPECT_EQ(row["batch"], 4);
  EXPECT_DOUBLE_EQ(row["throughput"], 1 / double(row["seconds"]["median"]));
}

}  // namespace
}  // namespace culprit::testing
