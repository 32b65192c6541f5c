// Sessions whose large tensors lie outside: what comes out is what comes out of the whole model.
#include <gmock/gmock.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "model/external_data.h"
#include "model/fingerprint.h"
#include "optimizer/optimizer.h"

namespace culprit {
namespace {

using testing::IsEmpty;

constexpr std::int64_t side = 256;  // 256 KiB of floats

onnx::TensorProto matrix(const std::string& name, float step) {
  onnx::TensorProto made;
  made.set_name(name);
  made.set_data_type(onnx::TensorProto::FLOAT);
  made.add_dims(side);
  made.add_dims(side);
  std::vector<float> values;
  for (std::int64_t i = 0; i < side * side; ++i) values.push_back(step * static_cast<float>(i % 97));
  made.set_raw_data(values.data(), values.size() * sizeof(float));
  return made;
}

/// Two equal matrices, one in a branch, an identity, and a convolution that a batch normalization can go into.
onnx::ModelProto whole() {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 256] x, bool c) => (float[N, 256] y) {
      a = MatMul(x, first)
      b = Identity(a)
      d = MatMul(b, second)
      y = If(c) <then_branch = t () => (float[N, 256] p) { p = MatMul(d, inner) },
                 else_branch = e () => (float[N, 256] q) { q = MatMul(d, first) }>
    })");
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  for (const char* name : {"first", "second"}) *model.mutable_graph()->add_initializer() = matrix(name, 0.5F);
  for (auto& attribute : *model.mutable_graph()->mutable_node(3)->mutable_attribute()) {
    if (attribute.name() == "then_branch") *attribute.mutable_g()->add_initializer() = matrix("inner", 0.25F);
  }
  return model;
}

/// The elements of placed tensors back inside.
onnx::ModelProto filled(onnx::ModelProto model, const Weights& weights) {
  const auto fill = [&](auto* tensors) {
    for (auto& tensor : *tensors) {
      const auto content = placed_content(tensor);
      if (!content) continue;
      tensor.set_raw_data(weights.at(*content));
      tensor.clear_external_data();
      tensor.clear_data_location();
    }
  };
  fill(model.mutable_graph()->mutable_initializer());
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) fill(attribute.mutable_g()->mutable_initializer());
    }
  }
  return model;
}

class PlacedSession : public testing::TestWithParam<Recipe> {};

TEST_P(PlacedSession, MakesWhatTheWholeModelMakes) {
  const auto optimizer = make_onnx_optimizer();
  const onnx::ModelProto expected = optimizer->import(whole(), {})->apply(GetParam());

  onnx::ModelProto light = whole();
  Weights weights;
  place_weights(light, Stored::raw, weights);
  ASSERT_LT(light.ByteSizeLong(), 3000U);
  const auto session = optimizer->import(light, {});
  session->use(weights);
  EXPECT_THAT(weights, IsEmpty()) << "moved, not copied";
  const onnx::ModelProto made = session->apply(GetParam());
  EXPECT_LT(made.ByteSizeLong(), 3000U);
  EXPECT_EQ(fingerprint(made), fingerprint(expected));
  EXPECT_EQ(filled(made, weights).SerializeAsString(), expected.SerializeAsString());
}

INSTANTIATE_TEST_SUITE_P(
    Recipes, PlacedSession,
    testing::Values(Recipe{}, Recipe{"", {"eliminate_identity"}, Repeat::once},
                    Recipe{"", {"eliminate_duplicate_initializer"}, Repeat::once},
                    Recipe{"", {"eliminate_identity", "fuse_matmul_add_bias_into_gemm"}, Repeat::stable}),
    [](const auto& one) { return "recipe_" + std::to_string(one.index); });

TEST(PlacedSession, APassSeesTheElements) {
  onnx::ModelProto light = whole();
  Weights weights;
  place_weights(light, Stored::raw, weights);
  const auto session = make_onnx_optimizer()->import(light, {});
  session->use(weights);
  const auto made = session->apply({"", {"eliminate_duplicate_initializer"}, Repeat::once});
  EXPECT_EQ(made.graph().initializer_size(), 1) << "two matrices with the same elements";
}

}  // namespace
}  // namespace culprit
