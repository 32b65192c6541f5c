// `culprit twin` through the real binary: what it makes runs, is calibrated, and is the same every time.
#include "support/twin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "model/fingerprint.h"
#include "model/model.h"
#include "support/tool.h"
#include "tensor/tensor_proto.h"
#include "unit/models/model/parse.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Twin : public ::testing::Test {
 protected:
  void use(const onnx::ModelProto& model) { ASSERT_TRUE(save_model(model, at("model.onnx"))); }
  void use(const std::string& signature, const std::string& weights, const std::string& nodes, int ir = 8) {
    use(parse_model("<ir_version: " + std::to_string(ir) + ", opset_import: [\"\" : 13]> g " + signature + " " +
                    weights + " {" + nodes + "}"));
  }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_.path() / name; }

  Ran twin(std::vector<std::string> more = {}, const std::string& out = "twin.onnx") {
    more.insert(more.begin(), {"twin", at("model.onnx"), "-o", at(out)});
    return culprit(more);
  }
  Model made(const std::string& name = "twin.onnx") { return load_model(at(name)).value(); }

  /// The twin can be judged, and no pass breaks it.
  void expect_ok() {
    const Ran ran = culprit_check({at("twin.onnx"), "--samples", "2"});
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.report["models"][0]["baseline"]["status"], "ok") << ran.out;
  }
  static void expect_calibrated(const Ran& ran, const std::string& layers) {
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("re-weighted"), HasSubstr("calibrated: " + layers))) << ran.out;
    const auto [low, high] = variances_said(ran.out);
    EXPECT_GE(low, 0.5) << ran.out;
    EXPECT_LE(high, 2) << ran.out;
  }

  TemporaryFolder folder_ = scratch();
};

std::size_t nodes_of(const Model& model, const std::string& op) {
  return static_cast<std::size_t>(std::ranges::count(model.proto->graph().node(), op, &onnx::NodeProto::op_type));
}

const std::string any_image = "(float[1,3,16,16] x) => (float[a,b,c,d] y)";
const std::string of_shape = " = ConstantOfShape <value = float[1] {0.02}>";

TEST_F(Twin, OfConvolutionsWithBatchNormalizationIsWhatPassesFireOn) {
  std::string nodes = "w" + of_shape + "(n) k" + of_shape + "(m) ";
  for (const char* name : {"s", "o", "e", "v"}) nodes += name + of_shape + "(c) ";
  use(any_image, "<int64[4] n = {8, 3, 3, 3}, int64[4] m = {8, 8, 3, 3}, int64[1] c = {8}>",
      nodes + "a = Conv(x, w) b = BatchNormalization(a, s, o, e, v) d = Relu(b) y = Conv(d, k)", 3);
  // IR 3: initializers are inputs.
  onnx::ModelProto model = *made("model.onnx").proto;
  for (const auto& tensor : model.graph().initializer()) {
    auto* input = model.mutable_graph()->add_input();
    input->set_name(tensor.name());
    input->mutable_type()->mutable_tensor_type()->set_elem_type(tensor.data_type());
    for (const auto size : tensor.dims())
      input->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(size);
  }
  use(model);

  expect_calibrated(twin(), "3 layers in 1 round on 3 samples");
  EXPECT_EQ(nodes_of(made(), "ConstantOfShape"), 0U);
  EXPECT_TRUE(made().interface.optional_inputs.empty());
  EXPECT_EQ(made().facts.ir_version, 4);
  EXPECT_EQ(made().facts.initializers, 6);
  const Ran ran = culprit_check({at("twin.onnx"), "--each", "fuse_bn_into_conv"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["models"][0]["variants"][0]["verdict"], "equivalent") << ran.out;
  EXPECT_EQ(ran.report["models"][0]["variants"][0]["ops_changed"]["BatchNormalization"], -1);
}

TEST_F(Twin, IsTheSameEveryTimeAndAnotherBySeed) {
  use(any_image, "<int64[4] n = {8, 3, 3, 3}>", "w" + of_shape + "(n) y = Conv(x, w)");
  EXPECT_EQ(twin().exit, 0);
  EXPECT_EQ(twin({}, "again.onnx").exit, 0);
  EXPECT_EQ(twin({"--seed", "1"}, "other.onnx").exit, 0);
  EXPECT_EQ(fingerprint(*made().proto), fingerprint(*made("again.onnx").proto));
  EXPECT_NE(fingerprint(*made().proto), fingerprint(*made("other.onnx").proto));
}

TEST_F(Twin, OfDeepNetsNeitherBlowsUpNorDiesOut) {
  std::string nodes, last = "x";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    nodes += "w" + n + of_shape + "(n) c" + n + " = Conv <pads = [1, 1, 1, 1]> (" + last + ", w" + n + ") r" + n +
             " = Relu(c" + n + ") ";
    last = "r" + n;
  }
  use(any_image, "<int64[4] n = {3, 3, 3, 3}>", nodes + "y = Neg(" + last + ")");
  expect_calibrated(twin(), "60 layers");
}

