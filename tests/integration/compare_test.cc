// `culprit compare` with the real runtime: how much of a model the map covers, and whether the layer that was changed
// is the one that is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>

#include "model/model.h"
#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/twin.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

struct Compared {
  Ran ran;
  Json report;
};

/// `culprit compare A B ARGS`, with the report read back; it must follow the schema.
Compared compare(const fs::path& a, const fs::path& b, std::vector<std::string> arguments = {}) {
  const TemporaryFolder folder = scratch();
  const fs::path run = folder.path() / "run";
  std::vector<std::string> all{"compare", a, b, "--run-dir", run};
  all.insert(all.end(), arguments.begin(), arguments.end());
  Compared compared{culprit(all), {}};
  const auto text = read_file(run / "report.json");
  if (!text) return compared;
  compared.report = Json::parse(*text);
  const std::string source = CULPRIT_SOURCE;
  const std::string validate = "/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                               "/docs/compare.schema.json' '" + (run / "report.json").string() + "' >&2";
  EXPECT_EQ(std::system(validate.c_str()), 0);
  return compared;
}

/// The convolutions of a model that have a weight of their own, by number of the node.
std::vector<int> convolutions(const onnx::GraphProto& graph) {
  std::vector<int> found;
  for (int i = 0; i < graph.node_size(); ++i) {
    if (graph.node(i).op_type() == "Conv") found.push_back(i);
  }
  return found;
}

/// Makes the largest element of the weight of that node half as large again.
void change_weight(onnx::ModelProto& model, int node) {
  const std::string weight = model.graph().node(node).input(1);
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.name() != weight) continue;
    const Tensor before = from_proto(tensor).value();
    std::vector<float> values(before.as<float>().begin(), before.as<float>().end());
    *std::ranges::max_element(values, {}, [](float value) { return std::abs(value); }) *= 1.5F;
    tensor = to_proto(Tensor::of<float>(before.shape(), values), weight);
  }
}

/// Of the nodes that the first divergence names in that model, is it one?
bool names(const Json& report, const std::string& nodes, const std::string& output) {
  const Json& first = report["first_divergence"];
  return !first.is_null() &&
         std::ranges::any_of(first[nodes], [&](const Json& node) { return node["output"] == output; });
}

class CompareUltraface : public ::testing::Test {
 protected:
  void SetUp() override {
    if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
    twin_ = make_twin(zoo() / "models" / "ultraface-rfb-320-9.onnx", folder_.path(), {"--frozen"});
  }

  fs::path optimized(const fs::path& model) const {
    const fs::path out = folder_.path() / ("optimized-" + model.filename().string());
    const Ran ran = culprit({"optimize", model, "-o", out, "--samples", "1", "--deploy-level", "off"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return out;
  }

  TemporaryFolder folder_ = scratch();
  fs::path twin_;
};

TEST_F(CompareUltraface, its_optimized_variant_is_the_same_and_nearly_all_values_are_found) {
  const auto [ran, report] = compare(twin_, optimized(twin_));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report["status"], "same");
  EXPECT_GE(report["coverage"]["percent"], 95);
  EXPECT_GE(report["coverage"]["mapped"], 170) << "the rest are convolutions whose normalization was folded into them";
  EXPECT_EQ(report["capture"]["not_read"], 0);
  for (const Json& value : report["values"]) {
    EXPECT_TRUE(value["state"] == "equal" || value["state"] == "fused") << value;
    EXPECT_TRUE(value["state"] == "equal" || value["node_b"]["op"] == "Conv") << value;
  }
}

TEST_F(CompareUltraface, a_changed_weight_names_the_node_of_its_layer_and_of_no_other) {
  const auto original = load_proto(twin_).value();
  const auto layers = convolutions(original.graph());
  ASSERT_GT(layers.size(), 50U);
  for (const std::size_t layer : {std::size_t{0}, std::size_t{7}, std::size_t{40}, layers.size() - 1}) {
    onnx::ModelProto model = original;
    change_weight(model, layers[layer]);
    const fs::path changed = folder_.path() / ("changed-" + std::to_string(layer) + ".onnx");
    ASSERT_TRUE(save_model(model, changed));
    const std::string output = original.graph().node(layers[layer]).output(0);
    const Json plain = compare(twin_, changed, {"--samples", "1"}).report;
    EXPECT_EQ(plain["status"], "part") << layer;
    ASSERT_FALSE(plain["first_divergence"].is_null()) << layer;
    EXPECT_EQ(plain["first_divergence"]["a"], output);
    EXPECT_EQ(plain["first_divergence"]["nodes_a"].size(), 1U);
    EXPECT_EQ(plain["first_divergence"]["nodes_b"][0]["index"], layers[layer]);
    const auto made_here =
        std::ranges::count_if(plain["values"], [](const Json& value) { return value["state"] == "made_here"; });
    EXPECT_EQ(made_here, 1) << "all else is inherited";
    const Json fused = compare(twin_, optimized(changed), {"--samples", "1"}).report;
    EXPECT_EQ(fused["status"], "part") << layer;
    EXPECT_TRUE(names(fused, "nodes_a", output)) << layer << fused["first_divergence"];
    EXPECT_EQ(fused["first_divergence"]["nodes_b"][0]["op"], "Conv");
    EXPECT_EQ(fused["first_divergence"]["nodes_b"].size(), 1U);
  }
}

}  // namespace
}  // namespace culprit::testing
