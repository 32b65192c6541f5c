#pragma once
// An executor that computes: what a model does is a function of its weight w and its input x, and the model files that
// jobs name are read. So draws can be seen to move what they should.

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "executor/dispatcher.h"
#include "executor/executor.h"
#include "model/model.h"
#include "tensor/pack_file.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"
#include "trial/reference.h"

namespace culprit {

using Floats = std::vector<float>;

inline Tensor vector_of(const Floats& values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}
inline Tensor label_of(std::int64_t label) { return Tensor::of<std::int64_t>({1}, {label}); }
inline Floats floats_of(const Tensor& tensor) { return {tensor.as<float>().begin(), tensor.as<float>().end()}; }

class Computer : public Executor {
 public:
  std::function<std::vector<NamedTensor>(const Floats& w, const Floats& x)> computes;
  std::function<Failure(std::size_t run)> fails;  ///< by number of the job
  std::vector<RunJob> ran;
  std::vector<std::uintmax_t> model_files;  ///< that were there when a job was answered
  std::vector<Floats> weights;              ///< that jobs ran with

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    ran.push_back(job);
    queue_.push_back(ran.size());
    return ran.size();
  }
  std::optional<Outcome> next() override {
    if (queue_.empty()) return std::nullopt;
    const JobId id = queue_.front();
    queue_.pop_front();
    RunOutcome outcome = run(ran[id - 1], id - 1);
    outcome.job = id;
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

  /// Also round numbers, which tests are easier to read with.
  static void move(onnx::TensorProto& weight, const Perturbation& perturbation) {
    Random random(perturbation.seed, weight.name());
    weight = to_proto(perturbed(from_proto(weight).value(), random, perturbation.ulps), weight.name());
  }

  RunOutcome run(const RunJob& job, std::size_t number) {
    RunOutcome outcome;
    if (fails) outcome.failure = fails(number);
    if (outcome.failure.failed()) return outcome;
    onnx::ModelProto model;
    std::ifstream file(job.model, std::ios::binary);
    EXPECT_TRUE(model.ParseFromIstream(&file)) << job.model;
    if (job.perturbation) {
      EXPECT_TRUE(inline_external_data(model, job.model.parent_path()));
      for (auto& weight : *model.mutable_graph()->mutable_initializer()) move(weight, *job.perturbation);
    }
    Floats w;
    if (model.graph().initializer_size() > 0) w = floats_of(from_proto(model.graph().initializer(0)).value());
    weights.push_back(w);
    for (const fs::path& sample : job.samples) {
      const auto inputs = read_pack(sample).value();
      outcome.outputs.push_back(job.folder / (std::to_string(outcome.outputs.size()) + ".pack"));
      fs::create_directories(job.folder);
      EXPECT_TRUE(write_pack(outcome.outputs.back(), computes(w, floats_of(inputs.at(0).value))));
    }
    return outcome;
  }

 private:
  std::deque<JobId> queue_;
};

/// A model, samples and what the computer makes of them.
class ComputerBench : public testing::Test {
 protected:
  ComputerBench() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-noise").value()) {
    takes("g (float[2] x) => (float[2] y) <float[2] w = {1.5, 2.5}> { y = Mul(x, w) }");
  }

  /// The graph of the model; what it computes is the computer's.
  void takes(const std::string& graph) {
    onnx::ModelProto proto;
    const auto status =
        onnx::OnnxParser::Parse(proto, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
    ASSERT_TRUE(status.IsOK()) << status.ErrorMessage();
    ASSERT_TRUE(save_model(proto, folder() / "net.onnx"));
    model_ = load_model(folder() / "net.onnx").value();
  }

  /// Runs the reference on these.
  void feed(const std::vector<Floats>& samples) {
    RunJob job;
    job.model = model_.path;
    job.folder = folder() / "reference";
    for (const Floats& x : samples) {
      reference.samples.push_back(folder() / ("s" + std::to_string(reference.samples.size()) + ".pack"));
      const std::vector<NamedTensor> inputs = {{"x", vector_of(x)}};
      ASSERT_TRUE(write_pack(reference.samples.back(), inputs));
    }
    job.samples = reference.samples;
    reference.outputs = computer.run(job, 0).outputs;
    computer.weights.clear();
  }

  [[nodiscard]] fs::path folder() const { return folder_.path(); }

  TrialOptions options;
  Computer computer;
  Dispatcher dispatcher{computer};

 private:
  TemporaryFolder folder_;
  Model model_;

 protected:
  Reference reference{model_, options, folder_.path()};
};

}  // namespace culprit
