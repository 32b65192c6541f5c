#include "worker/perturbed_model.h"

#include <gmock/gmock.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "base/file.h"
#include "model/model.h"
#include "model/perturb_quantized.h"
#include "model/perturb_results.h"
#include "model/perturb_weights.h"
#include "model/placed_weights.h"

namespace culprit {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

onnx::ModelProto model(std::int64_t floats) {
  onnx::ModelProto made;
  EXPECT_TRUE(onnx::OnnxParser::Parse(made, R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N] x) => (float[N] y) <float[3] b = {1.0, 2.0, 3.0}> { a = Add(x, w) y = Add(a, b) })")
                  .IsOK());
  auto* w = made.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(onnx::TensorProto::FLOAT);
  w->add_dims(floats);
  const std::vector<float> values(static_cast<std::size_t>(floats), 1.5F);
  w->set_raw_data(values.data(), values.size() * sizeof(float));
  return made;
}

class Nudged : public testing::Test {
 protected:
  Nudged() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-perturbed").value()) {}
  ModelInMemory perturbed(const onnx::ModelProto& given) {
    const fs::path file = folder_.path() / "model.onnx";
    EXPECT_TRUE(save_model(given, file));
    return nudged_model(file, {7, 2}).value().value();
  }
  TemporaryFolder folder_;
};

TEST_F(Nudged, WeightsAndResultsAreMovedAsInTheModel) {
  onnx::ModelProto expected = model(100);
  perturb_weights(expected, 7, 2);
  EXPECT_EQ(perturb_results(expected, 7, 2), 2);
  const ModelInMemory made = perturbed(model(100));
  EXPECT_THAT(made.outside, IsEmpty());
  EXPECT_EQ(made.bytes, expected.SerializeAsString());
}

TEST_F(Nudged, WhatIsQuantizedIsMovedByAPartOfAStep) {
  onnx::ModelProto given;
  ASSERT_TRUE(onnx::OnnxParser::Parse(given, R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (uint8[4] y) <float s = {0.1}, uint8 z = {0}> { y = QuantizeLinear(x, s, z) })")
                  .IsOK());
  onnx::ModelProto expected = given;
  perturb_weights(expected, 7, 2);
  perturb_results(expected, 7, 2);
  EXPECT_EQ(perturb_steps(expected, 7), 1);
  EXPECT_EQ(perturbed(given).bytes, expected.SerializeAsString());
}

TEST_F(Nudged, LargeWeightsLieOutsideWithTheSameElements) {
  constexpr std::int64_t floats = static_cast<std::int64_t>(placed_model_bytes / sizeof(float));
  onnx::ModelProto expected = model(floats);
  perturb_weights(expected, 7, 2);
  const ModelInMemory made = perturbed(model(floats));
  EXPECT_LT(made.bytes.size(), 1000U);
  ASSERT_THAT(made.outside, SizeIs(1));
  EXPECT_EQ(made.outside[0].name, "w");
  const auto bytes = made.outside[0].value.bytes();
  EXPECT_TRUE(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) ==
              expected.graph().initializer(1).raw_data());
}

TEST_F(Nudged, AModelThatIsGoneIsAnError) { EXPECT_FALSE(nudged_model(folder_.path() / "none.onnx", {1, 1})); }

}  // namespace
}  // namespace culprit
