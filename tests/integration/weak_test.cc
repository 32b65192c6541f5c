// Weak data through the built tool: models whose outputs say nothing, and what is seen inside them all the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <set>

#include "model/model.h"
#include "support/tool.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class Weak : public ::testing::Test {
 protected:
  /// One input x, one output y; what is multiplied with zero says nothing.
  Ran check(const std::string& inputs, const std::string& nodes, const std::string& weights, const std::string& each) {
    const std::string text = "<ir_version: 8, opset_import: [\"\" : 13]> g (" + inputs + ") => (float[N] y) <" +
                             weights + "> {" + nodes + "}";
    onnx::ModelProto model;
    const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
    EXPECT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    EXPECT_TRUE(save_model(model, folder_.path() / "model.onnx"));
    std::vector<std::string> arguments = {folder_.path() / "model.onnx"};
    if (!each.empty()) arguments.insert(arguments.end(), {"--each", each});
    return culprit_check(arguments);
  }

  static const nlohmann::json& model_of(const Ran& ran) { return ran.report["models"][0]; }

  static nlohmann::json control(const Ran& ran, const std::string& name) {
    for (const auto& control : model_of(ran)["controls"])
      if (control["name"] == name) return control;
    return nullptr;
  }

  TemporaryFolder folder_ = scratch();
};

const std::string small_image = "float[1,2,6,6] x";
const std::string batchnorm =
    "float[2] s = {1.5, 0.5}, float[2] b = {0.1, -0.2}, float[2] m = {0.3, -0.4}, float[2] v = "
    "{0.8, 1.3}, float zero = {0}, int64[1] flat = {-1}";
const std::string kernel =
    ", float[2,2,3,3] w = {0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, -0.8, 0.9, 0.1, 0.2, -0.3, 0.4, "
    "0.5, -0.6, 0.7, 0.8, 0.9, 0.9, -0.8, 0.7, 0.6, 0.5, -0.4, 0.3, 0.2, 0.1, 0.9, -0.8, 0.7, "
    "0.6, -0.5, 0.4, 0.3, 0.2, 0.1}";
/// y says nothing of h.
const std::string silenced = " h0 = Mul(h, zero) h1 = Abs(h0) y = Reshape(h1, flat)";

/// Where rounding decides how many places there are, on every sample: the two models have other counts each time.
TEST_F(Weak, WhereNoSampleCanBeComparedNothingWasJudged) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 16]> g (float[N,1,24,24] x) => (int64[4,n] places)
    <float four = {4.0}, float half = {0.5}, float least = {-1.5}, float[4,1,1,1] w = {0.44, 2.444, 1.83, 2.1},
     float[4] scale = {1.0, 1.0, 1.0, 1.7}, float[4] bias = {0.0, 0.0, 0.0, 0.1}, float[4] mean = {0.0, 0.0, 0.0, 0.0},
     float[4] var = {0.1936, 5.973136, 3.3489, 4.41}>
    { large = Mul(x, four) whole = Floor(large) edge = Add(whole, half) c = Conv<kernel_shape = [1, 1]>(edge, w)
      n = BatchNormalization<epsilon = 0.0>(c, scale, bias, mean, var) above = Greater(n, least)
      places = NonZero(above) })";
  onnx::ModelProto model;
  const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
  ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
  ASSERT_TRUE(save_model(model, folder_.path() / "model.onnx"));
  const std::string file = folder_.path() / "model.onnx";
  const std::vector<std::pair<std::vector<std::string>, std::string>> runs = {
      {{file}, "the default pass list could not be judged"},
      {{file, "--passes", "fuse_bn_into_conv"}, "the pass list could not be judged"},
      {{file, "--each", "fuse_bn_into_conv,eliminate_identity"}, "nothing that differs could be judged"}};
  for (const auto& [arguments, says] : runs) {
    const Ran ran = culprit_check(arguments);
    ASSERT_FALSE(ran.report.is_null()) << ran.err;
    EXPECT_EQ(ran.does_not_follow, "");
    EXPECT_EQ(model_of(ran)["baseline"]["status"], "ok");
    EXPECT_TRUE(model_of(ran)["faults"].empty());
    EXPECT_EQ(ran.exit, 3) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr("cannot judge: " + says));
    EXPECT_THAT(ran.out, HasSubstr("nothing of it could be compared on any"));
  }
}

