// Ctrl-C while pictures are drawn, on an executor that finds the same box everywhere: no runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/file.h"
#include "evaluate/evaluate.h"
#include "picture/encode_picture.h"
#include "support/bundled_runs.h"
#include "tensor/pack_file.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

/// Says when it is asked to run for the drawing.
class BoxFinder : public Executor {
 public:
  bool is_drawing = false;

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob given) override {
    const RunJob job = in_files(given);
    is_drawing |= job.folder.string().find("drawing") != std::string::npos;
    RunOutcome outcome;
    outcome.job = ++jobs_;
    fs::create_directories(job.folder);
    for (std::size_t i = 0; i < job.samples.size(); ++i) {
      const std::vector<NamedTensor> outputs{{"boxes", Tensor::of<float>({1, 4}, {1, 1, 5, 5})},
                                             {"labels", Tensor::of<std::int64_t>({1}, {0})},
                                             {"scores", Tensor::of<float>({1}, {0.9F})}};
      outcome.outputs.push_back(job.folder / (std::to_string(i) + ".pack"));
      if (!write_pack(outcome.outputs.back(), outputs)) throw std::runtime_error("cannot write");
    }
    bundle_outputs(given, outcome);
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
  JobId jobs_ = 0;
  std::deque<Outcome> done_;
};

TEST(Drawing, ThatIsInterruptedCostsNoFigures) {
  const TemporaryFolder folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-interrupted").value();
  const auto net = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,3,8,8] x) => (float[1,4] boxes, int64[1] labels, float[1] scores) {
      boxes = Relu(x) labels = Relu(x) scores = Relu(x) })");
  ASSERT_TRUE(write_file_atomic(folder.path() / "a.onnx", net.SerializeAsString()));
  fs::create_directories(folder.path() / "p");
  fs::create_directories(folder.path() / "work");
  for (const char* name : {"a.png", "b.png"}) ASSERT_TRUE(write_png(folder.path() / "p" / name, Picture(8, 8)));
  BoxFinder executor;
  Dispatcher dispatcher(executor);
  dispatcher.limit({}, [&] { return executor.is_drawing; });
  EvaluateOptions options;
  options.data.data.data = folder.path() / "p";
  options.data.data.preprocess = "raw";
  options.task = "detection";
  options.draw = folder.path() / "drawn";
  const auto report =
      evaluate({load_model(folder.path() / "a.onnx").value()}, options, {dispatcher, folder.path() / "work"});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(executor.is_drawing);
  EXPECT_FALSE(report->is_drawn);
  EXPECT_EQ(report->models[0].decisions.samples, 2);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_EQ(report->warnings[0].code, "not_drawn");
  EXPECT_THAT(report->warnings[0].message, testing::EndsWith("interrupted"));
}

}  // namespace
}  // namespace culprit
