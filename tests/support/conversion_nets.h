#pragma once
// Small networks with all that conversions get wrong, for tests of the diagnosis. Weights are drawn from fixed seeds.

#include <onnx/onnx_pb.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/tensor_index.h"
#include "tensor/tensor.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {

using Attribute = std::variant<std::int64_t, float, Wholes, std::string>;
using Attributes = std::vector<std::pair<std::string, Attribute>>;

inline void set_attribute(onnx::NodeProto& node, const std::string& name, const Attribute& value) {
  auto& attributes = *node.mutable_attribute();
  for (int i = attributes.size() - 1; i >= 0; --i)
    if (attributes.Get(i).name() == name) attributes.DeleteSubrange(i, 1);
  onnx::AttributeProto& made = *node.add_attribute();
  made.set_name(name);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    made.set_type(onnx::AttributeProto::INT);
    made.set_i(*whole);
  } else if (const auto* real = std::get_if<float>(&value)) {
    made.set_type(onnx::AttributeProto::FLOAT);
    made.set_f(*real);
  } else if (const auto* wholes = std::get_if<Wholes>(&value)) {
    made.set_type(onnx::AttributeProto::INTS);
    for (const auto number : *wholes) made.add_ints(number);
  } else {
    made.set_type(onnx::AttributeProto::STRING);
    made.set_s(std::get<std::string>(value));
  }
}

/// A graph, node by node. Nodes are called by their operators and numbers: "Conv_4"; what they make "v4".
class NetBuilder {
 public:
  explicit NetBuilder(unsigned seed) : random_(seed) {
    model_.set_ir_version(8);
    auto& opset = *model_.add_opset_import();
    opset.set_domain("");
    opset.set_version(17);
    model_.mutable_graph()->set_name("net");
  }

  std::string constant(const Tensor& tensor) {
    const std::string name = "w" + std::to_string(model_.graph().initializer_size());
    *model_.mutable_graph()->add_initializer() = to_proto(tensor, name);
    return name;
  }
  std::string scalar(float number) { return constant(Tensor::of<float>({}, {number})); }
  std::string wholes(const Wholes& numbers) {
    return constant(Tensor::of<std::int64_t>({std::ssize(numbers)}, numbers));
  }
  /// Normal numbers about `mean`.
  std::string drawn(const Shape& shape, float scale, float mean = 0) {
    std::normal_distribution<float> normal(mean, scale);
    Floats numbers(static_cast<std::size_t>(product_of(shape, 0, shape.size())));
    for (float& number : numbers) number = normal(random_);
    return constant(Tensor::of<float>(shape, numbers));
  }
  /// Of a size that keeps values at theirs.
  std::string kernel(const Shape& shape) {
    return drawn(shape, 1.4F / std::sqrt(static_cast<float>(product_of(shape, 1, shape.size()))));
  }

  std::string op(const std::string& type, const std::vector<std::string>& inputs, const Attributes& attributes = {}) {
    onnx::NodeProto& node = *model_.mutable_graph()->add_node();
    const std::string number = std::to_string(model_.graph().node_size());
    node.set_op_type(type);
    node.set_name(type + "_" + number);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output("v" + number);
    for (const auto& [name, value] : attributes) set_attribute(node, name, value);
    return node.output(0);
  }
  /// One more output of the operator that was added last.
  std::string further_output() {
    onnx::NodeProto& node = *model_.mutable_graph()->mutable_node(model_.graph().node_size() - 1);
    node.add_output(node.output(0) + "_" + std::to_string(node.output_size()));
    return node.output(node.output_size() - 1);
  }

