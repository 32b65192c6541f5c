#include "model/lost_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/map_keys.h"
#include "parse.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

onnx::ModelProto model_of_sequences() {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (seq(float[N]) x, float[2] t, bool c) => (seq(float[N]) y, float[2] u) {
      y = If (c) <then_branch = a () => (seq(float[N]) p) { p = Identity(x) },
                  else_branch = b () => (seq(float[N]) q) { q = SequenceInsert(x, t) }>
      u = Neg(t) })");
}

void forget(onnx::GraphProto& graph) {
  for (auto* values : {graph.mutable_input(), graph.mutable_output()}) {
    for (auto& value : *values) {
      if (value.type().has_sequence_type()) value.clear_type();
    }
  }
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) forget(*attribute.mutable_g());
    }
  }
}

TEST(LostTypes, CanBeLeftOutAsTheExportDoes) {
  onnx::ModelProto variant = model_of_sequences(), expected = model_of_sequences();
  forget(*expected.mutable_graph());
  leave_out_types(variant);
  EXPECT_EQ(variant.SerializeAsString(), expected.SerializeAsString());
  EXPECT_FALSE(variant.graph().output(0).has_type());
  EXPECT_TRUE(variant.graph().output(1).has_type()) << "a tensor's";
}

TEST(LostTypes, ArePutBackEverywhere) {
  onnx::ModelProto variant = model_of_sequences();
  forget(*variant.mutable_graph());
  ASSERT_NE(variant.SerializeAsString(), model_of_sequences().SerializeAsString());
  EXPECT_THAT(put_back_types(model_of_sequences(), variant), ElementsAre("input 'x'", "output 'y'"));
  EXPECT_EQ(variant.SerializeAsString(), model_of_sequences().SerializeAsString());
  EXPECT_THAT(put_back_types(model_of_sequences(), variant), IsEmpty());
}

TEST(LostTypes, OfTensorsAndOfOtherNamesStayLost) {
  onnx::ModelProto variant = model_of_sequences();
  variant.mutable_graph()->mutable_output(1)->clear_type();
  variant.mutable_graph()->mutable_output(0)->clear_type();
  variant.mutable_graph()->mutable_output(0)->set_name("other");
  EXPECT_THAT(put_back_types(model_of_sequences(), variant), IsEmpty());
  EXPECT_FALSE(variant.graph().output(0).has_type());
  EXPECT_FALSE(variant.graph().output(1).has_type());
}

TEST(LostTypes, AreSaid) {
  EXPECT_EQ(types_lost_warning({"output 'y'"}).code, types_lost);
  EXPECT_THAT(types_lost_warning({"a", "b", "c", "d", "e", "f"}).message, HasSubstr("a, b, c, d and 2 more"));
}

TEST(MapKeys, ComeFromWhatTakesTheMap) {
  const auto keys = map_keys(parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 1]>
    g (map(string, float) words, map(int64, float) ids, map(int64, float) places) => (float[1,2] a, float[1,2] b, float[1,3] c) {
      a = ai.onnx.ml.DictVectorizer <string_vocabulary = ["red", "blue"]> (words)
      b = ai.onnx.ml.DictVectorizer <int64_vocabulary = [7, 9]> (ids)
      c = ai.onnx.ml.CastMap <cast_to = "TO_FLOAT", map_form = "SPARSE", max_map = 3> (places) })"));
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_THAT(keys.at("words").strings(), ElementsAre("red", "blue"));
  EXPECT_THAT(keys.at("ids").as<std::int64_t>(), ElementsAre(7, 9));
  EXPECT_THAT(keys.at("places").as<std::int64_t>(), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace culprit
