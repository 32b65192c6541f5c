// Rows of an evaluation, on an executor that decides as it is told to: no runtime. Models and packs are real files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/file.h"
#include "evaluate/evaluate.h"
#include "support/bundled_runs.h"
#include "tensor/pack_file.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::IsEmpty;
using testing::Not;

/// Decides class 0, but at level "all" class 1. Knows what it was asked.
class LevelReader : public Executor {
 public:
  std::vector<RunJob> asked;

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob given) override {
    const RunJob job = in_files(given);
    RunOutcome outcome;
    outcome.job = asked.size() + 1;
    const float other = job.session.level == Level::all ? 2 : 0;
    fs::create_directories(job.folder);
    for (std::size_t i = 0; i < job.samples.size(); ++i) {
      const std::vector<NamedTensor> outputs{{"y", Tensor::of<float>({1, 3}, {1, other, 0})}};
      outcome.outputs.push_back(job.folder / (std::to_string(i) + ".pack"));
      if (!write_pack(outcome.outputs.back(), outputs)) throw std::runtime_error("cannot write");
    }
    bundle_outputs(given, outcome);
    asked.push_back(std::move(given));
    done_.emplace_back(outcome);
    return outcome.job;
  }
  std::optional<Outcome> next() override {
    if (done_.empty()) return std::nullopt;
    Outcome outcome = done_.front();
    done_.pop_front();
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  std::deque<Outcome> done_;
};

class EvaluatedRows : public testing::Test {
 protected:
  Model model(const std::string& name) {
    const auto net = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
      net (float[1,3] x) => (float[1,3] y) { y = Relu(x) })");
    const fs::path file = folder_.path() / name;
    EXPECT_TRUE(write_file_atomic(file, net.SerializeAsString()));
    return load_model(file).value();
  }

  Result<EvaluationReport> run(const std::vector<Model>& models, std::vector<EvaluatedRow> rows) {
    EvaluateOptions options;
    options.task = "classification";
    options.rows = std::move(rows);
    fs::create_directories(folder_.path() / "work");
    return evaluate(models, options, {dispatcher_, folder_.path() / "work"});
  }

  static SessionOptions at(Level level) {
    SessionOptions session;
    session.level = level;
    return session;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
  LevelReader executor_, other_;
  Dispatcher dispatcher_{executor_}, other_dispatcher_{other_};
};

TEST_F(EvaluatedRows, EachHasItsOwnSessionAndIsHeldAgainstTheFirst) {
  const auto report = run({model("a.onnx")}, {{0, {}, at(Level::off), "off"}, {0, {}, at(Level::all), "all"}});
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_EQ(report->models.size(), 2U);
  EXPECT_GT(report->models[1].decisions.samples, 0);
  EXPECT_EQ(report->models[1].decisions.changed, report->models[1].decisions.samples) << "the level decides";
  const auto same = run({model("a.onnx")}, {{0, {}, at(Level::all), "all"}, {0, {}, at(Level::all), "again"}});
  EXPECT_EQ(same->models[1].decisions.changed, 0);
}

TEST_F(EvaluatedRows, WhatAnOptimizerMadeRunsInTheModelsPlace) {
  const Model a = model("a.onnx"), made = model("made.onnx");
  ASSERT_TRUE(run({a}, {{0, {}, at(Level::off), "a"}, {0, made.path, at(Level::off), "made"}}));
  EXPECT_EQ(executor_.asked.front().model, a.path);
  EXPECT_EQ(executor_.asked.back().model, made.path);
}

TEST_F(EvaluatedRows, ARowOfAnotherRuntimeRunsThere) {
  const Model a = model("a.onnx");
  const auto report =
      run({a}, {{0, {}, at(Level::off), "1.31"}, {0, {}, at(Level::basic), "1.22", &other_dispatcher_}});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_THAT(other_.asked, Not(IsEmpty()));
  for (const RunJob& job : other_.asked) EXPECT_EQ(job.session.level, Level::basic);
  for (const RunJob& job : executor_.asked) EXPECT_EQ(job.session.level, Level::off);
  EXPECT_EQ(report->models[1].decisions.changed, 0);
  EXPECT_GT(report->models[1].decisions.samples, 0);
}

}  // namespace
}  // namespace culprit
