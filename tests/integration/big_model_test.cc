// A model over 2 GiB: two tables as external data, in files that are mostly holes. No message of protobuf can hold it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <fstream>

#include "model/model.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t table_rows = 4'600'000;
constexpr std::int64_t table_width = 64;
constexpr std::uint64_t table_bytes = static_cast<std::uint64_t>(table_rows * table_width) * sizeof(float);  // 1.18 GB

/// What the test needs and the machine lacks; "" where it has all.
std::string missing(const fs::path& folder) {
  constexpr std::uint64_t disk = 9'000'000'000, memory = 9'000'000'000;
  std::error_code error;
  if (fs::space(folder, error).available < disk)
    return "less than 9 GB of disk are free: set TMPDIR to a folder with more";
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word;) {
    std::uint64_t kilobytes = 0;
    if (word != "MemAvailable:" || !(info >> kilobytes)) continue;
    return kilobytes * 1024 < memory ? "less than 9 GB of memory are free" : "";
  }
  return "";
}

/// A hole, but for its first rows.
void write_table(const fs::path& file, float step) {
  std::ofstream out(file, std::ios::binary);
  for (int i = 0; i < 100 * table_width; ++i) {
    const float value = step * static_cast<float>(i % 89 - 44);
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  out.close();
  fs::resize_file(file, table_bytes);
}

void become_table(onnx::TensorProto* table, const std::string& name) {
  table->set_name(name);
  table->set_data_type(onnx::TensorProto::FLOAT);
  table->add_dims(table_rows);
  table->add_dims(table_width);
  table->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* location = table->add_external_data();
  location->set_key("location");
  location->set_value(name + ".bin");
}

void add_table(onnx::ModelProto& model, const std::string& name) {
  become_table(model.mutable_graph()->add_initializer(), name);
}

/// As a node in front of the others, where no variant can lay its elements beside the graph.
void add_constant(onnx::ModelProto& model, const std::string& name) {
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Constant");
  node.add_output(name);
  onnx::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  become_table(value.mutable_t(), name);
  for (int i = graph.node_size() - 1; i > 0; --i) graph.mutable_node()->SwapElements(i, i - 1);
}

template <class AddTable>
fs::path write_model(const fs::path& folder, const AddTable& add) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, R"(<ir_version: 8, opset_import: ["" : 17]>
    big (float[4, 64] x) => (float[4, 64] y) <int64[4] ids = {1, 5, 7, 99}> {
      a = Gather(first, ids)
      b = Gather(second, ids)
      c = Mul(x, a)
      d = Identity(c)
      y = Add(d, b)
    })");
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  for (const char* name : {"first", "second"}) add(model, name);
  write_table(folder / "first.bin", 0.01F);
  write_table(folder / "second.bin", 0.02F);
  EXPECT_TRUE(save_model(model, folder / "big.onnx"));
  return folder / "big.onnx";
}

TEST(BigModel, IsCheckedOptimizedAndVerifiedBesideItsData) {
  CULPRIT_ONE_OF(2);
  const TemporaryFolder folder = scratch();
  if (const std::string lacks = missing(folder.path()); !lacks.empty()) GTEST_SKIP() << lacks;
  const fs::path model = write_model(folder.path(), add_table);
  const fs::path out = folder.path() / "out" / "safe.onnx";
  fs::create_directory(out.parent_path());
  const fs::path run = folder.path() / "run";
  const Ran ran =
      culprit({"optimize", model, "--passes", "eliminate_identity", "-o", out, "--samples", "1", "--run-dir", run});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("safe.onnx.data"));
  const auto report = nlohmann::json::parse(read_file(run / "report.json").value())["models"][0];
  EXPECT_EQ(report["variants"][0]["verdict"], "equivalent") << report["variants"][0]["message"];
  EXPECT_GT(report["memory"]["optimizer"].get<std::uint64_t>(), 2 * table_bytes);
  const auto safe = load_model(out);
  ASSERT_TRUE(safe) << safe.error().text();
  EXPECT_EQ(safe->facts.nodes, 4);
  EXPECT_GE(fs::file_size(out.string() + ".data"), 2 * table_bytes);
  EXPECT_LT(fs::file_size(out), 10'000U);
}

TEST(BigModel, APassThatLeavesItInConstantsIsNamed) {
  CULPRIT_ONE_OF(2);
  const TemporaryFolder folder = scratch();
  if (const std::string lacks = missing(folder.path()); !lacks.empty()) GTEST_SKIP() << lacks;
  const fs::path model = write_model(folder.path(), add_constant);
  const fs::path run = folder.path() / "run";
  culprit(
      {"check", model, "--each", "eliminate_identity", "--samples", "1", "--deploy-level", "off", "--run-dir", run});
  const auto variant = nlohmann::json::parse(read_file(run / "report.json").value())["models"][0]["variants"][0];
  EXPECT_EQ(variant["verdict"], "inconclusive");
  EXPECT_THAT(variant["message"].get<std::string>(),
              HasSubstr("could not be judged: the variant holds 2.4 GB inside its nodes"));
}

}  // namespace
}  // namespace culprit::testing