void expect_clean(const Ran& ran, const nlohmann::json& model, const std::string& pass) {
  ASSERT_FALSE(model.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_EQ(model["baseline"]["status"], "weak_data");
  EXPECT_TRUE(model["faults"].empty()) << model["faults"];
  for (const auto& variant : model["variants"]) {
    if (variant["recipe"]["passes"] != nlohmann::json::array({pass})) continue;
    EXPECT_THAT(variant["verdict"], AnyOf("equivalent", "deviates")) << variant;
    EXPECT_FALSE(variant["inner"].empty()) << "something was compared: " << variant;
  }
}

TEST_F(Weak, ABatchnormFusedIntoAConvolutionIsNoAlarm) {
  const Ran ran = check(small_image, "c = Conv(x, w) n = BatchNormalization(c, s, b, m, v) h = Relu(n)" + silenced,
                        batchnorm + kernel, "");
  expect_clean(ran, model_of(ran), "fuse_bn_into_conv");
  EXPECT_EQ(control(ran, "capture")["verdict"], "equivalent");
}

TEST_F(Weak, TwoBatchnormsFusedOneAfterTheOtherAreNoAlarm) {
  const Ran ran =
      check(small_image,
            "c = Conv(x, w) n = BatchNormalization(c, s, b, m, v) k = BatchNormalization(n, s, b, m, v) h = "
            "Relu(k)" +
                silenced,
            batchnorm + kernel, "");
  expect_clean(ran, model_of(ran), "fuse_bn_into_conv");
}

TEST_F(Weak, TransposesThatBecomeOneAreNoAlarm) {
  const Ran ran = check(small_image,
                        "r = Relu(x) t = Transpose <perm = [0,2,3,1]> (r) u = Transpose <perm = [0,3,2,1]> (t) h = "
                        "Exp(u)" +
                            silenced,
                        "float zero = {0}, int64[1] flat = {-1}", "");
  expect_clean(ran, model_of(ran), "fuse_consecutive_transposes");
}

/// The light models make their weights of ConstantOfShape, under an IR version whose weights are inputs: no pass can
/// fuse them. As initializers it can.
void make_weights_constant(onnx::ModelProto& model) {
  auto* graph = model.mutable_graph();
  model.set_ir_version(8);
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const auto& stored : graph->initializer()) {
    const auto tensor = from_proto(stored);
    if (!tensor || tensor->dtype() != DType::i64) continue;
    const auto dims = tensor->as<std::int64_t>();
    shapes[stored.name()].assign(dims.begin(), dims.end());
  }
  std::vector<onnx::NodeProto> nodes(graph->node().begin(), graph->node().end());
  std::set<std::string> stored;
  for (const auto& tensor : graph->initializer()) stored.insert(tensor.name());
  graph->clear_node();
  for (const auto& node : nodes) {
    if (node.op_type() != "ConstantOfShape" || !shapes.contains(node.input(0))) {
      *graph->add_node() = node;
      continue;
    }
    const Shape& shape = shapes[node.input(0)];
    const auto value = from_proto(node.attribute(0).t()).value().as<float>()[0];
    const auto count = static_cast<std::size_t>(element_count(shape).value());
    *graph->add_initializer() = to_proto(Tensor::of<float>(shape, std::vector<float>(count, value)), node.output(0));
  }
  auto inputs = graph->input();
  graph->clear_input();
  for (const auto& input : inputs)
    if (!stored.contains(input.name())) *graph->add_input() = input;
}

TEST_F(Weak, TheFusionsOfARealNetAreNoAlarm) {
  if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  const auto light = load_model(zoo() / "models" / "light-shufflenet-9.onnx");
  ASSERT_TRUE(light);
  onnx::ModelProto model = *light->proto;
  make_weights_constant(model);
  ASSERT_TRUE(save_model(model, folder_.path() / "model.onnx"));
  const Ran ran = culprit_check({folder_.path() / "model.onnx", "--samples", "2"});
  expect_clean(ran, model_of(ran), "fuse_bn_into_conv");
  for (const auto& variant : model_of(ran)["variants"]) {
    if (variant["recipe"]["passes"] != nlohmann::json::array({"fuse_bn_into_conv"})) continue;
    EXPECT_LT(variant["ops_changed"]["BatchNormalization"], -10) << variant["ops_changed"];
  }
}

