#pragma once
// An executor that computes: it reads the model files that jobs name and runs them (tests/support/tensor_ops.h). It can
// fail, and answer otherwise where a value is read, as runtimes do.

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "model/model.h"
#include "model/perturb_weights.h"
#include "support/tensor_ops.h"
#include "tensor/pack_file.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {

class TensorExecutor : public Executor {
 public:
  std::set<std::string> disturbing;   ///< values that move all outputs of the model a little when they are outputs
  std::set<std::string> unreadable;   ///< values that the model does not load with as outputs
  std::set<std::string> failing_ops;  ///< operators that fail when they run
  std::vector<RunJob> jobs;           ///< all that were asked for
  std::size_t most_outputs = 0;       ///< of one run
  std::size_t at_once = 1;            ///< jobs that it says it does at once

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    jobs.push_back(std::move(job));
    waiting_.push_back(jobs.size());
    return jobs.size();
  }
  std::optional<Outcome> next() override {
    if (waiting_.empty()) return std::nullopt;
    const JobId id = waiting_.back();  // any order
    waiting_.pop_back();
    RunOutcome outcome = run(jobs[id - 1]);
    outcome.job = id;
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }
  [[nodiscard]] std::size_t places() const override { return at_once; }

 private:
  using Values = std::map<std::string, Tensor>;

  static RunOutcome failed(RunOutcome::Stage stage, const std::string& why) {
    RunOutcome outcome;
    outcome.stage = stage;
    outcome.failure.ending = Ending::threw;
    outcome.failure.message = why;
    return outcome;
  }

  RunOutcome run(const RunJob& job) {
    auto model = load_proto(job.model).value();
    EXPECT_TRUE(inline_external_data(model, job.model.parent_path()));
    if (job.perturbation) perturb_weights(model, job.perturbation->seed, job.perturbation->ulps);
    const auto& graph = model.graph();
    most_outputs = std::max(most_outputs, static_cast<std::size_t>(graph.output_size()));
    bool is_disturbed = false;
    for (const auto& output : graph.output()) {
      if (unreadable.contains(output.name()))
        return failed(RunOutcome::Stage::load, "cannot make '" + output.name() + "' an output");
      is_disturbed = is_disturbed || disturbing.contains(output.name());
    }
    RunOutcome outcome;
    for (const auto& sample : job.samples) {
      try {
        const Values values = computed(graph, job, sample);
        std::vector<NamedTensor> outputs;
        for (const auto& output : graph.output())
          outputs.push_back({output.name(), disturbed(values.at(output.name()), is_disturbed)});
        std::filesystem::create_directories(job.folder);
        outcome.outputs.push_back(job.folder / (std::to_string(outcome.outputs.size()) + ".pack"));
        EXPECT_TRUE(write_pack(outcome.outputs.back(), outputs));
      } catch (const std::exception& error) {
        return failed(RunOutcome::Stage::run, error.what());
      }
    }
    return outcome;
  }

  static Tensor disturbed(const Tensor& tensor, bool is_so) {
    if (!is_so || tensor.dtype() != DType::f32) return tensor;
    Floats moved = floats_of(tensor);
    for (float& number : moved) number += 0.001F;
    return Tensor::of<float>(tensor.shape(), moved);
  }

  [[nodiscard]] Values computed(const onnx::GraphProto& graph, const RunJob& job,
                                const std::filesystem::path& sample) const {
    Values values;
    for (const auto& tensor : graph.initializer()) values[tensor.name()] = from_proto(tensor).value();
    const auto pack = read_pack(sample).value();
    std::set<std::string> inputs;
    for (const auto& input : graph.input()) inputs.insert(input.name());
    for (const NamedTensor& given : pack) {
      demand(inputs.contains(given.name), "'" + given.name + "' is no input");
      values[given.name] = given.value;
    }
    for (const std::string& input : inputs) demand(values.contains(input), "'" + input + "' is not fed");
    for (const auto& node : graph.node()) run_node(node, job, values);
    return values;
  }

  void run_node(const onnx::NodeProto& node, const RunJob& job, Values& values) const {
    demand(!failing_ops.contains(node.op_type()), node.op_type() + " fails");
    if (node.op_type() == "Constant") {
      for (const auto& attribute : node.attribute())
        if (attribute.has_t()) values[node.output(0)] = from_proto(attribute.t()).value();
      return;
    }
    std::vector<const Tensor*> inputs;
    for (const std::string& input : node.input()) inputs.push_back(input.empty() ? nullptr : &values.at(input));
    Tensor made = NodeOnTensors(node, inputs).computed();
    static const std::set<std::string> rounds_nothing{"Relu",     "Clip",      "MaxPool", "Neg",
                                                      "Identity", "Reshape",   "Flatten", "Transpose",
                                                      "Squeeze",  "Unsqueeze", "Concat",  "Pad"};
    if (job.perturbation && made.dtype() == DType::f32 && !rounds_nothing.contains(node.op_type())) {
      Random random(job.perturbation->seed, node.output(0));
      made = perturbed(made, random, job.perturbation->ulps);
    }
    values[node.output(0)] = std::move(made);
  }

  std::deque<JobId> waiting_;
};

}  // namespace culprit::testing
