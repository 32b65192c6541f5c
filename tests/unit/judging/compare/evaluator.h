#pragma once
// An executor that computes: it reads the model files that jobs name and evaluates a few elementwise operators on
// vectors. It can fail, flicker, and answer otherwise where a value is read, as runtimes do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "graphs.h"
#include "model/model.h"
#include "model/perturb_weights.h"
#include "tensor/pack_file.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"

namespace culprit {

namespace fs = std::filesystem;
using Floats = std::vector<float>;

inline Tensor vector_of(const Floats& values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

class ComputingExecutor : public Executor {
 public:
  std::set<std::string> disturbing;     ///< values that change all outputs of the model a little when they are outputs
  std::set<std::string> unreadable;     ///< values that the model does not load with as outputs
  std::set<std::string> failing_ops;    ///< operators that fail
  std::set<std::string> missing_ops;    ///< operators of my.dom, in a library that was not given
  std::set<std::string> failing_files;  ///< names of model files that fail
  std::function<float(int run)> wanders = {};  ///< added to all outputs, by number of the job
  std::vector<RunJob> ran;
  std::size_t most_outputs = 0;  ///< of one run

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    ran.push_back(std::move(job));
    queue_.push_back(ran.size());
    return ran.size();
  }
  std::optional<Outcome> next() override {
    if (queue_.empty()) return std::nullopt;
    const JobId id = queue_.back();  // any order
    queue_.pop_back();
    RunOutcome outcome = run(ran[id - 1], static_cast<int>(id));
    outcome.job = id;
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  using Values = std::map<std::string, Floats>;

  /// As the worker imitates rounding behind nodes that compute.
  static Floats rounded(const Floats& values, const Perturbation& perturbation, const std::string& name) {
    Random random(perturbation.seed, name);
    const Tensor moved = perturbed(vector_of(values), random, perturbation.ulps);
    return {moved.as<float>().begin(), moved.as<float>().end()};
  }

  RunOutcome run(const RunJob& job, int number) {
    RunOutcome outcome;
    auto model = load_proto(job.model).value();
    EXPECT_TRUE(inline_external_data(model, job.model.parent_path()));
    if (failing_files.contains(job.model.filename())) return failed(RunOutcome::Stage::run, "no");
    if (job.perturbation) perturb_weights(model, job.perturbation->seed, job.perturbation->ulps);
    most_outputs = std::max(most_outputs, static_cast<std::size_t>(model.graph().output_size()));
    bool is_disturbed = false;
    for (int i = 0; i < model.graph().output_size(); ++i) {
      const std::string& name = model.graph().output(i).name();
      if (unreadable.contains(name)) return failed(RunOutcome::Stage::load, "cannot make '" + name + "' an output");
      is_disturbed = is_disturbed || disturbing.contains(name);
    }
    for (const fs::path& sample : job.samples) {
      Values values = inputs_of(job, sample);
      for (const auto& node : model.graph().node()) {
        if (failing_ops.contains(node.op_type())) return failed(RunOutcome::Stage::run, node.op_type() + " fails");
        if (missing_ops.contains(node.op_type()))
          return failed(RunOutcome::Stage::load, "my.dom:" + node.op_type() + "(-1) is not a registered function/op");
      }
      evaluate(model.graph(), job, values);
      std::vector<NamedTensor> outputs;
      for (const auto& output : model.graph().output()) {
        Floats found = values.at(output.name());
        for (float& value : found) value += (is_disturbed ? 0.001F : 0) + (wanders ? wanders(number) : 0);
        outputs.push_back({output.name(), vector_of(found)});
      }
      outcome.outputs.push_back(job.folder / (std::to_string(outcome.outputs.size()) + ".pack"));
      fs::create_directories(job.folder);
      EXPECT_TRUE(write_pack(outcome.outputs.back(), outputs));
    }
    return outcome;
  }

  static RunOutcome failed(RunOutcome::Stage stage, const std::string& why) {
    RunOutcome outcome;
    outcome.stage = stage;
    outcome.failure.ending = Ending::threw;
    outcome.failure.message = why;
    return outcome;
  }

  static Values inputs_of(const RunJob& job, const fs::path& sample) {
    Values values;
    const auto pack = read_pack(sample).value();
    for (const NamedTensor& tensor : pack) {
      std::string name = tensor.name;
      for (const BoundInput& bound : job.inputs) {
        if (bound.original == tensor.name) name = bound.variant;
      }
      values[name] = {tensor.value.as<float>().begin(), tensor.value.as<float>().end()};
    }
    return values;
  }

  static void evaluate(const onnx::GraphProto& graph, const RunJob& job, Values& values) {
    for (const auto& tensor : graph.initializer()) {
      const auto stored = from_proto(tensor).value();
      if (stored.dtype() == DType::f32) values[tensor.name()] = {stored.as<float>().begin(), stored.as<float>().end()};
    }
    for (const auto& node : graph.node()) {
      if (node.op_type() == "If") {
        take(node, job, values);
        continue;
      }
      values[node.output(0)] = computed(node, values);
      if (job.perturbation && node.op_type() != "Abs" && node.op_type() != "Neg" && node.op_type() != "Relu")
        values[node.output(0)] = rounded(values[node.output(0)], *job.perturbation, node.output(0));
    }
  }

  static void take(const onnx::NodeProto& node, const RunJob& job, Values& values) {
    const char* name = values.at(node.input(0)).at(0) != 0 ? "then_branch" : "else_branch";
    for (const auto& attribute : node.attribute()) {
      if (attribute.name() != name) continue;
      Values inside = values;
      evaluate(attribute.g(), job, inside);
      for (int i = 0; i < node.output_size(); ++i) values[node.output(i)] = inside.at(attribute.g().output(i).name());
    }
  }

  static Floats computed(const onnx::NodeProto& node, const Values& values) {
    const Floats& a = values.at(node.input(0));
    Floats b = node.input_size() > 1 ? values.at(node.input(1)) : Floats(a.size());
    b.resize(a.size(), b.front());
    Floats made;
    for (std::size_t i = 0; i < a.size(); ++i) made.push_back(computed(node.op_type(), a[i], b[i]));
    return made;
  }

  static float computed(const std::string& op, float a, float b) {
    if (op == "Add") return a + b;
    if (op == "Sub") return a - b;
    if (op == "Mul") return a * b;
    if (op == "Neg") return -a;
    if (op == "Abs") return std::fabs(a);
    if (op == "Relu") return std::max(a, 0.0F);
    if (op == "LeakyRelu") return std::max(a, 0.01F * a);  // by default
    if (op == "Min") return std::min(a, b);
    EXPECT_EQ(op, "Identity");
    return a;
  }

  std::deque<JobId> queue_;
};

class CompareBench : public ::testing::Test {
 protected:
  CompareBench() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-compare").value()) {
    fs::create_directories(folder_.path() / "work");
  }

  Model model(const std::string& name, const std::string& graph) {
    const fs::path file = folder_.path() / (name + ".onnx");
    EXPECT_TRUE(save_model(parse(graph), file));
    return load_model(file).value();
  }

  Result<CompareReport> try_compare(const std::string& a, const std::string& b) {
    Model one = model("A", a), other = model("B", b);
    if (!has_graphs) one.proto = other.proto = nullptr;
    CompareSamples samples;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      samples.samples.push_back(folder_.path() / ("sample-" + std::to_string(i) + ".pack"));
      EXPECT_TRUE(write_pack(samples.samples.back(), inputs[i]));
    }
    samples.weak = weak;
    return compare_models(one, other, samples, options, {evaluator, folder_.path() / "work", progress});
  }

  CompareReport compare(const std::string& a, const std::string& b) {
    auto report = try_compare(a, b);
    if (!report) throw std::runtime_error(report.error().text());
    return std::move(*report);
  }

  ComputingExecutor evaluator;
  CompareOptions options;
  CompareProgress progress;
  std::string weak;
  bool has_graphs = true;  ///< false: as models of another framework come, without their graphs
  std::vector<std::vector<NamedTensor>> inputs = {{{"x", vector_of({1.5F, -2.25F, 3.125F})}},
                                                  {{"x", vector_of({0.3F, 0.7F, -0.1F})}},
                                                  {{"x", vector_of({-4, 2, 0.11F})}}};

 private:
  TemporaryFolder folder_;
};

inline const ComparedValue& value(const CompareReport& report, const std::string& name) {
  for (const ComparedValue& one : report.values) {
    if (one.a == name) return one;
  }
  throw std::runtime_error("no value " + name);
}

inline std::string state(const CompareReport& report, const std::string& name) {
  return std::string(name_of(value(report, name).state));
}

}  // namespace culprit
