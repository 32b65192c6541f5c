#include "cost/graph_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/folder.h"
#include "model/model.h"
#include "model/placed_weights.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
namespace fs = std::filesystem;

Model model_with(onnx::ModelProto proto) {
  Model model;
  model.facts.bytes = 1000;
  model.proto = std::make_shared<onnx::ModelProto>(std::move(proto));
  return model;
}

TEST(GraphRecord, CountsNodesOfAllGraphs) {
  const Model model = model_with(parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
    g (bool c, float[2,3] x) => (float[n] z) <float[3] w = {1, 2, 3}> {
      y = If (c) <then_branch = a () => (float[n] p) <float[2,1] v = {1, 2}> { p = Add (x, v) },
                  else_branch = b () => (float[n] q) { r = Add (x, w) q = com.microsoft.Gelu (r) }>
      z = own.Thing (y) })"));
  const GraphRecord record = graph_record(model, InputShapes{});
  EXPECT_EQ(record.nodes, 5);
  EXPECT_THAT(record.ops,
              ElementsAre(Pair("Add", 2), Pair("If", 1), Pair("com.microsoft.Gelu", 1), Pair("own.Thing", 1)));
  EXPECT_EQ(record.parameters, 5);
  EXPECT_EQ(record.flops, 6 + 30);
  EXPECT_EQ(record.moved, (6 + 3 + 6) * 4 + (6 + 6) * 4);
  EXPECT_EQ(record.nodes_uncounted, 1);
  EXPECT_EQ(record.file_bytes, 1000U);
}

TEST(GraphRecord, CountsWeightsThatNodesHold) {
  const Model model = model_with(parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3] x) => (float[n] z) {
      w = Constant <value = float[3] {1, 2, 3}> ()
      one = Constant <value = float[1] {1}> ()
      shape = Constant <value = int64[2] {1, 3}> ()
      own = own.Constant <value = float[3] {1, 2, 3}> ()
      a = Mul (x, w) b = Add (a, one) c = Add (b, own) z = Reshape (c, shape) })"));
  EXPECT_EQ(graph_record(model, InputShapes{}).parameters, 3);
}

TEST(GraphRecord, DoesNotBelieveSizes) {
  auto proto =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Neg (x) })");
  for (int i = 0; i < 3; ++i) {
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_name("w" + std::to_string(i));
    tensor.add_dims(std::int64_t{1} << 62);
    if (i == 2) tensor.add_dims(-5);
  }
  const GraphRecord record = graph_record(model_with(proto), InputShapes{});
  EXPECT_EQ(record.parameters, std::numeric_limits<std::int64_t>::max());
}

TEST(GraphRecord, CountsFilesOfWeightsOnce) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-cost").value();
  const auto count = static_cast<std::int64_t>(placed_model_bytes / 4);
  auto proto = parse_model(
      R"(<ir_version: 8, opset_import: ["" : 17]> g (float[n] x) => (float[n] z) { y = Add (x, w) z = Add (y, v) })");
  for (const char* name : {"w", "v"}) {
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(count);
    tensor.set_raw_data(std::string(static_cast<std::size_t>(count) * 4, '\1'));
  }
  Weights weights;
  place_weights(proto, Stored::raw, weights);
  ASSERT_TRUE(write_weights(weights, folder.path()));
  ASSERT_TRUE(save_model(proto, folder.path() / "m.onnx"));
  const auto model = load_model(folder.path() / "m.onnx");
  ASSERT_TRUE(model) << model.error().text();
  const GraphRecord record = graph_record(*model, InputShapes{{"x", {count}}});
  EXPECT_EQ(record.file_bytes, model->facts.bytes + placed_model_bytes) << "both have the same content";
  EXPECT_EQ(record.parameters, 2 * count);
  EXPECT_EQ(record.flops, 2.0 * static_cast<double>(count));
  EXPECT_EQ(record.nodes_uncounted, 0);
}

}  // namespace
}  // namespace culprit
