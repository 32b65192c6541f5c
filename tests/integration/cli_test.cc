// The built binary from outside: streams, exit codes, the run folder, interruption, and that every example in a help
// works.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/text.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* clean_model = R"(
<ir_version: 8, opset_import: ["" : 13]>
clean (float[2,3] x) => (float[2,3] y)
<float[3] w = {1.5, -2.0, 0.25}>
{
  a = Add(x, w)
  b = Identity(a)
  y = Relu(b)
})";

// tests/corpus/faults/slice-axes-from-value-ints.onnxtxt: the predicate finds a Constant with value_ints and aborts the
// process.
constexpr const char* crashing_model = R"(
<ir_version: 7, opset_import: ["" : 12]>
crashing (float[3,2] x) => (float[2,2] y)
<float[4,3] left = {0.5, -1.0, 2.0, 0.25, 1.5, -0.75, 1.0, 0.1, -0.2, 0.3, -0.4, 0.6}, float[3,2] right = {1.0, -2.0, 3.0, 0.5, 0.25, -0.75}, int64[1] one = {1}, int64[1] three = {3}>
{
  axes = Constant<value_ints = [0]>()
  s = Slice(left, one, three, axes)
  m = MatMul(s, right)
  g = ReduceSum<keepdims = 0>(x)
  y = Mul(m, g)
})";

// tests/corpus/faults/pad-axes-into-conv.onnxtxt, smaller: fuse_pad_into_conv does not look at the axes.
constexpr const char* faulty_model = R"(
<ir_version: 8, opset_import: ["" : 18]>
faulty (float[1,1,3,3] x) => (float[1,1,H,V] y)
<float[1,1,3,3] W = {-0.9, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2}, int64[8] pads = {0, 0, 2, 1, 0, 0, 2, 1}, int64[4] axes = {0, 1, 3, 2}>
{
  padded = Pad(x, pads, "", axes)
  y = Conv<kernel_shape = [3, 3]>(padded, W)
})";

/// A folder to start the binary in, with models; its shell runs `culprit` from the PATH.
class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    write_model("model.onnx", clean_model);
    fs::create_symlink(CULPRIT_BINARY, folder_.path() / "culprit");
  }

  void write_model(const std::string& name, const char* text) {
    onnx::ModelProto model;
    const auto parsed = onnx::OnnxParser::Parse(model, text);
    ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    std::ofstream(folder_.path() / name, std::ios::binary) << model.SerializeAsString();
  }

  /// Runs a line in bash, in the folder. Streams go to files unless the line says otherwise.
  Ran shell(const std::string& line) {
    const fs::path script = folder_.path() / ".script";
    std::ofstream(script) << "cd '" << folder_.path().string() << "'\nexport PATH=$PWD:$PATH\n" << line << "\n";
    const std::string command = "bash '" + script.string() + "' > '" + (folder_.path() / ".out").string() + "' 2> '" +
                                (folder_.path() / ".err").string() + "' < /dev/null";
    const int status = std::system(command.c_str());
    Ran ran;
    ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = text_of(".out");
    ran.err = text_of(".err");
    return ran;
  }

  std::string text_of(const fs::path& name) { return read_file(folder_.path() / name).value(); }
  bool there(const fs::path& name) { return fs::exists(folder_.path() / name); }

  /// The one run folder under .culprit; "" where there is none.
  fs::path run_folder() {
    if (!there(".culprit")) return "";
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder_.path() / ".culprit"))
      found = fs::relative(entry.path(), folder_.path());
    return found;
  }

  /// tests/schema/validate.py, strictly.
  void expect_valid(const fs::path& report) {
    const std::string source = CULPRIT_SOURCE;
    const Ran ran = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                          "/docs/report.schema.json' '" + report.string() + "'");
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_F(Cli, ACleanModelIsOkAndItsReportIsValid) {
  const Ran ran = shell("culprit check model.onnx");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("model.onnx  ok  "));
  EXPECT_THAT(ran.out, HasSubstr("no fault"));
  EXPECT_EQ(ran.err, "") << "no progress and no log unless there is something to say";
  const fs::path run = run_folder();
  EXPECT_THAT(run.string(), MatchesRegex("\\.culprit/[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}"));
  EXPECT_THAT(ran.out, HasSubstr("report: " + run.string() + "/report.json\n"));
  expect_valid(run / "report.json");
  EXPECT_FALSE(there(run / "variants")) << "only faulty ones are kept";
  for (const auto& entry : fs::directory_iterator(folder_.path() / run))
    EXPECT_THAT(entry.path().filename().string(), ::testing::AnyOf("report.json", "logs")) << "scratch is removed";
}

