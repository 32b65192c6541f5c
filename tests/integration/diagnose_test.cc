// `culprit diagnose` with the real runtime: are honest conversions clean, and is each mistake named by its layer and
// its class, and proved?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "model/model.h"
#include "support/conversion_faults.h"
#include "support/conversion_few_bits.h"
#include "support/conversion_quantized.h"
#include "support/diagnosed.h"
#include "support/more_conversion_nets.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using Json = nlohmann::json;
using Changes = std::vector<Fault>;

struct Diagnosed {
  Ran ran;
  Json report;
};

/// `culprit diagnose NET CONVERTED`, with the report read back; it must follow the schema.
Diagnosed diagnose_net(const onnx::ModelProto& net, const Fault& mistake, const Changes& rewritings) {
  const TemporaryFolder folder = scratch();
  onnx::ModelProto target = net;
  if (mistake) mistake(target);
  for (const Fault& rewriting : rewritings) rewriting(target);
  rename_all(target);
  const auto one = folder.path() / "source.onnx", other = folder.path() / "target.onnx", run = folder.path() / "run";
  EXPECT_TRUE(save_model(net, one));
  EXPECT_TRUE(save_model(target, other));
  Diagnosed diagnosed{culprit({"diagnose", one, other, "--run-dir", run}), {}};
  const auto text = read_file(run / "report.json");
  if (!text) return diagnosed;
  diagnosed.report = Json::parse(*text);
  EXPECT_TRUE(follows_schema(run / "report.json"));
  return diagnosed;
}

/// "parameter Conv_4", "hyperparameter Conv_4.pads", "graph + Sigmoid"; "?" behind what is not confirmed.
std::vector<std::string> words_of(const Json& report) {
  std::vector<std::string> told;
  for (const Json& fault : report.at("faults")) {
    const std::string kind = fault.at("class").get<std::string>();
    const Json &source = fault.at("source"), &target = fault.at("target");
    std::string word = kind + " " +
                       (source.is_null() ? "+ " + target.at("node").at("type").get<std::string>()
                                         : source.at("name").get<std::string>());
    if (kind == "hyperparameter") word += "." + target.at("attribute").get<std::string>();
    told.push_back(word + (fault.at("confirmed").get<bool>() ? "" : "?"));
  }
  return told;
}

const std::vector<Changes>& ways_of(const std::string& net) {
  static const std::vector<Changes> of_cnn{
      {}, {fold_normalizations, split_gemms, channels_last_input}, {permute_channels}};
  static const std::vector<Changes> of_residual{{}, {prelus_as_relus, channels_last_input}};
  static const std::vector<Changes> as_it_is{{}};
  if (net == "cnn") return of_cnn;
  return net == "residual" ? of_residual : as_it_is;
}

onnx::ModelProto net_named(const std::string& name) {
  if (name == "cnn") return cnn_net();
  return name == "residual" ? residual_net() : attention_net();
}

struct NetMistake {
  std::string net;
  Fault mistake;
  std::vector<std::string> words;
};

Tensor flipped_kernel(const Tensor& tensor) { return flipped(flipped(tensor, 2), 3); }
Tensor with_one_decimal(const Tensor& tensor) { return to_decimals(tensor, 1); }
Tensor half_as_large_again(const Tensor& tensor) {
  return each_number(tensor, [](float number) { return number * 1.5F; });
}
onnx::NodeProto turned() {
  onnx::NodeProto node = make_node("Transpose", {}, "turned");
  set_attribute(node, "perm", Wholes{0, 2, 3, 1});
  return node;
}

void take_an_older_value(onnx::ModelProto& model) {
  node_of_type(model, "Add", 1).set_input(0, node_of_type(model, "Clip", 0).output(0));
}

std::vector<NetMistake> cases() {
  const Fault first = wrong_weight("Conv", 0, 1, one_wrong),
              pool = wrong_attribute("MaxPool", 0, "strides", Wholes{1, 1});
  return {
      {"cnn", wrong_weight("Conv", 1, 1, one_wrong), {"parameter Conv_4"}},
      {"cnn", first, {"parameter Conv_1"}},
      {"cnn", wrong_weight("Conv", 2, 1, flipped_kernel), {"layout Conv_7"}},
      {"cnn", wrong_weight("Conv", 0, 1, with_one_decimal), {"precision Conv_1"}},
      {"cnn", wrong_weight("Conv", 1, 1, to_half), {"precision Conv_4"}},
      {"cnn", wrong_attribute("Conv", 1, "pads", Wholes{0, 0, 2, 2}), {"hyperparameter Conv_4.pads"}},
      {"cnn", wrong_attribute("Conv", 1, "strides", Wholes{1, 1}), {"hyperparameter Conv_4.strides"}},
      {"cnn", lost_operator("Relu", 1), {"graph Relu_6"}},
      {"cnn", exchanged_operator("Relu", 2, "Sigmoid"), {"graph Relu_9"}},
      {"cnn", added_operators("Flatten", 0, {make_node("Sigmoid", {}, "extra")}), {"graph + Sigmoid"}},
      {"cnn", added_operators("Flatten", 0, {turned()}), {"layout Flatten_11"}},
      {"cnn", lost_operator("Softmax", 0), {"graph Softmax_15"}},
      {"cnn", exchanged_operator("Softmax", 0, "Relu"), {"graph Softmax_15"}},
      {"cnn", both(first, wrong_weight("Conv", 2, 1, one_wrong)), {"parameter Conv_1", "parameter Conv_7"}},
      {"cnn", both(first, lost_operator("Relu", 0)), {"parameter Conv_1", "graph Relu_3"}},
      {"cnn", both(lost_operator("Relu", 0), pool), {"graph Relu_3", "hyperparameter MaxPool_10.strides"}},
      {"residual", wrong_weight("PRelu", 1, 1, half_as_large_again), {"parameter PRelu_10"}},
      {"residual", wrong_weight("Conv", 3, 1, [](const Tensor& t) { return flipped(t, 0); }), {"layout Conv_7"}},
      {"residual", wrong_attribute("LeakyRelu", 0, "alpha", 0.01F), {"hyperparameter LeakyRelu_6.alpha"}},
      {"residual",
       wrong_attribute("AveragePool", 0, "count_include_pad", std::int64_t{1}),
       {"hyperparameter AveragePool_15.count_include_pad"}},
      {"residual",
       wrong_attribute("AveragePool", 0, "pads", Wholes{0, 0, 2, 2}),
       {"hyperparameter AveragePool_15.pads"}},
      {"attention", wrong_attribute("Softmax", 0, "axis", std::int64_t{-2}), {"hyperparameter Softmax_24.axis"}},
      {"attention", wrong_weight("MatMul", 1, 1, transposed_square), {"layout MatMul_14"}},
      {"attention", wrong_weight("Add", 5, 1, one_wrong), {"parameter Add_29"}},
      {"attention", exchanged_operator("Erf", 1, "Tanh"), {"graph Erf_92"}},
      {"attention", swapped_inputs("Sub", 0), {"graph Sub_2"}},
      {"residual", take_an_older_value, {"graph Add_14"}},
      {"residual", exchanged_operator("Clip", 0, "Relu"), {"graph Clip_2"}},
      {"attention",
       wrong_weight("Add", 0, 1, [](const Tensor&) { return Tensor::of<float>({}, {0.1F}); }),
       {"hyperparameter Add_5.operand"}},
  };
}