  struct ConvShape {
    std::int64_t in = 1, out = 1, size = 3, stride = 1, groups = 1;
    bool has_bias = true;
    std::int64_t dilation = 1;
    Wholes pads = {};  // empty: as many as keep the size
  };
  std::string conv(const std::string& x, const ConvShape& c) {
    std::vector<std::string> inputs{x, kernel({c.out, c.in / c.groups, c.size, c.size})};
    if (c.has_bias) inputs.push_back(drawn({c.out}, 0.3F));
    const auto pad = c.dilation * (c.size / 2);
    Attributes attributes{{"kernel_shape", Wholes{c.size, c.size}},
                          {"strides", Wholes{c.stride, c.stride}},
                          {"pads", c.pads.empty() ? Wholes{pad, pad, pad, pad} : c.pads},
                          {"group", c.groups}};
    if (c.dilation != 1) attributes.emplace_back("dilations", Wholes{c.dilation, c.dilation});
    return op("Conv", inputs, attributes);
  }
  std::string normalization(const std::string& x, std::int64_t channels) {
    const std::string scale = drawn({channels}, 0.3F, 1), bias = drawn({channels}, 0.3F),
                      mean = drawn({channels}, 0.3F);
    Floats variance;
    std::normal_distribution<float> normal(0, 0.4F);
    for (std::int64_t i = 0; i < channels; ++i) variance.push_back(std::exp(normal(random_)));
    return op("BatchNormalization", {x, scale, bias, mean, constant(Tensor::of<float>({channels}, variance))},
              {{"epsilon", 1e-3F}});
  }
  std::string dense(const std::string& x, std::int64_t in, std::int64_t out) {
    return op("Gemm", {x, kernel({out, in}), drawn({out}, 0.3F)}, {{"transB", std::int64_t{1}}});
  }
  /// MatMul and Add.
  std::string linear(const std::string& x, std::int64_t in, std::int64_t out) {
    const std::string product = op("MatMul", {x, drawn({in, out}, 1 / std::sqrt(static_cast<float>(in)))});
    return op("Add", {product, drawn({out}, 0.3F)});
  }
  /// In pieces.
  std::string layer_normalization(const std::string& x, std::int64_t width) {
    const Attributes last{{"axes", Wholes{-1}}};
    const std::string centered = op("Sub", {x, op("ReduceMean", {x}, last)});
    const std::string variance = op("ReduceMean", {op("Mul", {centered, centered})}, last);
    const std::string normal = op("Div", {centered, op("Sqrt", {op("Add", {variance, scalar(1e-3F)})})});
    return op("Add", {op("Mul", {normal, drawn({width}, 0.3F, 1)}), drawn({width}, 0.3F)});
  }
  std::string gelu(const std::string& x) {
    const std::string erf = op("Erf", {op("Div", {x, scalar(std::sqrt(2.0F))})});
    return op("Mul", {op("Mul", {x, op("Add", {erf, scalar(1)})}), scalar(0.5F)});
  }

  onnx::ModelProto model(const std::vector<std::pair<std::string, Shape>>& inputs,
                         const std::vector<std::pair<std::string, Shape>>& outputs) {
    for (const auto& [name, shape] : inputs) declare(*model_.mutable_graph()->add_input(), name, shape);
    for (const auto& [name, shape] : outputs) declare(*model_.mutable_graph()->add_output(), name, shape);
    return model_;
  }

 private:
  static void declare(onnx::ValueInfoProto& value, const std::string& name, const Shape& shape) {
    value.set_name(name);
    auto& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (const auto size : shape) type.mutable_shape()->add_dim()->set_dim_value(size);
  }

  onnx::ModelProto model_;
  std::mt19937 random_;
};

/// Three convolutions with normalization, a pool, two dense layers, Softmax. Input x [1,3,16,16].
inline onnx::ModelProto cnn_net() {
  NetBuilder net(1);
  std::string x = "x";
  for (const auto& [in, out, stride] : {std::array<std::int64_t, 3>{3, 8, 1}, {8, 12, 2}, {12, 16, 1}}) {
    const NetBuilder::ConvShape shape{.in = in, .out = out, .stride = stride, .has_bias = false};
    x = net.op("Relu", {net.normalization(net.conv(x, shape), out)});
  }
  x = net.op("MaxPool", {x}, {{"kernel_shape", Wholes{2, 2}}, {"strides", Wholes{2, 2}}});
  x = net.op("Relu", {net.dense(net.op("Flatten", {x}), 16 * 16, 24)});
  x = net.op("Softmax", {net.dense(x, 24, 10)}, {{"axis", std::int64_t{-1}}});
  return net.model({{"x", {1, 3, 16, 16}}}, {{x, {1, 10}}});
}

