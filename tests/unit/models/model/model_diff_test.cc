#include "model/model_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using onnx::ModelProto;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ModelProto base_model() {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
    g (float[4] x, bool c) => (float[4] y) <float[4] w = {1, 2, 3, 4}, float[4] v = {5, 6, 7, 8}>
    {
      t = Add(x, w)
      u = mine.Magic(t)
      y = If (c) <then_branch = th () => (float[4] a) { a = Mul(u, v) }, else_branch = el () => (float[4] b) { b = Add(u, u) }>
    })");
}

std::optional<std::string> warning(const ModelProto& before, const ModelProto& after, const std::string& code) {
  std::optional<std::string> found;
  for (const auto& warning : structural_warnings(before, after)) {
    if (warning.code != code) continue;
    EXPECT_FALSE(found) << "twice: " << code;
    found = warning.message;
  }
  return found;
}

void add_input_for(ModelProto& model, const std::string& name) {
  auto* input = model.mutable_graph()->add_input();
  *input = model.graph().input(0);
  input->set_name(name);
}

TEST(OpsChanged, CountsSubgraphsAndNamesDomains) {
  ModelProto after = base_model();
  EXPECT_THAT(ops_changed(base_model(), after), IsEmpty());
  auto* nodes = after.mutable_graph()->mutable_node();
  nodes->Mutable(2)->mutable_attribute(1)->mutable_g()->mutable_node(0)->set_op_type("Sub");
  nodes->Mutable(1)->set_op_type("Trick");
  EXPECT_EQ(ops_changed(base_model(), after),
            (std::map<std::string, std::int64_t>{{"Add", -1}, {"Sub", 1}, {"mine.Magic", -1}, {"mine.Trick", 1}}));
  EXPECT_EQ(ops_changed(after, base_model()).at("Add"), 1);
}

TEST(StructuralWarnings, NoneForTheSameModel) {
  EXPECT_THAT(structural_warnings(base_model(), base_model()), IsEmpty());
  // What is there before is no news.
  ModelProto untidy = base_model();
  *untidy.mutable_graph()->add_initializer() = untidy.graph().initializer(0);
  untidy.mutable_graph()->mutable_initializer()->rbegin()->set_name("copy");
  add_input_for(untidy, "v");
  EXPECT_THAT(structural_warnings(untidy, untidy), IsEmpty());
  EXPECT_THAT(structural_warnings(untidy, base_model()), IsEmpty());
}

TEST(StructuralWarnings, UnusedInitializer) {
  ModelProto after = base_model();
  for (int i = 0; i < 5; ++i) {
    auto* tensor = after.mutable_graph()->add_initializer();
    tensor->set_name("left" + std::to_string(i));
    tensor->set_data_type(1);
    tensor->add_float_data(static_cast<float>(i));
  }
  EXPECT_EQ(warning(base_model(), after, "unused_initializer"),
            "5 initializers are left that nothing uses (left0, left1, left2 and 2 more)");
  // `v` is used only in a branch: not unused.
  after = base_model();
  after.mutable_graph()->mutable_node(0)->set_input(1, "x");
  EXPECT_EQ(warning(base_model(), after, "unused_initializer"), "1 initializer is left that nothing uses (w)");
}

TEST(StructuralWarnings, DuplicateInitializer) {
  ModelProto after = base_model();
  auto* tensor = after.mutable_graph()->mutable_initializer(1);
  const std::string name = tensor->name();
  *tensor = after.graph().initializer(0);
  tensor->set_name(name);
  EXPECT_THAT(*warning(base_model(), after, "duplicate_initializer"), HasSubstr("(v)"));
  EXPECT_FALSE(warning(base_model(), after, "unused_initializer"));
}

TEST(StructuralWarnings, ConstantsMadeInitializersAreNoNewDuplicates) {
  const auto before = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1] x) => (float[1] y) {
    a = Constant <value = float[1] {7}> () b = Constant <value = float[1] {7}> () t = Add(x, a) y = Add(t, b) })");
  const auto after = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) <float[1] a = {7}, float[1] b = {7}> { t = Add(x, a) y = Add(t, b) })");
  EXPECT_THAT(structural_warnings(before, after), IsEmpty());
  EXPECT_FALSE(warning(after, before, "duplicate_initializer"));
}

