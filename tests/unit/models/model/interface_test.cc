#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts(const std::vector<ValueInfo>& infos) {
  std::vector<std::string> result;
  for (const auto& info : infos) result.push_back(info.text());
  return result;
}

TEST(Interface, InputsWithInitializerAreOptional) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3] x, float[3] w, float[3] s, int64 n) => (float[N,3] y, bool[] z)
    <float[3] w = {1, 2, 3}> { y = Identity(x) z = Identity(x) })");
  model.mutable_graph()->add_sparse_initializer()->mutable_values()->set_name("s");
  const Interface interface = interface_of(model);
  EXPECT_THAT(texts(interface.inputs), ElementsAre("x: float32[N,3]", "n: int64[]"));
  EXPECT_THAT(texts(interface.optional_inputs), ElementsAre("w: float32[3]", "s: float32[3]"));
  ASSERT_EQ(interface.outputs.size(), 2U);
  EXPECT_EQ(interface.outputs[0].dims[0].name, "N");
  EXPECT_EQ(interface.outputs[0].dims[1].value, 3);
  EXPECT_EQ(interface, interface_of(model));
}

TEST(Interface, TellsRankUnknownFromScalar) {
  auto model =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[] s, float x) => (float y) { y = Add(x, s) })");
  auto* inputs = model.mutable_graph()->mutable_input();
  inputs->Mutable(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_FALSE(interface_of(model).inputs[0].has_shape);
  EXPECT_EQ(interface_of(model).inputs[0].text(), "s: float32");
  EXPECT_TRUE(interface_of(model).inputs[1].has_shape);
  EXPECT_EQ(interface_of(model).inputs[1].text(), "x: float32[]");
}

TEST(Interface, KnowsEveryKind) {
  onnx::ModelProto model;
  const auto add = [&](const char* name) {
    auto* input = model.mutable_graph()->add_input();
    input->set_name(name);
    return input->mutable_type();
  };
  const auto set_tensor = [](auto* tensor) {
    tensor->set_elem_type(onnx::TensorProto::FLOAT16);
    tensor->mutable_shape()->add_dim()->set_dim_value(2);
    tensor->mutable_shape()->add_dim();
    tensor->mutable_shape()->add_dim()->set_dim_value(-1);
  };
  set_tensor(add("t")->mutable_tensor_type());
  set_tensor(add("sparse")->mutable_sparse_tensor_type());
  set_tensor(add("seq")->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type());
  auto* map = add("map")->mutable_map_type();
  map->set_key_type(onnx::TensorProto::INT64);
  set_tensor(map->mutable_value_type()->mutable_tensor_type());
  set_tensor(add("opt")
                 ->mutable_optional_type()
                 ->mutable_elem_type()
                 ->mutable_sequence_type()
                 ->mutable_elem_type()
                 ->mutable_tensor_type());
  add("opaque")->mutable_opaque_type();
  model.mutable_graph()->add_input()->set_name("untyped");
  const auto inputs = interface_of(model).inputs;
  EXPECT_THAT(texts(inputs), ElementsAre("t: float16[2,?,?]", "sparse: sparse(float16[2,?,?])",
                                         "seq: sequence(float16[2,?,?])", "map: map(int64 -> float16[2,?,?])",
                                         "opt: optional(sequence(float16[2,?,?]))", "opaque: ?", "untyped: ?"));
  EXPECT_EQ(inputs[3].keys, DType::i64);
  EXPECT_THAT(inputs[4].inside, ElementsAre(ValueInfo::Kind::sequence));
  EXPECT_EQ(inputs[3].kind, ValueInfo::Kind::map);
  EXPECT_EQ(inputs[4].kind, ValueInfo::Kind::optional);
  EXPECT_EQ(inputs[6].kind, ValueInfo::Kind::unknown);
}

TEST(Facts, CountSubgraphsAndJoinSpellingsOfTheDomain) {
  auto model = parse_model(R"(<ir_version: 7, opset_import: ["ai.onnx" : 17, "mine" : 2]>
    g (bool c, float[1] x) => (float[1] y) <float[1] k = {1}> {
      y = If (c) <then_branch = t () => (float[1] a) <float[1] l = {2}> { a = Add(x, l) },
                  else_branch = e () => (float[1] b) { d = Neg(x) b = Add(d, k) }> })");
  const ModelFacts facts = facts_of(model);
  EXPECT_EQ(facts.nodes, 4);
  EXPECT_EQ(facts.initializers, 2);
  EXPECT_EQ(facts.ir_version, 7);
  EXPECT_EQ(facts.opsets, (std::map<std::string, std::int64_t>{{"", 17}, {"mine", 2}}));
  EXPECT_THAT(facts.inputs, ElementsAre("c: bool[]", "x: float32[1]"));
  EXPECT_THAT(facts.outputs, ElementsAre("y: float32[1]"));
  EXPECT_EQ(facts.sha256, "");
}

TEST(Checker, ComplainsOnOneLine) {
  auto model =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) })");
  EXPECT_EQ(checker_complaint(model), "");
  model.mutable_graph()->mutable_node(0)->set_input(0, "nothing");
  const std::string complaint = checker_complaint(model);
  EXPECT_THAT(complaint, HasSubstr("nothing"));
  EXPECT_EQ(complaint.find('\n'), std::string::npos);
  EXPECT_NE(checker_complaint(onnx::ModelProto()), "");
}

TEST(Checker, LooksAtNoShapes) {
  const auto model =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2,3] x) => (float[9] y) { y = MatMul(x, x) })");
  EXPECT_EQ(checker_complaint(model), "");
}

}  // namespace
}  // namespace culprit