/// Newer runtimes would keep a telemetry id under HOME and a session in the temporary folder.
TEST_F(Cli, WritesOnlyWhereItWasTold) {
  const Ran ran = shell(
      "mkdir tmp home; export CULPRIT_CACHE=\"${CULPRIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/culprit}\"; "
      "unset XDG_CACHE_HOME; HOME=$PWD/home TMPDIR=$PWD/tmp culprit check model.onnx >/dev/null; code=$?; "
      "find tmp home -mindepth 1; exit $code");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(Cli, AFaultIsShownWithACommandThatWorksAndItsModel) {
  write_model("faulty.onnx", faulty_model);
  const Ran ran = shell("culprit check faulty.onnx --run-dir run");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, StartsWith("faulty.onnx  FAULT  "));
  EXPECT_THAT(ran.out, HasSubstr("diverged  fuse_pad_into_conv"));
  expect_valid("run/report.json");
  const auto report = nlohmann::json::parse(text_of("run/report.json"));
  const std::string file = [&] {
    for (const auto& variant : report["models"][0]["variants"])
      if (!variant["file"].is_null()) return variant["file"].get<std::string>();
    return std::string();
  }();
  EXPECT_THAT(file, MatchesRegex("variants/faulty/V[0-9]+-fuse_pad_into_conv.onnx"));
  EXPECT_TRUE(there(fs::path("run") / file));
  EXPECT_THAT(ran.out, HasSubstr("repro       repro/F1 (2 nodes of 2, after "));
  EXPECT_EQ(shell("culprit replay run/repro/F1").exit, 1);

  const auto at = ran.out.find("culprit check faulty.onnx");
  ASSERT_NE(at, std::string::npos);
  const std::string command = ran.out.substr(at, ran.out.find("--verbose", at) + 9 - at);
  const Ran more = shell(command);
  EXPECT_EQ(more.exit, 1) << command << more.err;
  EXPECT_THAT(more.out, HasSubstr("beyond tolerance"));
}

TEST_F(Cli, ACrashIsAFaultAndItsLastWordsAreShown) {
  write_model("crashing.onnx", crashing_model);
  const Ran ran = shell("culprit check crashing.onnx --each adjust_slice_and_matmul --run-dir run");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("optimizer_crashed  adjust_slice_and_matmul"));
  expect_valid("run/report.json");
}

TEST_F(Cli, JsonIsPrintedOrWrittenAndNothingElseIs) {
  const Ran printed = shell("culprit check model.onnx --format json --run-dir run");
  EXPECT_EQ(printed.exit, 0) << printed.err;
  EXPECT_EQ(printed.out, text_of("run/report.json"));
  const Ran written = shell("culprit check model.onnx --format json --run-dir run -o out.json");
  EXPECT_EQ(written.out + written.err, "");
  EXPECT_EQ(text_of("out.json"), text_of("run/report.json"));
  const Ran text = shell("culprit check model.onnx --run-dir run -o out.txt");
  EXPECT_EQ(text.out + text.err, "");
  EXPECT_THAT(text_of("out.txt"), StartsWith("model.onnx  ok  "));
}

TEST_F(Cli, SeveralModelsGiveTheWorstExitCodeAndAllAreChecked) {
  std::ofstream(folder_.path() / "broken.onnx") << "nonsense";
  write_model("faulty.onnx", faulty_model);
  const Ran ran = shell("culprit check broken.onnx model.onnx nowhere.onnx --run-dir run");
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("broken.onnx  cannot judge: the model cannot be read\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nmodel.onnx  ok  "));
  EXPECT_THAT(ran.out, HasSubstr("\nnowhere.onnx  cannot judge: the model cannot be read\n"));
  EXPECT_THAT(ran.out, HasSubstr("3 models"));
  expect_valid("run/report.json");
  EXPECT_EQ(shell("culprit check broken.onnx faulty.onnx --run-dir run").exit, 1) << "a fault weighs more";
}