TEST(StructuralWarnings, DeadNode) {
  ModelProto after = base_model();
  for (const char* name : {"d1", "d2"}) {
    auto* node = after.mutable_graph()->add_node();
    node->set_op_type("Neg");
    node->add_input(name[1] == '1' ? "x" : "d1");
    node->add_output(name);
  }
  EXPECT_THAT(*warning(base_model(), after, "dead_node"), HasSubstr("2 nodes"));
  after.mutable_graph()->mutable_output(0)->set_name("d2");
  EXPECT_THAT(*warning(base_model(), after, "dead_node"), HasSubstr("(y, u, t)"));
}

TEST(StructuralWarnings, MetadataLost) {
  ModelProto before = base_model();
  before.add_metadata_props()->set_key("author");
  before.mutable_graph()->add_metadata_props()->set_key("source");
  before.mutable_graph()->mutable_node(0)->add_metadata_props()->set_key("line");
  before.mutable_graph()->mutable_node(1)->add_metadata_props()->set_key("line");
  ModelProto after = before;
  EXPECT_FALSE(warning(before, after, "metadata_lost"));
  after.mutable_graph()->mutable_node()->DeleteSubrange(0, 1);  // a node that went may take its own along
  EXPECT_FALSE(warning(before, after, "metadata_lost"));
  const std::string message = *warning(before, base_model(), "metadata_lost");
  EXPECT_THAT(message, HasSubstr("author"));
  EXPECT_THAT(message, HasSubstr("source"));
  EXPECT_THAT(message, HasSubstr("2 nodes (t, u)"));
}

TEST(StructuralWarnings, QuantizationAnnotationLost) {
  ModelProto before = base_model();
  before.mutable_graph()->add_quantization_annotation()->set_tensor_name("t");
  EXPECT_THAT(*warning(before, base_model(), "quantization_annotation_lost"), HasSubstr("(t)"));
  EXPECT_FALSE(warning(base_model(), before, "quantization_annotation_lost"));
}

TEST(StructuralWarnings, LargerFileCountsWeightsOutside) {
  ModelProto inside = base_model();
  auto* tensor = inside.mutable_graph()->mutable_initializer(0);
  tensor->clear_float_data();
  tensor->set_dims(0, 1000);
  tensor->set_raw_data(std::string(4000, 'x'));
  EXPECT_THAT(*warning(base_model(), inside, "larger_file"), HasSubstr("grew from"));
  EXPECT_FALSE(warning(inside, base_model(), "larger_file"));
  ModelProto outside = inside;
  outside.mutable_graph()->mutable_initializer(0)->clear_raw_data();
  outside.mutable_graph()->mutable_initializer(0)->set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_FALSE(warning(outside, inside, "larger_file"));
}

TEST(StructuralWarnings, VersionsRaised) {
  ModelProto after = base_model();
  after.set_ir_version(9);
  after.mutable_opset_import(0)->set_version(18);
  after.mutable_opset_import(0)->set_domain("ai.onnx");
  EXPECT_THAT(*warning(base_model(), after, "ir_raised"), HasSubstr("8 to 9"));
  EXPECT_THAT(*warning(base_model(), after, "opset_raised"), HasSubstr("ai.onnx from 17 to 18"));
  EXPECT_THAT(structural_warnings(after, base_model()),
              Not(testing::Contains(testing::Field(&Warning::code, "ir_raised"))));
}

TEST(StructuralWarnings, ConstantsBecameInputs) {
  const std::string code = "constants_became_inputs";
  ModelProto listed = base_model();  // both weights stand among the inputs, as IR 3 asks
  add_input_for(listed, "w");
  add_input_for(listed, "v");
  ModelProto old = listed;
  old.set_ir_version(3);
  EXPECT_THAT(*warning(old, listed, code), HasSubstr("2 initializers that were constants"));
  EXPECT_THAT(*warning(base_model(), listed, code), HasSubstr("(w, v)"));
  EXPECT_FALSE(warning(old, old, code));
  EXPECT_FALSE(warning(old, base_model(), code));
  EXPECT_FALSE(warning(listed, listed, code));
  EXPECT_FALSE(warning(listed, base_model(), code));
}

TEST(StructuralWarnings, StrangeNamesAreMadePrintable) {
  ModelProto after = base_model();
  auto* tensor = after.mutable_graph()->add_initializer();
  tensor->set_name("\x1b[2J\xff");
  for (const auto& warning : structural_warnings(base_model(), after)) {
    EXPECT_EQ(warning.message.find('\x1b'), std::string::npos);
    EXPECT_EQ(warning.message.find('\xff'), std::string::npos);
  }
}

}  // namespace
}  // namespace culprit
