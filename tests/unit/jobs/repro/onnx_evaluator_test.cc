// The host is a shell script here, so that it fails, hangs and lies as a test says; with a real Python:
// tests/integration/evaluator_test.cc.
#include "repro/onnx_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "repro_samples.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Evaluators : public ::testing::Test {
 protected:
  Evaluators() {
    fs::create_directory(place());
    EXPECT_TRUE(save_model(sample_model(), model_));
    EXPECT_TRUE(write_pack(inputs_, std::vector<NamedTensor>{{"x", Tensor::of<float>({2}, {3, -1})}}));
  }

  /// A Python that answers the probe, and else does `body`, with the folder in $1.
  std::string python(const std::string& body, const std::string& probe = "echo 1.19.0") {
    const fs::path file = folder_.path() / "py'thon";
    std::ofstream(file) << "#!/bin/sh\nshift 4\n[ -f \"$1\" ] || exit 9\nshift\n"
                        << "if [ \"$1\" = --probe ]; then " << probe << "; exit; fi\n"
                        << body << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  Result<std::unique_ptr<Evaluator>> make(const std::string& program) {
    return make_onnx_evaluator({program, place(), 2, is_interrupted_});
  }

  EvaluatorOutcome run(const std::string& body) {
    const EvaluatorJob job{model_, inputs_, bound_, true, folder_.path() / "it's one", limits_};
    return make(python(body)).value()->run({&job, 1}).value().at(0);
  }

  [[nodiscard]] fs::path place() const { return folder_.path() / "ho st's"; }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-evaluator-").value();
  fs::path model_ = folder_.path() / "net.onnx", inputs_ = folder_.path() / "in.pack";
  std::vector<BoundInput> bound_;
  Limits limits_{120, 0};
  std::function<bool()> is_interrupted_;
};

constexpr const char* echoing = R"(
cd "$1"
cp input_0.pb output_0.pb; cp input_0.pb output_1.pb
echo '{"precision": "float64", "why": ""}' > result.json)";

TEST_F(Evaluators, GiveTheOutputsUnderTheNamesOfTheModel) {
  const EvaluatorOutcome outcome = run(echoing);
  EXPECT_EQ(outcome.failure, "");
  EXPECT_TRUE(outcome.in_float64);
  const auto outputs = read_pack(outcome.outputs);
  ASSERT_TRUE(outputs);
  ASSERT_EQ(outputs->size(), 2U);
  EXPECT_EQ(outputs->at(0).name, "y");
  EXPECT_EQ(outputs->at(1).name, "z");
  EXPECT_THAT(outputs->at(0).value.as<float>(), ElementsAre(3, -1));
}

TEST_F(Evaluators, AreToldWhatIsFedAndWanted) {
  bound_ = {{"x", "renamed"}};
  const std::string failure = run("tr -d ' \\n' < \"$1/job.json\" >&2; exit 3").failure;
  EXPECT_THAT(failure, HasSubstr(R"("inputs":[{"name":"renamed","file":"input_0.pb","form":["tensor"]}])"));
  EXPECT_THAT(failure, HasSubstr(R"({"file":"output_1.pb","form":["tensor"]}],"float64":true)"));
}

TEST_F(Evaluators, SayTheirVersion) { EXPECT_EQ(make(python("")).value()->version(), "1.19.0"); }

TEST_F(Evaluators, APythonWithoutOnnxIsRefusedInItsOwnWords) {
  const auto refused = make(python("", "echo 'No module named onnx' >&2; exit 2"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  EXPECT_EQ(refused.error().message, "No module named onnx");
}

TEST_F(Evaluators, WhatIsNoPythonIsRefused) {
  EXPECT_THAT(make("/nowhere/python").error().message, HasSubstr("not found"));
  EXPECT_THAT(make("true").error().message, HasSubstr("does not behave like a Python"));
  EXPECT_THAT(make("false").error().message, HasSubstr("exit status 1"));
}

TEST_F(Evaluators, AFailureIsTheLastLineThatWasSaid) {
  EXPECT_EQ(run("echo noise >&2; printf 'RuntimeError: \\033[31mno' >&2; exit 3").failure, "RuntimeError: no");
  EXPECT_EQ(run("exit 3").failure, "it ended with exit status 3");
}

TEST_F(Evaluators, WhatDoesNotEndIsEnded) {
  limits_.cpu_seconds = 0.05;
  EXPECT_THAT(run("sleep 1000").failure, HasSubstr("had not ended after"));
}

TEST_F(Evaluators, LiveWithinTheLimits) {
  limits_ = {77, UINT64_C(126418944)};  // 123456 KiB
  EXPECT_EQ(run("echo $(ulimit -t) $(ulimit -v) $(ulimit -c) >&2; exit 3").failure, "77 123456 0");
}

TEST_F(Evaluators, WhatTheyWriteIsNotBelieved) {
  EXPECT_NE(run("exit 0").failure, "");
  EXPECT_THAT(run("echo '[]' > \"$1/result.json\"").failure, HasSubstr("result.json"));
  EXPECT_NE(run(std::string(echoing) + "\nprintf junk > output_1.pb").failure, "");
  EXPECT_NE(run(std::string(echoing) + "\nrm output_1.pb").failure, "");
}

TEST_F(Evaluators, OneThatCannotBePreparedDoesNotStopTheOther) {
  const auto evaluator = make(python(echoing)).value();
  const std::vector<EvaluatorJob> jobs{
      {folder_.path() / "gone.onnx", inputs_, {}, false, folder_.path() / "1", limits_},
      {model_, inputs_, {}, false, folder_.path() / "2", limits_}};
  const auto outcomes = evaluator->run(jobs).value();
  EXPECT_NE(outcomes[0].failure, "");
  EXPECT_EQ(outcomes[1].failure, "");
  EXPECT_EQ(evaluator->counts().processes, 1);
}

TEST_F(Evaluators, AnInterruptionIsAnError) {
  bool interrupted = false;
  is_interrupted_ = [&] { return interrupted; };
  const auto evaluator = make(python("sleep 1000")).value();
  interrupted = true;
  const EvaluatorJob job{model_, inputs_, {}, true, folder_.path() / "one", limits_};
  const auto stopped = evaluator->run({&job, 1});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