TEST_F(Cli, UsageErrorsSayWhatToDoAndLeaveNothing) {
  for (const char* line : {"culprit",
                           "culprit check",
                           "culprit chek model.onnx",
                           "culprit check model.onnx --passes nop --each nop",
                           "culprit check model.onnx --atol nan",
                           "culprit check model.onnx --memory lots",
                           "culprit check model.onnx --samples -1",
                           "culprit check model.onnx --custom-ops none.so",
                           "culprit check model.onnx --runtime 0.0.1",
                           "culprit check model.onnx --runtime model.onnx",
                           "culprit check model.onnx --python nosuch",
                           "culprit check model.onnx --second-runtime nosuch",
                           "culprit check model.onnx --data nosuch",
                           "culprit check model.onnx --data model.onnx",
                           "culprit check model.onnx --known model.onnx",
                           "culprit check model.onnx --input x=nosuch.npy",
                           "culprit check model.onnx --run-dir model.onnx",
                           "culprit check model.onnx --custom-ops model.onnx",
                           "culprit check --bogus",
                           "culprit check model.onnx -o none/x",
                           "culprit check model.onnx --each fuse_bn_into_con"}) {
    const Ran ran = shell(line);
    EXPECT_EQ(ran.exit, 2) << line << "\n" << ran.out << ran.err;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_THAT(ran.err, StartsWith("culprit: ")) << line;
    EXPECT_EQ(split(trim(ran.err), '\n').size(), 1U) << ran.err;
    EXPECT_EQ(run_folder(), "") << line;
  }
  EXPECT_THAT(shell("culprit check model.onnx --each fuse_bn_into_con").err, HasSubstr("fuse_bn_into_conv"));
}

TEST_F(Cli, FoldersOfOthersAreNotWrittenTo) {
  fs::create_directory(folder_.path() / "photos");
  std::ofstream(folder_.path() / "photos" / "cat.jpg") << "x";
  const Ran ran = shell("culprit check model.onnx --run-dir photos");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("photos"));
  EXPECT_FALSE(there("photos/report.json"));
}

TEST_F(Cli, NothingOfAnEarlierRunGoesWhenNothingCouldBeChecked) {
  ASSERT_EQ(shell("culprit check model.onnx --each eliminate_identity --keep-variants --run-dir run").exit, 0);
  const std::string before = text_of("run/report.json");
  std::ofstream(folder_.path() / "x.npy") << "nonsense";
  std::ofstream(folder_.path() / "broken.onnx") << "nonsense";
  EXPECT_EQ(shell("culprit check model.onnx --data nosuch --run-dir run").exit, 2);
  for (const char* line :
       {"culprit check model.onnx --input x=x.npy --run-dir run", "culprit check broken.onnx --run-dir run"}) {
    const Ran ran = shell(line);
    EXPECT_EQ(ran.exit, 3) << line;
    EXPECT_THAT(ran.err, HasSubstr("nothing could be checked, so run keeps what an earlier run left in it")) << line;
  }
  EXPECT_EQ(text_of("run/report.json"), before);
  EXPECT_TRUE(there("run/variants/model/V01-eliminate_identity.onnx"));
}

TEST_F(Cli, WhatTheCommandReadsIsNotOverwritten) {
  std::ofstream(folder_.path() / "known.json") << R"({"schema": "culprit.known/1", "faults": []})";
  const std::string before = text_of("known.json");
  const Ran ran = shell("culprit check model.onnx -o known.json --known known.json");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("-o known.json: that is what --known names, and would be overwritten"));
  EXPECT_EQ(text_of("known.json"), before);
}

TEST_F(Cli, APlaceForFilesThatIsNoneIsNamed) {
  const Ran replay = shell("TMPDIR=/nosuch culprit replay somewhere");
  EXPECT_EQ(replay.exit, 2);
  EXPECT_THAT(replay.err, HasSubstr("TMPDIR /nosuch: no folder for temporary files"));
  const Ran doctor = shell("P=$PWD; cd /proc && PATH=$P:$PATH culprit doctor");
  EXPECT_EQ(doctor.exit, 3);
  EXPECT_THAT(doctor.out, HasSubstr("missing run folder"));
}

TEST_F(Cli, KeepVariantsKeepsThemAll) {
  EXPECT_EQ(shell("culprit check model.onnx --each eliminate_identity --keep-variants --run-dir run").exit, 0);
  EXPECT_TRUE(there("run/variants/model/V01-eliminate_identity.onnx"));
  EXPECT_EQ(shell("culprit check model.onnx --each eliminate_identity --run-dir run").exit, 0);
  EXPECT_FALSE(there("run/variants")) << "those of the earlier run are gone";
}

