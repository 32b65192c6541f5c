#include "compare/first_parting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <set>

#include "base/file.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// A runtime that gives each value a number that a test says.
struct Table {
  std::map<std::string, float> values;
  std::set<std::string> unreadable = {};  ///< the model does not run with these as outputs
  std::string fused = {};                 ///< where this is read, all values are 0
  std::vector<RunJob> ran = {};

  Result<RunOutcome> run(const RunJob& job) {
    ran.push_back(job);
    RunOutcome outcome;
    const onnx::ModelProto model = load_proto(job.model).value();
    std::vector<NamedTensor> outputs;
    const auto reads = [&](const onnx::ValueInfoProto& output) { return output.name() == fused; };
    const bool is_fused = std::ranges::none_of(model.graph().output(), reads);
    for (const auto& output : model.graph().output()) {
      if (unreadable.contains(output.name())) outcome.failure = {Ending::threw, "no such output", ""};
      outputs.push_back({output.name(), Tensor::of<float>({1}, {is_fused ? values[output.name()] : 0})});
    }
    if (outcome.failure.failed()) return outcome;
    outcome.outputs = {job.folder / "0.pack"};
    EXPECT_TRUE(write_pack(outcome.outputs.front(), outputs));
    return outcome;
  }
};

class FirstPartings : public testing::Test {
 protected:
  void takes(const std::string& graph) {
    onnx::ModelProto proto;
    const auto status =
        onnx::OnnxParser::Parse(proto, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
    ASSERT_TRUE(status.IsOK()) << status.ErrorMessage();
    ASSERT_TRUE(save_model(proto, folder_.path() / "net.onnx"));
    model_ = load_model(folder_.path() / "net.onnx").value();
  }

  /// "b at Neg", "" where nothing was found.
  std::string find() {
    RunJob job;
    job.samples = {"first.pack", "second.pack"};
    const TwoWays ways{[this](const RunJob& asked) { return one.run(asked); },
                       [this](const RunJob& asked) { return other.run(asked); },
                       [](const Tensor& a, const Tensor& b) { return !a.identical(b); }};
    const auto found = first_parting(model_, job, folder_.path() / "inside", ways);
    EXPECT_TRUE(found.has_value());
    EXPECT_FALSE(fs::exists(folder_.path() / "inside"));
    return *found ? (*found)->value + " at " + (*found)->node.op : "";
  }

  Table one, other;
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-parting").value();
  Model model_;
};

TEST_F(FirstPartings, TheFirstInTheOrderOfTheGraph) {
  takes("g (float[1] x) => (float[1] y) { a = Relu(x) b = Neg(a) c = Abs(b) y = Relu(c) }");
  EXPECT_EQ(find(), "");
  other.values = {{"b", 1}, {"c", 2}, {"y", 3}};
  EXPECT_EQ(find(), "b at Neg");
  other.values = {{"y", 3}};
  EXPECT_EQ(find(), "y at Relu") << "outputs of the graph, too";
  EXPECT_EQ(one.ran.front().samples, (std::vector<fs::path>{"first.pack"}));
}

TEST_F(FirstPartings, WhatCannotBeReadIsPassedOver) {
  takes("g (float[1] x) => (float[1] y) { a = Relu(x) b = Neg(a) c = Abs(b) y = Relu(c) }");
  one.unreadable = {"a"};
  other.unreadable = {"b"};
  other.values = {{"a", 1}, {"b", 1}, {"c", 2}};
  EXPECT_EQ(find(), "c at Abs");
  one.unreadable = {"y"};
  EXPECT_EQ(find(), "") << "it does not run at all";
}

TEST_F(FirstPartings, WhatIsWrongOnlyWhereItIsFusedIsReadAlone) {
  takes("g (float[1] x) => (float[1] y) { a = Relu(x) b = Neg(a) c = Abs(b) y = Relu(c) }");
  other.fused = "b";
  other.values = {{"c", 2}, {"y", 3}};
  EXPECT_EQ(find(), "c at Abs");
}

TEST_F(FirstPartings, ManyValuesTakeSeveralRuns) {
  std::string nodes = "v0 = Relu(x) ";
  for (int i = 1; i < 70; ++i) nodes += "v" + std::to_string(i) + " = Neg(v" + std::to_string(i - 1) + ") ";
  takes("g (float[1] x) => (float[1] y) { " + nodes + "y = Abs(v69) }");
  other.values = {{"v40", 1}};
  EXPECT_EQ(find(), "v40 at Neg");
  EXPECT_EQ(one.ran.size(), 2U);
  EXPECT_EQ(other.ran.size(), 2U);
  for (int i = 70; i < 600; ++i) nodes += "v" + std::to_string(i) + " = Neg(v" + std::to_string(i - 1) + ") ";
  takes("g (float[1] x) => (float[1] y) { " + nodes + "y = Abs(v599) }");
  EXPECT_EQ(find(), "") << "a large graph is not searched";
  EXPECT_EQ(one.ran.size(), 2U);
}

}  // namespace
}  // namespace culprit
