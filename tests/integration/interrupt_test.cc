// Ctrl-C: what is finished is kept, and nothing is left behind.
#include <fmt/format.h>

#include "base/random.h"
#include "cli_folder.h"
#include "tensor/npy.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

using CtrlC = Cli;

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

TEST_F(CtrlC, KeepsWhatIsFinishedAndLeavesNoChild) {
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
TEST_F(CtrlC, AfterTheVerdictsSaysThatTheReproIsMissing) {
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
  // The first model is the faulty one: the evaluator is asked about each model that is judged.
  const std::string check = "check faulty.onnx model.onnx --each fuse_pad_into_conv";
  EXPECT_THAT(stopped(check), MatchesRegex(unfinished));
  EXPECT_THAT(text_of("out"), HasSubstr("\ninterrupted: 1 model not checked"));
  EXPECT_THAT(stopped(check + " --format json"),
              MatchesRegex("culprit: interrupted: 1 model not checked\n" + unfinished));
}

TEST_F(CtrlC, BeforeAnythingIsFinishedKeepsTheReportOfAnEarlierRun) {
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

/// The figures of an evaluation that is stopped are those of the samples that were told before.
TEST_F(CtrlC, AmidSamplesKeepsTheFiguresOfThoseThatWereEvaluated) {
  write_model("flat.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,4] x) => (float[1,4] y) { y = Softmax<axis = -1>(x) })");
  Random random(3);
  const std::int64_t rows = 400'000;
  std::vector<float> values(rows * 4);
  for (float& value : values) value = static_cast<float>(random.normal());
  ASSERT_TRUE(write_npy(folder_.path() / "x.npy", Tensor::of<float>({rows, 4}, values)));
  const Ran ran = shell(
      "culprit eval flat.onnx --data x.npy --task classification --decisions told.csv --run-dir run > out & pid=$!; "
      "for i in $(seq 2000); do test $(stat -c %s told.csv* 2>/dev/null || echo 0) -gt 4096 && break; sleep 0.02; "
      "done; kill -INT $pid; wait $pid");
  EXPECT_EQ(ran.exit, 130) << ran.err;
  const auto report = nlohmann::json::parse(text_of("run/report.json"));
  const std::int64_t done = report["data"]["samples"];
  EXPECT_TRUE(report["interrupted"]);
  EXPECT_EQ(report["warnings"].back()["code"], "interrupted");
  EXPECT_EQ(report["warnings"].back()["message"],
            fmt::format("interrupted after {} of {} samples: all figures are of these", done, rows));
  EXPECT_GT(done, 0);
  EXPECT_LT(done, rows);
  EXPECT_EQ(report["data"]["not_reached"], rows - done);
  EXPECT_EQ(report["models"][0]["samples"], done);
  EXPECT_EQ(split(trim(text_of("told.csv")), '\n').size(), static_cast<std::size_t>(done) + 1);
  EXPECT_THAT(text_of("out"), HasSubstr("interrupted after "));
  EXPECT_FALSE(anything_runs_in(folder_.path()));
}

}  // namespace
}  // namespace culprit::testing