TEST_F(Twin, OfSharedKernels) {
  use("(float[4,8] x) => (float[a,b] y)", "<int64[2] n = {8, 8}, float[8] b = {0, 0, 0, 0, 0, 0, 0, 0}>",
      "w" + of_shape + "(n) h = MatMul(x, w) i = Add(h, b) j = Relu(i) k = MatMul(j, w) y = Gemm <transB = 1> (k, w)");
  const Ran ran = twin();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("calibrated: 3 layers"));
  EXPECT_EQ(made().facts.initializers, 2);
  expect_ok();
}

TEST_F(Twin, OfBranches) {
  use("(float[1,8] x, bool c) => (float[a,b] y)", "<int64[2] n = {8, 8}>",
      "y = If (c) <then_branch = th () => (float[1,8] p) { k" + of_shape +
          "(n) p = MatMul(x, k) }, "
          "else_branch = el () => (float[1,8] r) { k" +
          of_shape + "(n) r = Gemm(x, k) }>");
  const Ran ran = twin();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("2 made"), HasSubstr("not calibrated: no layer in reach")));
  expect_ok();
}

TEST_F(Twin, OfFloat16) {
  onnx::ModelProto model = parse_model(
      "<ir_version: 8, opset_import: [\"\" : 13]> g (float16[1,3,16,16] x) => "
      "(float16[a,b,c,d] y) { y = Conv <pads = [1, 1, 1, 1]> (x, w, b) }");
  for (const auto& [name, shape] : std::map<std::string, Shape>{{"w", {8, 3, 3, 3}}, {"b", {8}}}) {
    const std::vector<float> ones(static_cast<std::size_t>(*element_count(shape)), 1);
    *model.mutable_graph()->add_initializer() = to_proto(*cast(Tensor::of<float>(shape, ones), DType::f16), name);
  }
  use(model);
  expect_calibrated(twin(), "1 layer");
  const Model halves = made();
  for (const auto& tensor : halves.proto->graph().initializer())
    EXPECT_EQ(tensor.data_type(), onnx::TensorProto::FLOAT16);
  expect_ok();
}

TEST_F(Twin, FrozenKeepsTheWeights) {
  use("(float[1,2] x, float[2,2] w) => (float[a,b] y)", "<float[2,2] w = {1, 2, 3, 4}>", "y = MatMul(x, w)", 3);
  const Ran ran = twin();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("frozen twin"), HasSubstr("1 initializer no longer"), HasSubstr("IR 3 -> 4")));
  ASSERT_EQ(made().facts.initializers, 1);
  const Tensor kept = from_proto(made().proto->graph().initializer(0)).value();
  EXPECT_TRUE(kept.identical(Tensor::of<float>({2, 2}, {1, 2, 3, 4})));
  EXPECT_TRUE(made().interface.optional_inputs.empty());
  expect_calibrated(twin({"--reweight"}, "other.onnx"), "1 layer");
}

TEST_F(Twin, BadFilesAreSaidAndNothingIsLeft) {
  std::ofstream(at("model.onnx")) << "version https://git-lfs.github.com/spec/v1\n";
  EXPECT_THAT(twin().err, HasSubstr("a git-LFS pointer"));
  use("(float[1,2] x) => (float[a,b] y)", "", "y = Relu(x)");
  const Ran without_weights = twin({"--reweight"});
  EXPECT_EQ(without_weights.exit, 3);
  EXPECT_THAT(without_weights.err, HasSubstr("no weights to make"));
  use("(float[1,2] x) => (float[a,b] y)", "<float[3,2] w = {1, 1, 1, 1, 1, 1}>", "y = MatMul(x, w)");
  const Ran refused = twin();
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("model.onnx: the model does not run"), HasSubstr("MatMul")));
  EXPECT_EQ(twin({}, "model.onnx").exit, 2) << "not over the model";
  onnx::ModelProto model = *made("model.onnx").proto;
  auto& tensor = *model.mutable_graph()->mutable_initializer(0);
  tensor.clear_float_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = tensor.add_external_data();
  entry->set_key("location");
  entry->set_value("weights.bin");
  use(model);
  EXPECT_THAT(twin().err, HasSubstr("the file 'weights.bin' is missing"));
  std::vector<std::string> left;
  for (const auto& file : fs::directory_iterator(folder_.path())) left.push_back(file.path().filename());
  EXPECT_THAT(left, ElementsAre("model.onnx"));
}

TEST_F(Twin, ExternalDataComeInside) {
  use("(float[1,2] x) => (float[a,b] y)", "<float[2,2] w = {1, 2, 3, 4}>", "y = MatMul(x, w)");
  onnx::ModelProto model = *made("model.onnx").proto;
  auto& tensor = *model.mutable_graph()->mutable_initializer(0);
  tensor.clear_float_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = tensor.add_external_data();
  entry->set_key("location");
  entry->set_value("weights.bin");
  const std::vector<float> values{5, 6, 7, 8};
  std::ofstream(at("weights.bin")).write(reinterpret_cast<const char*>(values.data()), 16);
  use(model);
  const auto elsewhere = scratch();
  const auto alone = load_model(make_twin(at("model.onnx"), elsewhere.path())).value();
  EXPECT_FALSE(alone.has_external_data);
  EXPECT_TRUE(from_proto(alone.proto->graph().initializer(0))->identical(Tensor::of<float>({2, 2}, values)));
}

}  // namespace
}  // namespace culprit::testing