/// Depthwise, pointwise and grouped convolutions with PRelu, LeakyRelu and skips. Input x [1,3,12,12].
inline onnx::ModelProto residual_net() {
  NetBuilder net(2);
  std::string x = net.op("Clip", {net.conv("x", {.in = 3, .out = 16}), net.scalar(0), net.scalar(6)});
  for (int block = 0; block < 2; ++block) {
    std::string y = net.conv(x, {.in = 16, .out = 16, .groups = 16});
    y = net.op("PRelu", {y, net.drawn({16, 1, 1}, 0.05F, 0.25F)});
    y = net.op("LeakyRelu", {net.conv(y, {.in = 16, .out = 16, .size = 1})}, {{"alpha", 0.1F}});
    x = net.op("Add", {x, net.conv(y, {.in = 16, .out = 16, .groups = 4})});
  }
  x = net.op("AveragePool", {x},
             {{"kernel_shape", Wholes{3, 3}}, {"strides", Wholes{2, 2}}, {"pads", Wholes{1, 1, 1, 1}}});
  x = net.op("Flatten", {net.op("GlobalAveragePool", {x})});
  return net.model({{"x", {1, 3, 12, 12}}}, {{net.dense(x, 16, 10), {1, 10}}});
}

/// Two blocks of attention with normalization and GELU in pieces. Input x [1,6,16].
inline onnx::ModelProto attention_net() {
  NetBuilder net(3);
  constexpr std::int64_t width = 16;
  std::string x = "x";
  for (int block = 0; block < 2; ++block) {
    const std::string h = net.layer_normalization(x, width), heads = net.wholes({0, 0, 4, 4});
    const auto part = [&](const Wholes& perm) {
      return net.op("Transpose", {net.op("Reshape", {net.linear(h, width, width), heads})}, {{"perm", perm}});
    };
    const std::string q = part({0, 2, 1, 3}), k = part({0, 2, 3, 1}), v = part({0, 2, 1, 3});
    const std::string scores = net.op("Mul", {net.op("MatMul", {q, k}), net.scalar(0.5F)});
    const std::string seen = net.op("MatMul", {net.op("Softmax", {scores}, {{"axis", std::int64_t{-1}}}), v});
    const std::string y =
        net.op("Reshape", {net.op("Transpose", {seen}, {{"perm", Wholes{0, 2, 1, 3}}}), net.wholes({0, 0, width})});
    x = net.op("Add", {x, net.linear(y, width, width)});
    const std::string wide = net.gelu(net.linear(net.layer_normalization(x, width), width, 2 * width));
    x = net.op("Add", {x, net.linear(wide, 2 * width, width)});
  }
  const std::string mean = net.op("ReduceMean", {x}, {{"axes", Wholes{1}}, {"keepdims", std::int64_t{0}}});
  return net.model({{"x", {1, 6, width}}}, {{net.linear(mean, width, 5), {1, 5}}});
}

/// Normal numbers for each input, by sample.
inline std::vector<std::vector<NamedTensor>> samples_for(const onnx::ModelProto& model, int count = 4,
                                                         unsigned seed = 5) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<std::vector<NamedTensor>> samples(static_cast<std::size_t>(count));
  for (auto& sample : samples) {
    for (const auto& input : model.graph().input()) {
      Shape shape;
      for (const auto& dim : input.type().tensor_type().shape().dim()) shape.push_back(dim.dim_value());
      Floats numbers(static_cast<std::size_t>(product_of(shape, 0, shape.size())));
      for (float& number : numbers) number = normal(random);
      sample.push_back({input.name(), Tensor::of<float>(shape, numbers)});
    }
  }
  return samples;
}

}  // namespace culprit::testing
