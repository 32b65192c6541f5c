#pragma once
// The rest of the eight networks of the corpus of conversions. The first three: conversion_nets.h.

#include <onnx/onnx_pb.h>

#include <array>
#include <string>

#include "support/conversion_nets.h"

namespace culprit::testing {

/// Depthwise and pointwise convolutions with normalizations and Relu6, one with pads at the end only, one dilated.
/// Input x [1,3,16,16].
inline onnx::ModelProto separable_net() {
  NetBuilder net(4);
  const auto normal = [&](const std::string& x, std::int64_t channels) {
    return net.op("Clip", {net.normalization(x, channels), net.scalar(0), net.scalar(6)});
  };
  std::string x =
      normal(net.conv("x", {.in = 3, .out = 8, .stride = 2, .has_bias = false, .pads = Wholes{0, 0, 1, 1}}), 8);
  struct Block {
    std::int64_t in, out, stride, dilation;
  };
  for (const Block& block : std::array<Block, 3>{{{8, 12, 1, 1}, {12, 16, 2, 1}, {16, 16, 1, 2}}}) {
    x = normal(net.conv(x, {.in = block.in,
                            .out = block.in,
                            .stride = block.stride,
                            .groups = block.in,
                            .has_bias = false,
                            .dilation = block.dilation}),
               block.in);
    x = normal(net.conv(x, {.in = block.in, .out = block.out, .size = 1, .has_bias = false}), block.out);
  }
  x = net.op("Flatten", {net.op("GlobalAveragePool", {x})});
  x = net.op("Softmax", {net.dense(x, 16, 10)}, {{"axis", std::int64_t{-1}}});
  return net.model({{"x", {1, 3, 16, 16}}}, {{x, {1, 10}}});
}

/// An LSTM, a GRU, two dense layers. Input x [1,8,6].
inline onnx::ModelProto recurrent_net() {
  NetBuilder net(5);
  constexpr std::int64_t in = 6, lstm = 12, gru = 10, steps = 8;
  const std::string x = net.op("Transpose", {"x"}, {{"perm", Wholes{1, 0, 2}}});
  std::string y = net.op(
      "LSTM",
      {x, net.drawn({1, 4 * lstm, in}, 0.5F), net.drawn({1, 4 * lstm, lstm}, 0.35F), net.drawn({1, 8 * lstm}, 0.3F)},
      {{"hidden_size", lstm}});
  y = net.op("Squeeze", {y, net.wholes({1})});
  net.op("GRU",
         {y, net.drawn({1, 3 * gru, lstm}, 0.5F), net.drawn({1, 3 * gru, gru}, 0.35F), net.drawn({1, 6 * gru}, 0.3F)},
         {{"hidden_size", gru}, {"linear_before_reset", std::int64_t{1}}});
  y = net.op("Squeeze", {net.further_output(), net.wholes({0})});
  y = net.op("Sigmoid", {net.dense(y, gru, 16)});
  y = net.op("Softmax", {net.dense(y, 16, 5)}, {{"axis", std::int64_t{-1}}});
  return net.model({{"x", {1, steps, in}}}, {{y, {1, 5}}});
}

/// A table of words and one of places, convolutions along the words, the largest of each channel, two dense layers.
/// Input ids [1,12] of 40 words.
inline onnx::ModelProto embedding_net() {
  NetBuilder net(6);
  constexpr std::int64_t words = 40, width = 16, length = 12;
  std::string x = net.op("Gather", {net.drawn({words, width}, 1), "ids"});
  x = net.op("Transpose", {net.op("Add", {x, net.drawn({length, width}, 0.5F)})}, {{"perm", Wholes{0, 2, 1}}});
  const auto along = [&](std::int64_t in, std::int64_t out, std::int64_t stride) {
    const std::string made = net.op("Conv", {x, net.kernel({out, in, 3}), net.drawn({out}, 0.3F)},
                                    {{"kernel_shape", Wholes{3}}, {"pads", Wholes{1, 1}}, {"strides", Wholes{stride}}});
    x = net.op("Relu", {made});
  };
  along(width, 24, 1);
  along(24, 16, 2);
  x = net.op("ReduceMax", {x}, {{"axes", Wholes{2}}, {"keepdims", std::int64_t{0}}});
  x = net.op("Tanh", {net.dense(x, 16, 16)});
  x = net.op("Softmax", {net.dense(x, 16, 4)}, {{"axis", std::int64_t{-1}}});
  onnx::ModelProto model = net.model({{"ids", {1, length}}}, {{x, {1, 4}}});
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::INT64);
  return model;
}

/// A picture [1,3,12,12] and facts [1,5]; classes and shares, [1,6] each.
inline onnx::ModelProto two_headed_net() {
  NetBuilder net(7);
  std::string x = net.op("Relu", {net.conv("picture", {.in = 3, .out = 8})});
  x = net.op("MaxPool", {x}, {{"kernel_shape", Wholes{2, 2}}, {"strides", Wholes{2, 2}}});
  x = net.op("Flatten", {net.op("Relu", {net.conv(x, {.in = 8, .out = 12})})});
  x = net.op("Relu", {net.dense(x, 12 * 36, 16)});
  const std::string facts = net.op("Tanh", {net.dense("facts", 5, 16)});
  std::string both = net.op("Concat", {x, facts}, {{"axis", std::int64_t{1}}});
  both = net.op("Relu", {net.dense(both, 32, 24)});
  const std::string classes = net.op("Softmax", {net.dense(both, 24, 6)}, {{"axis", std::int64_t{-1}}});
  const std::string shares = net.op("Sigmoid", {net.dense(net.op("Sub", {x, facts}), 16, 6)});
  return net.model({{"picture", {1, 3, 12, 12}}, {"facts", {1, 5}}}, {{classes, {1, 6}}, {shares, {1, 6}}});
}

/// Down by pools, up by Resize and by ConvTranspose, with what was on the way down beside; a class for each pixel.
/// Input x [1,3,16,16].
inline onnx::ModelProto unet() {
  NetBuilder net(8);
  const Attributes halves{{"kernel_shape", Wholes{2, 2}}, {"strides", Wholes{2, 2}}};
  const auto conv = [&](const std::string& x, std::int64_t in, std::int64_t out) {
    return net.op("Relu", {net.conv(x, {.in = in, .out = out})});
  };
  const std::string wide = conv("x", 3, 8), middle = conv(net.op("MaxPool", {wide}, halves), 8, 12);
  std::string x = conv(net.op("MaxPool", {middle}, halves), 12, 16);
  x = net.op("Resize", {x, "", net.constant(Tensor::of<float>({4}, {1, 1, 2, 2}))},
             {{"mode", std::string("nearest")},
              {"coordinate_transformation_mode", std::string("asymmetric")},
              {"nearest_mode", std::string("floor")}});
  x = conv(net.op("Concat", {x, middle}, {{"axis", std::int64_t{1}}}), 28, 12);
  x = net.op("ConvTranspose", {x, net.drawn({12, 8, 2, 2}, 0.3F), net.drawn({8}, 0.3F)}, halves);
  x = conv(net.op("Concat", {x, wide}, {{"axis", std::int64_t{1}}}), 16, 8);
  x = net.op("Softmax", {net.conv(x, {.in = 8, .out = 4, .size = 1})}, {{"axis", std::int64_t{1}}});
  return net.model({{"x", {1, 3, 16, 16}}}, {{x, {1, 4, 16, 16}}});
}

}  // namespace culprit::testing
