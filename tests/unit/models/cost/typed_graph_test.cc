#include "cost/typed_graph.h"

#include <gtest/gtest.h>

#include "cost_of.h"

namespace culprit {
namespace {

using Dims = std::vector<std::int64_t>;

std::optional<Dims> shape_of(const onnx::ModelProto& model, const SeenValues& seen, const std::string& name) {
  const TypedGraph graph = typed_graph(model, seen);
  for (const auto& node : graph.nodes) {
    for (const auto& output : node.outputs) {
      if (output.name == name) return output.dims;
    }
  }
  return std::nullopt;
}

/// What PyTorch exports of F.pad(x, (2, 3)): the pads are turned round by Concat, Reshape, Slice, Transpose.
TEST(TypedGraph, FollowsPadsThatAreComputed) {
  const auto model = model_of(R"((float[1,8] x) => (float[n] y)
    <int64[2] p = {2, 3}, int64[1] two = {2}, int64[2] s = {-1, 2}, int64[1] last = {-1}, int64[1] end = {-9223372036854775807},
     int64[1] zero = {0}, int64[1] all = {-1}> {
      z = ConstantOfShape <value = int64[1] {0}> (two)
      c = Concat <axis = 0> (p, z)
      r = Reshape (c, s)
      t = Slice (r, last, end, zero, last)
      u = Transpose <perm = [1, 0]> (t)
      v = Reshape (u, all)
      y = Pad (x, v) })");
  EXPECT_EQ(shape_of(model, {}, "y"), (Dims{1, 13}));
}

TEST(TypedGraph, FollowsShapesInOldOperatorSets) {
  const auto model = model_of(R"((float[4,2,3] x) => (float[n] y) <int64 zero = {0}, int64[1] rest = {-1}> {
      s = Shape (x) g = Gather (s, zero) u = Unsqueeze <axes = [0]> (g) c = Concat <axis = 0> (u, rest) y = Reshape (x, c) })",
                              9);
  EXPECT_EQ(shape_of(model, {}, "y"), (Dims{4, 6}));
}

TEST(TypedGraph, BelievesWhatWasSeenAndGoesOnFromThere) {
  const auto model = model_of("(float[N] x) => (float[n] z) { y = own.Thing (x) z = Exp (y) }");
  EXPECT_EQ(shape_of(model, {}, "z"), (Dims{-1})) << "as declared";
  EXPECT_EQ(shape_of(model, {{"y", {DType::f32, {2, 3}, {}}}}, "z"), (Dims{2, 3}));
  EXPECT_EQ(node_costs(model, SeenValues{{"x", {DType::undefined, {6}, {}}}, {"y", {DType::f32, {2, 3}, {}}}}).flops,
            6);
}

TEST(TypedGraph, BelievesDeclaredShapesOnlyWhereInferenceTellsLess) {
  auto model = model_of("(float[2,3] x) => (float[n] z) { y = own.Thing (x) z = Exp (y) w = Neg (x) }");
  const auto declare = [&](const char* name, const Dims& dims) {
    auto& info = *model.mutable_graph()->add_value_info();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    for (const auto size : dims)
      info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(size);
  };
  declare("y", {7});
  declare("w", {9, 9});
  EXPECT_EQ(shape_of(model, {}, "z"), (Dims{7}));
  EXPECT_EQ(shape_of(model, {}, "w"), (Dims{2, 3}));
  // Another batch than the declared one: what is declared of inner values is not for it.
  EXPECT_EQ(shape_of(model, {{"x", {DType::undefined, {4, 3}, {}}}}, "z"), std::nullopt);
}

TEST(TypedGraph, FollowsTheRuntimesOwnLayouts) {
  const auto model = model_of(R"((float[1,32,8,8] x, float[16,32,3,3] w) => (float[n] y) {
      a = com.microsoft.nchwc.ReorderInput (x)
      b = com.microsoft.nchwc.Conv (a, w)
      c = com.microsoft.nchwc.MaxPool <kernel_shape = [2,2], strides = [2,2]> (b)
      y = com.microsoft.nchwc.ReorderOutput <channels = 10> (c) })");
  EXPECT_EQ(shape_of(model, {}, "a"), (Dims{1, 32, 8, 8}));
  EXPECT_EQ(shape_of(model, {}, "b"), (Dims{1, 16, 6, 6}));
  EXPECT_EQ(shape_of(model, {}, "y"), (Dims{1, 10, 3, 3}));
}

/// How many channels a block has is the machine's choice: 20 may become 24 or 32.
TEST(TypedGraph, DoesNotGuessHowChannelsAreFilledUp) {
  const auto model = model_of("(float[1,20,8,8] x) => (float[n] a) { a = com.microsoft.nchwc.ReorderInput (x) }");
  EXPECT_EQ(shape_of(model, {}, "a"), (Dims{1, -1, 8, 8}));
}

}  // namespace
}  // namespace culprit
