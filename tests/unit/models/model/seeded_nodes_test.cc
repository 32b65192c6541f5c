#include "model/seeded_nodes.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "base/file.h"
#include "model/model.h"
#include "parse.h"

namespace culprit {
namespace {

onnx::ModelProto seeded_or_not(const std::string& graph) {
  return parse_model("<ir_version: 8, opset_import: [\"\" : 15]> g " + graph);
}

TEST(SeededNodes, AreFoundInGraphsInsideAndInFunctions) {
  EXPECT_TRUE(
      has_seeded_nodes(seeded_or_not("(float[3] x) => (float[3] y) { y = RandomNormalLike <seed = 1.0> (x) }")));
  EXPECT_TRUE(has_seeded_nodes(seeded_or_not(
      "(float[3] x, bool c) => (float[3] y) { y = If (c) <then_branch = a () => (float[3] t) { t = RandomUniformLike "
      "<seed = 2.0> (x) }, else_branch = b () => (float[3] e) { e = Identity (x) }> }")));
  onnx::ModelProto model = seeded_or_not("(float[3] x) => (float[3] y) { y = Identity (x) }");
  EXPECT_FALSE(has_seeded_nodes(model));
  auto* node = model.add_functions()->add_node();
  node->set_op_type("Sampling");
  node->set_domain("own");
  node->add_attribute()->set_name("seed");
  EXPECT_TRUE(has_seeded_nodes(model)) << "an operator of any domain";
}

TEST(SeededNodes, WithoutASeedAreNotMeant) {
  EXPECT_FALSE(has_seeded_nodes(seeded_or_not("(float[3] x) => (float[3] y) { y = RandomNormalLike (x) }")));
  EXPECT_FALSE(has_seeded_nodes(seeded_or_not("(float[3] seed) => (float[3] y) { y = Relu (seed) }"))) << "a name";
}

TEST(SeededNodes, OfAFileThatIsNoModelAreNone) {
  const auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path(), "seeded-");
  ASSERT_TRUE(folder);
  const auto file = folder->path() / "m.onnx";
  EXPECT_FALSE(has_seeded_nodes(file)) << "there is none";
  ASSERT_TRUE(write_file_atomic(file, "a seed, but no model"));
  EXPECT_FALSE(has_seeded_nodes(file));
  ASSERT_TRUE(
      save_model(seeded_or_not("(float[3] x) => (float[3] y) { y = RandomNormalLike <seed = 1.0> (x) }"), file));
  EXPECT_TRUE(has_seeded_nodes(file));
}

}  // namespace
}  // namespace culprit
