// What this reads of tests/golden/tflite/small.tflite, against what the reader of another project says of it
// (small.json).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tflite_samples.h"

namespace culprit {
namespace {

TEST(TfliteOperators, HaveTheNumbersOfTheSchema) {
  EXPECT_EQ(tflite_operators().size(), 210U);
  EXPECT_EQ(tflite_operator(3)->name, "CONV_2D");
  EXPECT_EQ(tflite_operator("STABLEHLO_CASE")->code, 209);
  EXPECT_EQ(tflite_operator(210), nullptr);
  EXPECT_EQ(tflite_operator_name(4711), "operator 4711");
  EXPECT_EQ(tflite_operator(67)->options_table, "TransposeConvOptions");
  EXPECT_EQ(tflite_option_fields(tflite_operator("MAX_POOL_2D")->options_table).size(), 6U);
  EXPECT_EQ(std::get<std::int64_t>(tflite_option_fields("Conv2DOptions")[4].preset), 1);  // dilation_w_factor
  EXPECT_EQ(tflite_option_fields("Conv2DOptions")[0].words[1], "VALID");
  EXPECT_EQ(tflite_type_name(9), "INT8");
  EXPECT_EQ(tflite_type_bits(17), 4U);
}

TEST(TfliteFileGolden, ReadsWhatTheOtherReaderReads) {
  const auto file = small_tflite();
  std::ifstream stream(CULPRIT_SOURCE "/tests/golden/tflite/small.json");
  const auto other = nlohmann::json::parse(stream);
  const auto& graph = file.graph();
  EXPECT_EQ(graph.description, other["description"]);
  EXPECT_FALSE(graph.has_unknown_fields);
  const auto& main = other["subgraphs"][0];
  ASSERT_EQ(graph.subgraphs.size(), 1U);
  ASSERT_EQ(graph.subgraphs[0].tensors.size(), main["tensors"].size());
  for (std::size_t at = 0; at < main["tensors"].size(); ++at) {
    const auto& tensor = graph.subgraphs[0].tensors[at];
    EXPECT_EQ(tensor.name, main["tensors"][at]["name"]);
    EXPECT_EQ(tensor.type, main["tensors"][at]["type"]);
    EXPECT_EQ(tensor.buffer, main["tensors"][at]["buffer"]);
    EXPECT_EQ(nlohmann::json(tensor.shape), main["tensors"][at]["shape"]);
    EXPECT_TRUE(tensor.has_rank);
  }
  EXPECT_THAT(graph.subgraphs[0].tensors[1].quantization->scale, testing::ElementsAre(0.5F, 0.25F, 1.0F));
  ASSERT_EQ(graph.subgraphs[0].operators.size(), main["operators"].size());
  for (std::size_t at = 0; at < main["operators"].size(); ++at) {
    EXPECT_EQ(nlohmann::json(graph.subgraphs[0].operators[at].inputs), main["operators"][at]["inputs"]);
    EXPECT_EQ(nlohmann::json(graph.subgraphs[0].operators[at].outputs), main["operators"][at]["outputs"]);
  }
  for (std::size_t at = 0; at < other["buffers"].size(); ++at) {
    const auto& data = other["buffers"][at]["data"];
    ASSERT_EQ(file.buffer(at).size(), data.is_null() ? 0 : data.size());
    for (std::size_t byte = 0; byte < file.buffer(at).size(); ++byte) EXPECT_EQ(int(file.buffer(at)[byte]), data[byte]);
  }
  EXPECT_EQ(graph.signatures[0].outputs[0], std::make_pair(std::string("y"), 6U));
}

TEST(TfliteFileGolden, OptionsAreReadWithTheirPresets) {
  const auto file = small_tflite();
  const auto& conv = file.graph().subgraphs[0].operators[0];
  EXPECT_EQ(file.operator_name(conv), "CONV_2D");
  EXPECT_EQ(conv.options_table, "Conv2DOptions");
  EXPECT_EQ(std::get<std::int64_t>(conv.options[0].value), 1);  // padding
  EXPECT_TRUE(conv.options[0].is_stored);
  EXPECT_EQ(std::get<std::int64_t>(conv.options[4].value), 1);  // dilation_w_factor
  EXPECT_FALSE(conv.options[4].is_stored);
}

}  // namespace
}  // namespace culprit