TEST_F(Cli, AFullDiskIsSaidAndAClosedPipeIsNot) {
  for (const char* line :
       {"culprit check model.onnx > /dev/full", "culprit check model.onnx --format json > /dev/full",
        "culprit passes > /dev/full", "culprit --version > /dev/full", "culprit check --help > /dev/full",
        "culprit completion zsh > /dev/full", "culprit doctor > /dev/full"}) {
    const Ran full = shell(line);
    EXPECT_EQ(full.exit, 3) << line;
    EXPECT_THAT(full.err, HasSubstr("No space left on device")) << line;
  }
  EXPECT_EQ(shell("culprit check model.onnx --run-dir full > /dev/full").exit, 3);
  expect_valid("full/report.json");
  const Ran pipe = shell("(culprit passes; echo $? > code) | true; sleep 0.1; exit $(cat code)");
  EXPECT_EQ(pipe.exit, 0);
  EXPECT_EQ(pipe.err, "");
  EXPECT_EQ(shell("culprit check model.onnx 2>/dev/full").exit, 0) << "nobody reads stderr, and the result is whole";
  EXPECT_EQ(shell("culprit check model.onnx -o /dev/full/x").exit, 2);
}

TEST_F(Cli, AClosedStreamIsNotTakenForAFile) {
  const Ran ran = shell("culprit check model.onnx --run-dir run >&- 2>err");
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(text_of("err"), HasSubstr("cannot write the result to standard output"));
  expect_valid("run/report.json");
  EXPECT_EQ(shell("culprit check model.onnx --run-dir run <&- 2>&-").exit, 0);
  expect_valid("run/report.json");
}

TEST_F(Cli, EveryExampleInAHelpWorks) {
  for (const char* command : {"", "check", "passes", "doctor", "completion"}) {
    const Ran help = shell(std::string("culprit ") + command + " --help");
    EXPECT_EQ(help.exit, 0);
    const auto at = help.out.rfind("Example:\n");
    ASSERT_NE(at, std::string::npos) << help.out;
    const std::string example(trim(std::string_view(help.out).substr(at + 9)));
    EXPECT_EQ(shell(example).exit, 0) << example << text_of(".err");
  }
}

TEST_F(Cli, VersionAndPassesAndDoctor) {
  const Ran version = shell("culprit --version");
  for (const char* name : {"culprit 0.", "ONNX Optimizer", "ONNX ", "protobuf", "CLI11", "nlohmann-json", "fmt",
                           "spdlog", "xxHash", "OpenSSL", "ONNX Runtime"})
    EXPECT_THAT(version.out, HasSubstr(name));
  const auto passes = nlohmann::json::parse(shell("culprit passes --format json").out);
  EXPECT_GE(passes.size(), 48U);
  EXPECT_EQ(split(trim(shell("culprit passes --names").out), '\n').size(), passes.size());
  const Ran doctor = shell("culprit doctor");
  EXPECT_EQ(doctor.exit, 0) << doctor.out;
  EXPECT_THAT(doctor.out, HasSubstr("ok      ONNX Runtime   1."));
}

TEST_F(Cli, DoctorSurvivesALibraryThatIsNone) {
  std::ofstream(folder_.path() / "lib.so") << "not a library";
  const Ran ran = shell("culprit doctor --runtime ./lib.so");
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.out, HasSubstr("missing ONNX Runtime"));
  EXPECT_THAT(ran.out, HasSubstr("->"));
  EXPECT_EQ(shell("culprit doctor --runtime 0.0.1").exit, 3);
}

TEST_F(Cli, TheWorkerIsNotForPeople) {
  for (const char* line : {"culprit worker", "culprit worker --fd", "culprit worker --fd x", "culprit worker --fd -1",
                           "culprit worker --help"})
    EXPECT_EQ(shell(line).exit, 2) << line;
}

TEST_F(Cli, ProgressAndColourAreForTerminalsOnly) {
  const std::string check = "culprit check model.onnx --run-dir run";
  // script(1) gives a command a terminal, and says on stdout what came to it.
  if (shell("command -v script").exit != 0) GTEST_SKIP() << "no script(1) to make a terminal: apt-get install bsdutils";
  const auto on_terminal = [&](const std::string& before, const std::string& after) {
    return shell(before + " script -qec '" + check + after + "' /dev/null").out;
  };
  const std::string shown = on_terminal("TERM=xterm", "");
  EXPECT_THAT(shown, HasSubstr("\x1b[32mok\x1b[0m"));
  EXPECT_THAT(shown, HasSubstr("\r\x1b[K["));
  EXPECT_THAT(on_terminal("NO_COLOR=1 TERM=xterm", ""), Not(HasSubstr("\x1b[32m")));
  EXPECT_THAT(on_terminal("TERM=dumb", ""), Not(HasSubstr("\x1b")));
  EXPECT_THAT(on_terminal("TERM=xterm", " --quiet"), Not(HasSubstr("\x1b[K[")));
  EXPECT_THAT(shell("TERM=xterm " + check).out, Not(HasSubstr("\x1b")));
}

