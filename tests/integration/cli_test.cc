// The built binary from outside: streams, exit codes, the run folder, interruption, and that every example in a help
// works.
#include <algorithm>
#include <array>
#include <map>

#include "base/cache_folder.h"
#include "cli_folder.h"
#include "runtime/find_library.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

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
  EXPECT_THAT(ran.out, HasSubstr("wrong  fuse_pad_into_conv"));
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
  EXPECT_THAT(ran.out, HasSubstr("optimizer crashed  adjust_slice_and_matmul"));
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
  const Ran ran = shell("culprit check broken.onnx model.onnx --run-dir run");
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("broken.onnx  cannot judge: the model cannot be read\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nmodel.onnx  ok  "));
  EXPECT_THAT(ran.out, HasSubstr("2 models"));
  expect_valid("run/report.json");
  EXPECT_EQ(shell("culprit check broken.onnx faulty.onnx --run-dir run").exit, 1) << "a fault weighs more";
}

TEST_F(Cli, UsageErrorsSayWhatToDoAndLeaveNothing) {
  for (const char* line : {"culprit",
                           "culprit check",
                           "culprit chek model.onnx",
                           "culprit check model.onnx nowhere.onnx",
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

/// Whatever flag names it: a file that is there, and is not what it should be, leaves the question open.
TEST_F(Cli, FilesOfAnotherKindAreNoWrongUsage) {
  std::ofstream(folder_.path() / "culprit.yaml") << "taks: classification\n";
  for (const char* line : {"culprit check model.onnx --known model.onnx", "culprit check model.onnx --data model.onnx",
                           "culprit check model.onnx --optimizer culprit.yaml",
                           "culprit profile model.onnx --baseline model.onnx", "culprit eval model.onnx"}) {
    const Ran ran = shell(line);
    EXPECT_EQ(ran.exit, 3) << line << "\n" << ran.out << ran.err;
    EXPECT_LE(split(trim(ran.err), '\n').size(), 1U) << ran.err;
  }
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
  const Ran replay = shell("mkdir somewhere && TMPDIR=/nosuch culprit replay somewhere");
  EXPECT_EQ(replay.exit, 2);
  EXPECT_THAT(replay.err, HasSubstr("TMPDIR /nosuch: no folder for temporary files"));
  const Ran doctor = shell("P=$PWD; cd /proc && PATH=$P:$PATH culprit doctor");
  EXPECT_EQ(doctor.exit, 3);
  EXPECT_THAT(doctor.out, HasSubstr("missing run folder"));
}

/// As pip lays packages: the runtime that the user has installed is the one that is tested.
TEST_F(Cli, TheRuntimeIsTakenFromWhereItIsNamed) {
  const std::string real = find_onnxruntime("").value().string();
  shell(
      "mkdir -p site/culprit/_bin site/onnxruntime/capi && cp -L \"$(command -v culprit)\" site/culprit/_bin && ln "
      "-s " +
      real + " site/onnxruntime/capi/libonnxruntime.so.1.20.1");
  for (const auto& [command, words] : std::map<std::string, std::string>{
           {"env -u CULPRIT_RUNTIME site/culprit/_bin/culprit doctor",
            "site/onnxruntime/capi/libonnxruntime.so.1.20.1,thePythonpackagebesidethisone"},
           {"CULPRIT_RUNTIME=" + real + " site/culprit/_bin/culprit doctor", real + ",namedbyCULPRIT_RUNTIME"},
           {"culprit doctor --runtime " + real, real + ",namedby--runtime"},
           {"env -u CULPRIT_RUNTIME culprit doctor", ",thedefaultofthecachefolder"}})
    EXPECT_THAT(shell("HOME=/nowhere CULPRIT_CACHE=" + cache_folder().string() + " " + command + " | tr -d ' \\n'").out,
                HasSubstr(words))
        << command;
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
  for (const char* command : {"", "check", "passes", "optimizers", "doctor", "completion"}) {
    const Ran help = shell(std::string("culprit ") + command + " --help");
    EXPECT_EQ(help.exit, 0);
    const auto at = help.out.rfind("Examples:\n");
    ASSERT_NE(at, std::string::npos) << help.out;
    for (const std::string& line : split(trim(std::string_view(help.out).substr(at + 10)), '\n')) {
      const std::string example(trim(line));
      const bool needs_more =
          std::ranges::any_of(std::array{"optimized.onnx", "--data", "1.22.1", ".config"},
                              [&](const char* what) { return example.find(what) != std::string::npos; });
      const int code = needs_more ? 0 : shell(example).exit;
      EXPECT_EQ(code, 0) << example << text_of(".err");
    }
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

}  // namespace
}  // namespace culprit::testing
