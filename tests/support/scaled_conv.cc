#include "support/scaled_conv.h"

#include <array>

#include "base/random.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

constexpr std::int64_t channels = 4, side = 5, kernel = 2;

double ten_to(std::int64_t exponent) {
  double value = 1;
  for (; exponent > 0; --exponent) value *= 10;
  for (; exponent < 0; ++exponent) value /= 10;
  return value;
}

class Values {
 public:
  Values(const ScaledConv& layer, onnx::GraphProto& graph) : layer_(layer), graph_(graph) {}

  /// One positive number per element, sign drawn where `is_signed`; every `zero_step`-th is 0.
  void add(const std::string& name, const Shape& shape, Decades decades, bool is_signed, std::int64_t zero_step = 0) {
    Random random(0, layer_.name + name);
    std::vector<float> values(static_cast<std::size_t>(*element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double size = ten_to(random.between(decades.low, decades.high - 1)) * (1 + 9 * random.uniform());
      const double sign = is_signed && random.between(0, 1) == 0 ? -1 : 1;
      const bool is_zero = zero_step > 0 && static_cast<std::int64_t>(i) % zero_step == 0;
      values[i] = is_zero ? 0 : static_cast<float>(sign * size);
    }
    const auto tensor = cast(Tensor::of<float>(shape, values), layer_.dtype);
    *graph_.add_initializer() = to_proto(*tensor, name);
  }

 private:
  const ScaledConv& layer_;
  onnx::GraphProto& graph_;
};

void add_value(onnx::ValueInfoProto& value, const std::string& name, const ScaledConv& layer, const Shape& shape) {
  value.set_name(name);
  auto& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(layer.dtype == DType::f16 ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::FLOAT);
  for (const auto dim : shape) type.mutable_shape()->add_dim()->set_dim_value(dim);
}

onnx::NodeProto& add_node(onnx::GraphProto& graph, const std::string& op, const std::vector<std::string>& inputs,
                          const std::string& output) {
  auto& node = *graph.add_node();
  node.set_op_type(op);
  for (const auto& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

void add_int(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

void add_float(onnx::NodeProto& node, const std::string& name, float value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
}

void add_weights(const ScaledConv& layer, onnx::GraphProto& graph) {
  Values values(layer, graph);
  Shape weight{channels, channels / layer.group};
  weight.insert(weight.end(), static_cast<std::size_t>(layer.dimensions), kernel);
  values.add("W", weight, layer.weight, true);
  values.add("scale", {channels}, layer.scale, true);
  values.add("shift", {channels}, layer.scale, true);
  values.add("mean", {channels}, layer.mean, true);
  values.add("variance", {channels}, layer.variance, false, layer.zero_variance ? 2 : 0);
  if (!layer.bias) return;
  if (!layer.cancels) return values.add("B", {channels}, layer.weight, true);
  *graph.add_initializer() = graph.initializer(3);
  graph.mutable_initializer(graph.initializer_size() - 1)->set_name("B");
}

/// What is badly scaled, and how.
struct Scaling {
  const char* name;
  Decades weight, scale, variance, mean;
  bool zero_variance, cancels;
  float epsilon;
};
constexpr std::array scalings = std::to_array<Scaling>({
    {"tiny_scale", {-1, 0}, {-6, -4}, {-1, 1}, {-1, 0}, false, false, 1e-5F},
    {"huge_scale", {-1, 0}, {4, 6}, {-1, 1}, {-1, 0}, false, false, 1e-5F},
    {"scales_of_twelve_decades", {-1, 0}, {-6, 6}, {-1, 1}, {-1, 0}, false, false, 1e-5F},
    {"tiny_variance", {-1, 0}, {-1, 0}, {-12, -8}, {-1, 0}, false, false, 1e-5F},
    {"zero_variance", {-1, 0}, {-1, 0}, {-3, 1}, {-1, 0}, true, false, 1e-3F},
    {"variance_below_a_small_epsilon", {-1, 0}, {-1, 0}, {-14, -11}, {-1, 0}, false, false, 1e-9F},
    {"huge_variance", {-1, 0}, {0, 2}, {4, 9}, {-1, 0}, false, false, 1e-5F},
    {"large_mean", {-1, 0}, {-1, 0}, {-1, 1}, {3, 6}, false, false, 1e-5F},
    {"large_mean_that_cancels", {-1, 0}, {-1, 0}, {-1, 1}, {3, 4}, false, true, 1e-5F},
    {"tiny_weights", {-6, -4}, {3, 5}, {-6, -4}, {-6, -4}, false, false, 1e-5F},
    {"huge_weights", {3, 6}, {-6, -3}, {6, 10}, {3, 6}, false, false, 1e-5F},
});

ScaledConv layer_of(std::int64_t opset, std::size_t number, const Scaling& scaling) {
  ScaledConv layer;
  layer.opset = opset;
  layer.after = number % 2 == 0 ? "LeakyRelu" : "Abs";
  layer.name = "opset" + std::to_string(opset) + "_" + scaling.name + "_" + layer.after;
  layer.dimensions = 1 + static_cast<std::int64_t>(number % 3);
  layer.group = std::array{1, 2, 4}[number / 2 % 3];
  layer.bias = scaling.cancels || number % 4 < 2;
  layer.weight = scaling.weight;
  layer.scale = scaling.scale;
  layer.variance = scaling.variance;
  layer.mean = scaling.mean;
  layer.zero_variance = scaling.zero_variance;
  layer.cancels = scaling.cancels;
  layer.epsilon = scaling.epsilon;
  return layer;
}

/// What float16 can hold: five decades.
ScaledConv half_layer_of(std::int64_t opset) {
  constexpr Scaling narrow{"half", {-2, 0}, {-2, 1}, {-2, 1}, {-1, 1}, false, false, 1e-3F};
  ScaledConv layer = layer_of(opset, static_cast<std::size_t>(opset), narrow);
  layer.dtype = DType::f16;
  return layer;
}

}  // namespace

std::vector<ScaledConv> scaled_convs() {
  std::vector<ScaledConv> layers;
  for (std::int64_t opset = 7; opset <= 21; ++opset)
    for (int twice = 0; twice < 2; ++twice)
      layers.push_back(layer_of(opset, layers.size(), scalings[layers.size() % scalings.size()]));
  for (const std::int64_t opset : {10, 13, 15, 18}) layers.push_back(half_layer_of(opset));
  return layers;
}

onnx::ModelProto model_of(const ScaledConv& layer) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(layer.opset);
  auto& graph = *model.mutable_graph();
  graph.set_name(layer.name);
  Shape input{1, channels}, output{1, channels};
  input.insert(input.end(), static_cast<std::size_t>(layer.dimensions), side);
  output.insert(output.end(), static_cast<std::size_t>(layer.dimensions), side - kernel + 1);
  add_value(*graph.add_input(), "x", layer, input);
  add_value(*graph.add_output(), "y", layer, output);
  add_weights(layer, graph);
  std::vector<std::string> of_conv{"x", "W"};
  if (layer.bias) of_conv.emplace_back("B");
  add_int(add_node(graph, "Conv", of_conv, "c"), "group", layer.group);
  add_float(add_node(graph, "BatchNormalization", {"c", "scale", "shift", "mean", "variance"}, "n"), "epsilon",
            layer.epsilon);
  add_node(graph, layer.after, {"n"}, "y");
  return model;
}

}  // namespace culprit::testing