TEST_F(Cli, AReportIsNotWrittenOverAModel) {
  write_model("other.onnx", clean_model);
  const std::string before = text_of("other.onnx");
  const Ran ran = shell("culprit check model.onnx -o other.onnx");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("-o other.onnx: a report is written there, and that is the name of a model"));
  EXPECT_EQ(text_of("other.onnx"), before);
}

/// Is any process left whose command line names this folder?
bool anything_runs_in(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    std::error_code gone;
    const fs::path cwd = fs::read_symlink(entry.path() / "cwd", gone);
    if (!gone && cwd == folder) return true;
  }
  return false;
}

TEST_F(Cli, CtrlCKeepsWhatIsFinishedAndLeavesNoChild) {
  // Many models, so that there is something to interrupt; the signal goes to the program alone, as from a supervisor.
  std::string models;
  for (int i = 0; i < 400; ++i) models += " model.onnx";
  const Ran ran =
      shell("culprit check" + models +
            " --run-dir run > out & pid=$!; for i in $(seq 200); do test -s out && break; sleep 0.05; done; "
            "kill -INT $pid; wait $pid");
  EXPECT_EQ(ran.exit, 130) << ran.err;
  EXPECT_THAT(text_of("out"), HasSubstr("\ninterrupted: "));
  EXPECT_EQ(ran.err, "") << "the text has said it";
  const auto report = nlohmann::json::parse(text_of("run/report.json"));
  const std::size_t finished = report["models"].size();
  EXPECT_GE(finished, 1U);
  EXPECT_LT(finished, 400U);
  EXPECT_EQ(report["summary"]["not_reached"], 400 - finished);
  EXPECT_FALSE(anything_runs_in(folder_.path()));
}

/// The second opinion on a fault is asked for when all is judged; this one tells that it was asked, and waits.
TEST_F(Cli, CtrlCAfterTheVerdictsSaysThatTheReproIsMissing) {
  write_model("faulty.onnx", faulty_model);
  const fs::path python = folder_.path() / "python";
  std::ofstream(python) << "#!/bin/bash\n[[ \"$*\" == *--probe ]] && echo 1.19.0 && exit\n"
                        << "touch '" << (folder_.path() / "asked").string() << "'\nexec sleep 1000\n";
  fs::permissions(python, fs::perms::owner_all);
  const std::string unfinished = "culprit: interrupted: the verdicts stand, but [^\n]*the repro may be missing[^\n]*\n";
  const auto stopped = [&](const std::string& command) {
    fs::remove(folder_.path() / "asked");
    const Ran ran = shell("culprit " + command +
                          " --python ./python --run-dir run > out & pid=$!; "
                          "for i in $(seq 2000); do test -e asked && break; sleep 0.05; done; "
                          "kill -INT $pid; wait $pid");
    EXPECT_EQ(ran.exit, 130) << ran.err;
    const auto model = nlohmann::json::parse(text_of("run/report.json"))["models"].back();
    EXPECT_EQ(model["faults"].size(), 1U);
    EXPECT_EQ(model["warnings"].back()["code"], "interrupted");
    EXPECT_TRUE(model["faults"][0]["repro"].is_null());
    EXPECT_FALSE(anything_runs_in(folder_.path()));
    return ran.err;
  };
  EXPECT_THAT(stopped("localize faulty.onnx --passes fuse_pad_into_conv"), MatchesRegex(unfinished));
  const std::string check = "check model.onnx faulty.onnx model.onnx --each fuse_pad_into_conv";
  EXPECT_THAT(stopped(check), MatchesRegex(unfinished));
  EXPECT_THAT(text_of("out"), HasSubstr("\ninterrupted: 1 model not checked"));
  EXPECT_THAT(stopped(check + " --format json"),
              MatchesRegex("culprit: interrupted: 1 model not checked\n" + unfinished));
}

TEST_F(Cli, CtrlCBeforeAnythingIsFinishedKeepsTheReportOfAnEarlierRun) {
  ASSERT_EQ(shell("culprit check model.onnx --run-dir run").exit, 0);
  const std::string before = text_of("run/report.json");
  const Ran ran = shell(
      "culprit check model.onnx --samples 10000 --run-dir run > out & pid=$!; "
      "for i in $(seq 200); do test -d run/.work-*/0 && break; sleep 0.02; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(ran.exit, 130) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("culprit: interrupted: "));
  EXPECT_EQ(split(trim(ran.err), '\n').size(), 1U) << ran.err;
  EXPECT_EQ(text_of("run/report.json"), before);
  EXPECT_FALSE(anything_runs_in(folder_.path()));
}

}  // namespace
}  // namespace culprit::testing