TEST_F(Weak, AFaultThatTheOutputHidesIsFoundInside) {
  // tests/corpus/faults/pad-into-maxpool-of-negatives, silenced
  const Ran ran =
      check("float[1,1,6,6] x",
            "e = Exp(x) g = Neg(e) p = Pad(g, pads, zero) q = MaxPool <kernel_shape = [3,3]> (p) h = "
            "Relu(q)  k = Add(q, h)" +
                std::string(" h0 = Mul(k, zero) h1 = Abs(h0) y = Reshape(h1, flat)"),
            "float zero = {0}, int64[1] flat = {-1}, int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}", "fuse_pad_into_pool");
  const auto& model = model_of(ran);
  EXPECT_EQ(model["baseline"]["status"], "weak_data");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  ASSERT_EQ(model["faults"].size(), 1U) << ran.out;
  EXPECT_EQ(model["faults"][0]["verdict"], "diverged");
  EXPECT_EQ(model["variants"][0]["confirmed"], "2/2");
  EXPECT_THAT(model["variants"][0]["message"].get<std::string>(), HasSubstr("inner value 'q'"));
}

/// The cosine of a vector with itself is 1 or a hair more, of which Acos is NaN: draws give both, inside as in outputs.
/// Beside it stands a mask.
TEST_F(Weak, NanThatRoundingDecidesInsideIsNoAlarm) {
  const std::string hidden =
      ", float[2,2,1,1] k = {0.3, 0.7, 0.9, -2.1}, int64[1] one = {1}, float[18] hidden = {0, 0, 0, 0, 0, 0, 0, 0, 0, "
      "0, 0, 0, -1000000000.0, -1000000000.0, -1000000000.0, -1000000000.0, -1000000000.0, -1000000000.0}";
  const Ran ran = check("float[8,2,3,3] x",
                        "c = Conv(x, k) n = BatchNormalization(c, s, b, m, v) f = Flatten(n) squares = Mul(f, f) dot = "
                        "ReduceSum(squares, one) length = ReduceL2 <axes = [1]> (f) area = Mul(length, length) cosine "
                        "= Div(dot, area) angle = Acos(cosine) none = IsNaN(angle) nones = Cast <to = 1> (none) masked "
                        "= Add(f, hidden) e = Exp(masked) h = Mul(e, nones)" +
                            silenced,
                        batchnorm + hidden, "");
  const auto& model = model_of(ran);
  expect_clean(ran, model, "fuse_bn_into_conv");
  for (const auto& variant : model["variants"]) {
    if (variant["recipe"]["passes"] != nlohmann::json::array({"fuse_bn_into_conv"})) continue;
    EXPECT_TRUE(variant["inner"].contains("angle")) << variant["inner"];
  }
}

TEST_F(Weak, AFaultBesideAMaskIsFoundInside) {
  const Ran ran = check("float[1,1,6,6] x",
                        "a = Abs(x) below = Neg(a) masked = Add(below, hidden) p = Pad(masked, pads, zero) q = MaxPool "
                        "<kernel_shape = [2,2]> (p) r = Relu(q) h = Add(q, r)" +
                            silenced,
                        "float zero = {0}, int64[1] flat = {-1}, int64[8] pads = {0, 0, 1, 0, 0, 0, 0, 0}, float[6,1] "
                        "hidden = {0, 0, 0, -1000000000.0, -1000000000.0, -1000000000.0}",
                        "fuse_pad_into_pool");
  const auto& model = model_of(ran);
  EXPECT_EQ(model["baseline"]["status"], "weak_data");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  ASSERT_EQ(model["faults"].size(), 1U) << ran.out;
  EXPECT_EQ(model["faults"][0]["verdict"], "diverged");
  EXPECT_THAT(model["variants"][0]["message"].get<std::string>(), HasSubstr("inner value 'q'"));
}

TEST_F(Weak, SamplesThatWakeNoOutputAreDrawnAgain) {
  const Ran ran = check("float[8] x", "t = Sub(x, six) r = Relu(t) y = Neg(r)", "float six = {6}", "nop");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(model_of(ran)["baseline"]["status"], "ok");
  EXPECT_THAT(ran.out, HasSubstr("samples_redrawn"));
}

}  // namespace
}  // namespace culprit::testing
