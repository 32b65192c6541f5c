#include "baseline/refused_node.h"

#include <gmock/gmock.h>

#include <set>

#include "unit/judging/trial/computer.h"

namespace culprit {
namespace {

/// A runtime that has no kernel for some operators.
class Refuser : public Executor {
 public:
  std::set<std::string> refused_ops;
  std::size_t loads = 0;

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    queue_.push_back(std::move(job));
    return ++last_;
  }
  std::optional<Outcome> next() override {
    if (queue_.empty()) return std::nullopt;
    RunOutcome outcome = run(queue_.front());
    queue_.pop_front();
    outcome.job = last_;
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  RunOutcome run(const RunJob& job) {
    RunOutcome outcome;
    const onnx::ModelProto model = load_proto(job.model).value();
    if (job.samples.empty()) ++loads;
    for (const auto& node : model.graph().node()) {
      if (!refused_ops.contains(node.op_type())) continue;
      outcome.stage = RunOutcome::Stage::load;
      outcome.failure = {Ending::threw, "no kernel", ""};
      return outcome;
    }
    if (job.samples.empty()) return outcome;
    std::vector<NamedTensor> outputs;
    for (const auto& output : model.graph().output())
      outputs.push_back({output.name(), cast(Tensor::of<float>({2}, {1, 2}), DType::bf16).value()});
    outcome.outputs = {job.folder / "0.pack"};
    EXPECT_TRUE(write_pack(outcome.outputs.front(), outputs));
    return outcome;
  }

  std::deque<RunJob> queue_;
  JobId last_ = 0;
};

class RefusedNodes : public testing::Test {
 protected:
  std::string find(const std::string& graph, std::vector<fs::path> samples = {"s.pack"}) {
    onnx::ModelProto proto;
    const auto status =
        onnx::OnnxParser::Parse(proto, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
    EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
    EXPECT_TRUE(save_model(proto, folder_.path() / "net.onnx"));
    const Model model = load_model(folder_.path() / "net.onnx").value();
    Dispatcher dispatcher(runtime);
    RunJob as;
    as.samples = std::move(samples);
    const auto found = find_refused_node(dispatcher, model, as, folder_.path() / "refused");
    EXPECT_TRUE(found.has_value());
    EXPECT_FALSE(fs::exists(folder_.path() / "refused"));
    return *found ? text_of(**found) : "";
  }

  Refuser runtime;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-refused").value();
};

constexpr const char* chain = "g (float[2] x) => (float[2] y) { a = Relu(x) b = Add(a, a) c = Neg(b) y = Abs(c) }";

TEST_F(RefusedNodes, TheNodeIsFoundByHalvesAndItsTypesByARun) {
  runtime.refused_ops = {"Add"};
  EXPECT_EQ(find(chain), "node Add of 'b' (bfloat16)");
  EXPECT_LE(runtime.loads, 3U);
  EXPECT_EQ(find(chain, {}), "node Add of 'b'") << "without a sample the types are not known";
}

TEST_F(RefusedNodes, OfSeveralTheFirst) {
  runtime.refused_ops = {"Neg", "Abs"};
  EXPECT_EQ(find(chain), "node Neg of 'c' (bfloat16)");
}

TEST_F(RefusedNodes, DeclaredTypesNeedNoRun) {
  runtime.refused_ops = {"Relu"};
  EXPECT_EQ(find(chain), "node Relu of 'a' (float32)");
}

TEST_F(RefusedNodes, NoneWhereAllNodesLoad) { EXPECT_EQ(find(chain), ""); }

TEST_F(RefusedNodes, NoneWhereTheNodesAreNotSorted) {
  runtime.refused_ops = {"Add"};
  EXPECT_EQ(find("g (float[2] x) => (float[2] y) { b = Add(a, a) a = Relu(x) y = Abs(b) }"), "");
}

}  // namespace
}  // namespace culprit
