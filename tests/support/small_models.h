#pragma once
// Models of a few nodes, as text: a clean one, and ones that released passes break.

namespace culprit::testing {

inline constexpr const char* clean_model = R"(
<ir_version: 8, opset_import: ["" : 13]>
clean (float[2,3] x) => (float[2,3] y)
<float[3] w = {1.5, -2.0, 0.25}>
{
  a = Add(x, w)
  b = Identity(a)
  y = Relu(b)
})";

// tests/corpus/faults/slice-axes-from-value-ints.onnxtxt: the predicate finds a Constant with value_ints and aborts the
// process.
inline constexpr const char* crashing_model = R"(
<ir_version: 7, opset_import: ["" : 12]>
crashing (float[3,2] x) => (float[2,2] y)
<float[4,3] left = {0.5, -1.0, 2.0, 0.25, 1.5, -0.75, 1.0, 0.1, -0.2, 0.3, -0.4, 0.6}, float[3,2] right = {1.0, -2.0, 3.0, 0.5, 0.25, -0.75}, int64[1] one = {1}, int64[1] three = {3}>
{
  axes = Constant<value_ints = [0]>()
  s = Slice(left, one, three, axes)
  m = MatMul(s, right)
  g = ReduceSum<keepdims = 0>(x)
  y = Mul(m, g)
})";

// tests/corpus/faults/pad-axes-into-conv.onnxtxt, smaller: fuse_pad_into_conv does not look at the axes.
inline constexpr const char* faulty_model = R"(
<ir_version: 8, opset_import: ["" : 18]>
faulty (float[1,1,3,3] x) => (float[1,1,H,V] y)
<float[1,1,3,3] W = {-0.9, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2}, int64[8] pads = {0, 0, 2, 1, 0, 0, 2, 1}, int64[4] axes = {0, 1, 3, 2}>
{
  padded = Pad(x, pads, "", axes)
  y = Conv<kernel_shape = [3, 3]>(padded, W)
})";

}  // namespace culprit::testing