TEST(DiagnoseTool, HonestConversionsAreTheSame) {
  for (const std::string net : {"cnn", "residual", "attention"}) {
    for (const Changes& way : ways_of(net)) {
      const Diagnosed found = diagnose_net(net_named(net), {}, way);
      EXPECT_EQ(found.ran.exit, 0) << net << ": " << found.ran.out << found.ran.err;
      if (found.report.is_null()) continue;
      EXPECT_EQ(found.report.at("status"), "same");
      EXPECT_TRUE(found.report.at("faults").empty());
      EXPECT_EQ(found.report.at("map").at("not_found"), 0);
    }
  }
}

/// Fewer bits are not to blame, and where they do not explain it, nobody knows.
TEST(DiagnoseTool, FewBitsAreNotBlamed) {
  const Fault in_uint8 = [](onnx::ModelProto& model) {
    weights_in_steps(model);
    values_in_steps(model, 16);
  };
  const std::map<std::string, Changes> ways{{"float16 weights", {weights_in_half}},
                                            {"int8 weights", {weights_in_steps}},
                                            {"int8 weights and uint8 values", {in_uint8, channels_last_input}}};
  for (const auto& [said, way] : ways) {
    SCOPED_TRACE(said);
    const Diagnosed honest = diagnose_net(cnn_net(), {}, way);
    EXPECT_EQ(honest.ran.exit, 0) << honest.ran.out << honest.ran.err;
    ASSERT_FALSE(honest.report.is_null());
    EXPECT_EQ(honest.report.at("status"), "same");
    EXPECT_THAT(honest.report.at("message").get<std::string>(), ::testing::HasSubstr(said));
    EXPECT_EQ(honest.report.at("map").at("not_found"), 0);
    const Diagnosed faulty = diagnose_net(cnn_net(), wrong_weight("Conv", 1, 1, flipped_kernel), way);
    EXPECT_EQ(faulty.ran.exit, 3) << faulty.ran.out << faulty.ran.err;
    EXPECT_EQ(faulty.report.at("status"), "not_judged");
    EXPECT_TRUE(faulty.report.at("faults").empty());
  }
}

/// A quantizer that saw pictures of 0 to 1 where the net takes 0 to 255: no layer is to blame, all of its steps are.
TEST(DiagnoseTool, StepsOfOtherDataAreNamedEachByItself) {
  for (const float size : {0.2F, 25.0F}) {
    SCOPED_TRACE(size);
    const Diagnosed found = diagnose_net(unet(), {}, {quantized({.calibrated_at = size})});
    EXPECT_EQ(found.ran.exit, 1) << found.ran.out << found.ran.err;
    ASSERT_FALSE(found.report.is_null());
    EXPECT_GE(found.report.at("faults").size(), 7U) << found.ran.out;
    for (const Json& fault : found.report.at("faults")) {
      EXPECT_EQ(fault.at("class"), "quantization");
      EXPECT_EQ(fault.at("target").at("attribute"), size < 1 ? "range" : "scale") << fault.dump(1);
      EXPECT_EQ(fault.at("confirmed"), true) << fault.dump(1);
    }
  }
}

class DiagnoseMistake : public ::testing::TestWithParam<std::size_t> {};

TEST_P(DiagnoseMistake, IsNamedAndProved) {
  CULPRIT_ONE_OF(3);
  const NetMistake one = cases().at(GetParam());
  int number = 0;
  for (const Changes& way : ways_of(one.net)) {
    const Diagnosed found = diagnose_net(net_named(one.net), one.mistake, way);
    SCOPED_TRACE(one.net + ", rewritten in way " + std::to_string(number++));
    EXPECT_EQ(found.ran.exit, 1) << found.ran.out << found.ran.err;
    if (found.report.is_null()) continue;
    EXPECT_EQ(words_of(found.report), one.words) << found.ran.out;
  }
}

INSTANTIATE_TEST_SUITE_P(All, DiagnoseMistake, ::testing::Range<std::size_t>(0, cases().size()));

}  // namespace
}  // namespace culprit::testing
