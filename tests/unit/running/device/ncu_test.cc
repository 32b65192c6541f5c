#include "device/ncu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "folder_fixture.h"
#include "process/run_program.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A program that speaks as ncu does: finds its --log-file, and leaves the rest to the test.
class Ncu : public SystemFolder {
 protected:
  void put_ncu(const std::string& body) {
    put("ncu", R"(#!/bin/sh
given="$*"
while [ $# -gt 0 ]; do
  case "$1" in
    --log-file) log="$2"; shift 2;;
    --page|--print-units|--target-processes|--clock-control|--metrics|--launch-count) shift 2;;
    --*) shift;;
    *) break;;
  esac
done
)" + body);
    fs::permissions(root() / "ncu", fs::perms::owner_all);
  }
  [[nodiscard]] NcuOptions options() const {
    NcuOptions options;
    options.program = root() / "ncu";
    options.scratch = root();
    return options;
  }
  [[nodiscard]] Result<std::vector<KernelRecord>> profile(const std::vector<std::string>& command = {"true"}) const {
    return profile_kernels(command, options());
  }
  [[nodiscard]] Error complaint() const {
    const auto kernels = profile();
    EXPECT_FALSE(kernels);
    if (kernels) return {};
    EXPECT_THAT(kernels.error().text(), Not(HasSubstr("\n")));
    return kernels.error();
  }
  [[nodiscard]] std::size_t folders_left() const {
    std::size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(root())) folders += entry.is_directory() ? 1 : 0;
    return folders;
  }
};

const std::string kernels_to_log = R"(cat > "$log" <<'END'
==PROF== Connected to process 5
"ID","Kernel Name","gpu__time_duration.sum","launch__block_size"
"","","nsecond",""
"0","gemm","1,000","256"
"1","gemm","3,000","256"
END
)";

TEST_F(Ncu, RunsTheCommandAndTellsItsKernels) {
  put_ncu(kernels_to_log + "echo \"$given\" > " + (root() / "given").string() + "\n\"$@\"\n");
  const auto kernels = profile({"touch", root() / "was here"});
  ASSERT_TRUE(kernels) << kernels.error().text();
  ASSERT_THAT(*kernels, SizeIs(1));
  EXPECT_EQ(kernels->at(0).calls, 2);
  EXPECT_DOUBLE_EQ(kernels->at(0).seconds, 4e-6);
  EXPECT_TRUE(fs::exists(root() / "was here"));
  EXPECT_THAT(read_file(root() / "given").value(),
              AllOf(HasSubstr("--csv --page raw --print-units base"), HasSubstr("--clock-control none"),
                    HasSubstr("sm__throughput.avg.pct_of_peak_sustained_elapsed"), HasSubstr("--launch-count 20000 ")));
  EXPECT_EQ(folders_left(), 0U);
}

TEST_F(Ncu, WhatTheCommandPrintsIsNoneOfItsKernels) {
  put_ncu(kernels_to_log + "\"$@\"\n");
  EXPECT_TRUE(profile({"echo", "\"ID\",\"Kernel Name\"\n1"}));
}

TEST_F(Ncu, IsFoundOnThePath) {
  put_ncu(kernels_to_log);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (root().string() + ":" + before).c_str(), 1);
  NcuOptions found = options();
  found.program = "ncu";
  const auto kernels = profile_kernels({"true"}, found);
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_TRUE(kernels);
}

TEST_F(Ncu, NotInstalledIsOneLineThatSaysWhatToDo) {
  const Error error = complaint();
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_THAT(error.text(), AllOf(HasSubstr("there is no program"), HasSubstr("install NVIDIA Nsight Compute")));
}

TEST_F(Ncu, WithoutTheRightToCountersItSaysWhatToDo) {
  const std::string refusal =
      "==PROF== Connected to process 5\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access "
      "NVIDIA "
      "GPU Performance Counters on the target device 0.\n";
  for (const std::string& body :
       {"cat > \"$log\" <<'END'\n" + refusal + "END\nexit 1\n", "cat > \"$log\" <<'END'\n" + refusal + "END\nexit 0\n",
        "cat <<'END'\n" + refusal + "END\nexit 1\n"}) {
    put_ncu(body);
    const Error error = complaint();
    EXPECT_EQ(error.kind, ErrorKind::unsupported) << body;
    EXPECT_THAT(error.text(), AllOf(HasSubstr("ERR_NVGPUCTRPERM"), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0")));
  }
}

TEST_F(Ncu, ItsExitCodeAndItsErrorAreTold) {
  put_ncu("echo '==ERROR== The application returned an error code (3).' > \"$log\"; echo bye; exit 3\n");
  EXPECT_THAT(complaint().text(),
              AllOf(HasSubstr("exit status 3"), HasSubstr("The application returned an error code (3)"),
                    Not(HasSubstr("bye")), HasSubstr("without ncu")));
  put_ncu("echo 'no such model' >&2; exit 4\n");
  EXPECT_THAT(complaint().text(), AllOf(HasSubstr("exit status 4"), HasSubstr("it said: no such model")));
  put_ncu("kill -11 $$\n");
  EXPECT_THAT(complaint().text(), HasSubstr("SIGSEGV"));
}

TEST_F(Ncu, KernelsOfACommandThatFailedDoNotCount) {
  put_ncu(kernels_to_log + "exit 1\n");
  EXPECT_EQ(complaint().kind, ErrorKind::bad_input);
}

TEST_F(Ncu, WithoutAKernelItAsksWhetherItRanOnTheGpu) {
  put_ncu("echo '==WARNING== No kernels were profiled.' > \"$log\"\n");
  EXPECT_THAT(complaint().text(), HasSubstr("ncu saw no kernel. does the model run on the GPU?"));
  put_ncu("exit 0\n");
  EXPECT_EQ(complaint().kind, ErrorKind::not_found);
}

TEST_F(Ncu, ALogThatIsCutOffIsAnError) {
  put_ncu("printf '\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\\n\"0\",\"ge' > \"$log\"\n");
  EXPECT_THAT(complaint().text(), HasSubstr("cut off in line 2"));
}

TEST_F(Ncu, ItHasATimeLimit) {
  put_ncu("sleep 1000\n");
  NcuOptions brief = options();
  brief.limits.cpu_seconds = 0.2;
  const auto kernels = profile_kernels({"true"}, brief);
  ASSERT_FALSE(kernels);
  EXPECT_THAT(kernels.error().text(), AllOf(HasSubstr("ncu took too long"), HasSubstr("fewer runs")));
}

TEST_F(Ncu, IsStopped) {
  put_ncu("sleep 1000\n");
  NcuOptions stopped = options();
  stopped.limits.cpu_seconds = 5;
  int asked = 0;
  stopped.stop = [&] { return ++asked > 1; };
  const auto kernels = profile_kernels({"true"}, stopped);
  ASSERT_FALSE(kernels);
  EXPECT_EQ(kernels.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(folders_left(), 0U);
}

TEST_F(Ncu, OfThisMachine) {
  if (!can_start("ncu")) GTEST_SKIP() << "ncu is not on PATH: install NVIDIA Nsight Compute";
  NcuOptions real;
  real.scratch = root();
  const auto kernels = profile_kernels({"/bin/true"}, real);
  ASSERT_FALSE(kernels);  // it launches none
  EXPECT_EQ(kernels.error().kind, ErrorKind::not_found) << kernels.error().text();
}

}  // namespace
}  // namespace culprit
