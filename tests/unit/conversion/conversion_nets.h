#pragma once
// Small networks, what honest converters make of them, and mistakes: for tests of the whole diagnosis.

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tensor/tensor.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {

using Numbers = std::vector<float>;
using Wholes64 = std::vector<std::int64_t>;
/// Changes a model in place: a rewriting of a converter, or a mistake.
using ModelChange = std::function<void(onnx::ModelProto&)>;

// --- Building

class NetBuilder {
 public:
  explicit NetBuilder(unsigned seed) : random_(seed) {
    model_.set_ir_version(9);
    model_.add_opset_import()->set_version(17);
    model_.mutable_graph()->set_name("g");
  }

  std::string numbers(const Shape& shape, double scale) {
    Numbers made(static_cast<std::size_t>(element_count(shape).value()));
    std::normal_distribution<float> normal;
    for (float& number : made) number = normal(random_) * static_cast<float>(scale);
    return constant(Tensor::of<float>(shape, made));
  }
  std::string constant(const Tensor& tensor) {
    const std::string name = "w" + std::to_string(model_.graph().initializer_size());
    *model_.mutable_graph()->add_initializer() = to_proto(tensor, name);
    return name;
  }
  std::string one(float number) { return constant(Tensor::of<float>({}, {number})); }
  std::string wholes(const Wholes64& numbers) {
    return constant(Tensor::of<std::int64_t>({static_cast<std::int64_t>(numbers.size())}, numbers));
  }

  std::string op(const std::string& type, const std::vector<std::string>& inputs,
                 const std::map<std::string, Wholes64>& lists = {}, const std::map<std::string, std::int64_t>& wholes = {},
                 const std::map<std::string, float>& reals = {}) {
    auto& node = *model_.mutable_graph()->add_node();
    const std::string number = std::to_string(model_.graph().node_size());
    node.set_op_type(type);
    node.set_name(type + "_" + number);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output("v" + number);
    for (const auto& [name, list] : lists) set_ints(node, name, list);
    for (const auto& [name, whole] : wholes) set_int(node, name, whole);
    for (const auto& [name, real] : reals) set_float(node, name, real);
    return node.output(0);
  }

  std::string conv(const std::string& x, std::int64_t in, std::int64_t out, std::int64_t size = 3,
                   std::int64_t stride = 1, std::int64_t group = 1, bool has_bias = true) {
    std::vector<std::string> inputs{x, numbers({out, in / group, size, size},
                                               1.4 / std::sqrt(static_cast<double>(in / group * size * size)))};
    if (has_bias) inputs.push_back(numbers({out}, 0.3));
    return op("Conv", inputs,
              {{"strides", {stride, stride}}, {"pads", Wholes64(4, size / 2)}, {"kernel_shape", {size, size}}},
              {{"group", group}});
  }
  std::string normalized(const std::string& x, std::int64_t channels) {
    Numbers scale, variance;
    std::normal_distribution<float> normal;
    for (std::int64_t i = 0; i < channels; ++i) {
      scale.push_back(1 + 0.3F * normal(random_));
      variance.push_back(std::exp(0.4F * normal(random_)));
    }
    return op("BatchNormalization",
              {x, constant(Tensor::of<float>({channels}, scale)), numbers({channels}, 0.3), numbers({channels}, 0.3),
               constant(Tensor::of<float>({channels}, variance))},
              {}, {}, {{"epsilon", 1e-3F}});
  }
  std::string dense(const std::string& x, std::int64_t in, std::int64_t out) {
    return op("Gemm", {x, numbers({out, in}, 1.4 / std::sqrt(static_cast<double>(in))), numbers({out}, 0.3)}, {},
              {{"transB", 1}});
  }
  std::string linear(const std::string& x, std::int64_t in, std::int64_t out) {
    return op("Add", {op("MatMul", {x, numbers({in, out}, 1 / std::sqrt(static_cast<double>(in)))}), numbers({out}, 0.3)});
  }

  onnx::ModelProto model(const Shape& input, const std::vector<std::string>& outputs) {
    add_value(*model_.mutable_graph()->add_input(), "x", &input);
    for (const std::string& output : outputs) add_value(*model_.mutable_graph()->add_output(), output, nullptr);
    return model_;
  }

  static void add_value(onnx::ValueInfoProto& info, const std::string& name, const Shape* shape) {
    info.set_name(name);
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    if (shape == nullptr) return;
    for (const std::int64_t size : *shape) type.mutable_shape()->add_dim()->set_dim_value(size);
  }
  static onnx::AttributeProto& attribute(onnx::NodeProto& node, const std::string& name) {
    for (int i = node.attribute_size(); i-- > 0;)
      if (node.attribute(i).name() == name) node.mutable_attribute()->DeleteSubrange(i, 1);
    auto& made = *node.add_attribute();
    made.set_name(name);
    return made;
  }
  static void set_ints(onnx::NodeProto& node, const std::string& name, const Wholes64& list) {
    auto& made = attribute(node, name);
    made.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t one : list) made.add_ints(one);
  }
  static void set_int(onnx::NodeProto& node, const std::string& name, std::int64_t whole) {
    auto& made = attribute(node, name);
    made.set_type(onnx::AttributeProto::INT);
    made.set_i(whole);
  }
  static void set_float(onnx::NodeProto& node, const std::string& name, float real) {
    auto& made = attribute(node, name);
    made.set_type(onnx::AttributeProto::FLOAT);
    made.set_f(real);
  }

 private:
  onnx::ModelProto model_;
  std::mt19937 random_;
};

/// Convolutions with normalizations, a pool, two dense layers.
inline onnx::ModelProto cnn() {
  NetBuilder b(1);
  std::string x = "x";
  const std::vector<std::vector<std::int64_t>> layers{{3, 8, 1}, {8, 12, 2}, {12, 16, 1}};
  for (const auto& l : layers) x = b.op("Relu", {b.normalized(b.conv(x, l[0], l[1], 3, l[2], 1, false), l[1])});
  x = b.op("MaxPool", {x}, {{"kernel_shape", {2, 2}}, {"strides", {2, 2}}});
  x = b.op("Flatten", {x});
  x = b.op("Relu", {b.dense(x, 16 * 16, 24)});
  x = b.op("Softmax", {b.dense(x, 24, 10)}, {}, {{"axis", -1}});
  return b.model({1, 3, 16, 16}, {x});
}

/// Residual blocks with depthwise and grouped convolutions and slopes.
inline onnx::ModelProto residual() {
  NetBuilder b(2);
  const std::string first = b.conv("x", 3, 16), least = b.one(0), most = b.one(6);
  std::string x = b.op("Clip", {first, least, most});
  for (int block = 0; block < 2; ++block) {
    const std::string depthwise = b.conv(x, 16, 16, 3, 1, 16);
    Numbers slopes;
    for (int i = 0; i < 16; ++i) slopes.push_back(0.05F + 0.02F * static_cast<float>((i * 7 + block) % 16));
    std::string y = b.op("PRelu", {depthwise, b.constant(Tensor::of<float>({16, 1, 1}, slopes))});
    y = b.op("LeakyRelu", {b.conv(y, 16, 16, 1)}, {}, {}, {{"alpha", 0.1F}});
    x = b.op("Add", {x, b.conv(y, 16, 16, 3, 1, 4)});
  }
  x = b.op("AveragePool", {x}, {{"kernel_shape", {3, 3}}, {"strides", {2, 2}}, {"pads", {1, 1, 1, 1}}});
  x = b.op("Flatten", {b.op("GlobalAveragePool", {x})});
  return b.model({1, 3, 12, 12}, {b.dense(x, 16, 10)});
}

/// Attention with normalizations and GELU in pieces.
inline onnx::ModelProto attention() {
  NetBuilder b(3);
  const std::int64_t d = 16;
  const auto norm = [&](const std::string& x) {
    const std::string c = b.op("Sub", {x, b.op("ReduceMean", {x}, {{"axes", {-1}}})});
    const std::string v = b.op("ReduceMean", {b.op("Mul", {c, c})}, {{"axes", {-1}}});
    const std::string n = b.op("Div", {c, b.op("Sqrt", {b.op("Add", {v, b.one(1e-3F)})})});
    Numbers scale;
    for (int i = 0; i < d; ++i) scale.push_back(0.6F + 0.05F * static_cast<float>((i * 5) % 16));
    return b.op("Add", {b.op("Mul", {n, b.constant(Tensor::of<float>({d}, scale))}), b.numbers({d}, 0.3)});
  };
  std::string x = "x";
  for (int block = 0; block < 2; ++block) {
    const std::string h = norm(x), shape = b.wholes({0, 0, 4, 4});
    const auto heads = [&](const Wholes64& perm) {
      return b.op("Transpose", {b.op("Reshape", {b.linear(h, d, d), shape})}, {{"perm", perm}});
    };
    const std::string q = heads({0, 2, 1, 3}), k = heads({0, 2, 3, 1}), v = heads({0, 2, 1, 3});
    const std::string a = b.op("Softmax", {b.op("Mul", {b.op("MatMul", {q, k}), b.one(0.5F)})}, {}, {{"axis", -1}});
    const std::string y = b.op("Transpose", {b.op("MatMul", {a, v})}, {{"perm", {0, 2, 1, 3}}});
    x = b.op("Add", {x, b.linear(b.op("Reshape", {y, b.wholes({0, 0, d})}), d, d)});
    const std::string g = b.linear(norm(x), d, 32);
    const std::string e = b.op("Add", {b.op("Erf", {b.op("Div", {g, b.one(std::sqrt(2.0F))})}), b.one(1)});
    x = b.op("Add", {x, b.linear(b.op("Mul", {b.op("Mul", {g, e}), b.one(0.5F)}), 32, d)});
  }
  const std::string y = b.op("ReduceMean", {x}, {{"axes", {1}}}, {{"keepdims", 0}});
  return b.model({1, 6, d}, {b.linear(y, d, 5)});
}

// --- Looking into models

inline onnx::TensorProto* stored(onnx::ModelProto& model, const std::string& name) {
  for (auto& tensor : *model.mutable_graph()->mutable_initializer())
    if (tensor.name() == name) return &tensor;
  return nullptr;
}
inline Tensor weight(onnx::ModelProto& model, const std::string& name) { return from_proto(*stored(model, name)).value(); }
inline Numbers numbers_of(const Tensor& tensor) { return {tensor.as<float>().begin(), tensor.as<float>().end()}; }
inline void set_weight(onnx::ModelProto& model, const std::string& name, const Shape& shape, const Numbers& numbers) {
  *stored(model, name) = to_proto(Tensor::of<float>(shape, numbers), name);
}
/// The `number`-th node of a type.
inline onnx::NodeProto& node_of(onnx::ModelProto& model, const std::string& type, int number) {
  for (auto& node : *model.mutable_graph()->mutable_node())
    if (node.op_type() == type && number-- == 0) return node;
  throw std::runtime_error("no " + type);
}
inline onnx::NodeProto* maker_of(onnx::ModelProto& model, const std::string& value) {
  for (auto& node : *model.mutable_graph()->mutable_node())
    if (node.output(0) == value) return &node;
  return nullptr;
}
inline void remove_node(onnx::ModelProto& model, const std::string& output) {
  auto& nodes = *model.mutable_graph()->mutable_node();
  for (int i = 0; i < nodes.size(); ++i)
    if (nodes[i].output(0) == output) {
      nodes.DeleteSubrange(i, 1);
      return;
    }
}
/// A new node before the one that makes `before`; "" : first.
inline onnx::NodeProto& node_before(onnx::ModelProto& model, const std::string& before, const std::string& type,
                                    const std::vector<std::string>& inputs, const std::string& output) {
  auto& nodes = *model.mutable_graph()->mutable_node();
  int place = 0;
  while (!before.empty() && nodes[place].output(0) != before) ++place;
  auto& made = *nodes.Add();
  made.set_op_type(type);
  made.set_name(type + "/" + output);
  for (const std::string& input : inputs) made.add_input(input);
  made.add_output(output);
  for (int i = nodes.size() - 1; i > place; --i) nodes.SwapElements(i, i - 1);
  return nodes[place];
}
inline void use_instead(onnx::ModelProto& model, const std::string& value, const std::string& other) {
  for (auto& node : *model.mutable_graph()->mutable_node())
    for (auto& input : *node.mutable_input())
      if (input == value && node.output(0) != other) input = other;
  for (auto& output : *model.mutable_graph()->mutable_output())
    if (output.name() == value) output.set_name(other);
}

// --- What honest converters do

inline void rename_all(onnx::ModelProto& model) {
  std::map<std::string, std::string> names;
  std::set<std::string> kept{""};
  for (const auto& input : model.graph().input()) kept.insert(input.name());
  const auto renamed = [&](const std::string& name) {
    return kept.contains(name) ? name : names.emplace(name, "t" + std::to_string(names.size())).first->second;
  };
  int number = 0;
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    node.set_name("n" + std::to_string(number++));
    for (auto& input : *node.mutable_input()) input = renamed(input);
    for (auto& output : *node.mutable_output()) output = renamed(output);
  }
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) tensor.set_name(renamed(tensor.name()));
  for (auto& output : *model.mutable_graph()->mutable_output()) output.set_name(renamed(output.name()));
}

/// Normalizations into the convolutions before them.
inline void fold(onnx::ModelProto& model) {
  std::vector<std::string> gone;
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    if (node.op_type() != "BatchNormalization") continue;
    onnx::NodeProto* conv = maker_of(model, node.input(0));
    if (conv == nullptr || conv->op_type() != "Conv") continue;
    const Tensor kernel = weight(model, conv->input(1));
    Numbers made = numbers_of(kernel), bias;
    const Numbers scale = numbers_of(weight(model, node.input(1))), beta = numbers_of(weight(model, node.input(2))),
                  mean = numbers_of(weight(model, node.input(3))), variance = numbers_of(weight(model, node.input(4)));
    const std::size_t slice = made.size() / scale.size();
    for (std::size_t i = 0; i < made.size(); ++i)
      made[i] *= scale[i / slice] / std::sqrt(variance[i / slice] + 1e-3F);
    for (std::size_t i = 0; i < scale.size(); ++i)
      bias.push_back(beta[i] - mean[i] * scale[i] / std::sqrt(variance[i] + 1e-3F));
    set_weight(model, conv->input(1), kernel.shape(), made);
    const std::string name = "folded" + std::to_string(model.graph().initializer_size());
    *model.mutable_graph()->add_initializer() =
        to_proto(Tensor::of<float>({static_cast<std::int64_t>(bias.size())}, bias), name);
    conv->add_input(name);
    gone.push_back(node.output(0));
    conv->set_output(0, node.output(0) + "/conv");
  }
  for (const std::string& output : gone) {
    remove_node(model, output);
    for (auto& node : *model.mutable_graph()->mutable_node())
      if (node.output(0) == output + "/conv") node.set_output(0, output);
  }
}

inline void gemm_as_matmul(onnx::ModelProto& model) {
  std::vector<std::string> gemms;
  for (const auto& node : model.graph().node())
    if (node.op_type() == "Gemm") gemms.push_back(node.output(0));
  for (const std::string& output : gemms) {
    const onnx::NodeProto gemm = *maker_of(model, output);
    const Tensor kernel = weight(model, gemm.input(1));
    const Numbers numbers = numbers_of(kernel);
    const std::int64_t rows = kernel.shape()[0], columns = kernel.shape()[1];
    Numbers turned;
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t i = 0; i < rows; ++i) turned.push_back(numbers[static_cast<std::size_t>(i * columns + j)]);
    set_weight(model, gemm.input(1), {columns, rows}, turned);
    node_before(model, output, "MatMul", {gemm.input(0), gemm.input(1)}, output + "/mm");
    onnx::NodeProto& add = *maker_of(model, output);
    add.Clear();
    add.set_op_type("Add");
    add.set_name(gemm.name() + "/add");
    add.add_input(output + "/mm");
    add.add_input(gemm.input(2));
    add.add_output(output);
  }
}

/// max(x, 0) - slope * max(-x, 0).
inline void prelu_as_relus(onnx::ModelProto& model) {
  std::vector<std::string> found;
  for (const auto& node : model.graph().node())
    if (node.op_type() == "PRelu") found.push_back(node.output(0));
  for (const std::string& out : found) {
    const onnx::NodeProto prelu = *maker_of(model, out);
    const Tensor slope = weight(model, prelu.input(1));
    Numbers negated = numbers_of(slope);
    for (float& number : negated) number = -number;
    set_weight(model, prelu.input(1), slope.shape(), negated);
    node_before(model, out, "Relu", {prelu.input(0)}, out + "/p");
    node_before(model, out, "Neg", {prelu.input(0)}, out + "/n");
    node_before(model, out, "Relu", {out + "/n"}, out + "/q");
    node_before(model, out, "Mul", {out + "/q", prelu.input(1)}, out + "/m");
    onnx::NodeProto& add = *maker_of(model, out);
    add.set_op_type("Add");
    add.clear_attribute();
    add.set_input(0, out + "/p");
    add.set_input(1, out + "/m");
  }
}

/// The input as [N, H, W, C], and a Transpose behind it.
inline void channels_last(onnx::ModelProto& model) {
  use_instead(model, "x", "x/chw");
  NetBuilder::set_ints(node_before(model, "", "Transpose", {"x"}, "x/chw"), "perm", {0, 3, 1, 2});
  auto& dims = *model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim();
  dims.SwapElements(1, 2);
  dims.SwapElements(2, 3);
}

/// Hidden channels between the first two convolutions in another order.
inline void permute_channels(onnx::ModelProto& model) {
  onnx::NodeProto &first = node_of(model, "Conv", 0), &second = node_of(model, "Conv", 1);
  const auto count = static_cast<std::size_t>(weight(model, first.input(1)).shape()[0]);
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = (i * 3 + 2) % count;
  const auto slices = [&](const std::string& name, std::size_t outer) {
    const Tensor tensor = weight(model, name);
    const Numbers numbers = numbers_of(tensor);
    const std::size_t inner = numbers.size() / outer / count;
    Numbers made;
    for (std::size_t o = 0; o < outer; ++o)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < inner; ++j) made.push_back(numbers[(o * count + order[i]) * inner + j]);
    set_weight(model, name, tensor.shape(), made);
  };
  for (int i = 1; i < first.input_size(); ++i) slices(first.input(i), 1);
  for (const auto& node : model.graph().node()) {
    if (node.output(0) == second.output(0)) break;
    if (node.op_type() == "BatchNormalization")
      for (int i = 1; i < node.input_size(); ++i) slices(node.input(i), 1);
  }
  slices(second.input(1), static_cast<std::size_t>(weight(model, second.input(1)).shape()[0]));
}

// --- Mistakes

/// The constant that a node takes at `at`, changed.
inline ModelChange with_numbers(const std::string& type, int number, int at, std::function<void(Numbers&, const Shape&)> change) {
  return [=](onnx::ModelProto& model) {
    const std::string name = node_of(model, type, number).input(at);
    const Tensor tensor = weight(model, name);
    Numbers numbers = numbers_of(tensor);
    change(numbers, tensor.shape());
    set_weight(model, name, tensor.shape(), numbers);
  };
}
inline void one_wrong(Numbers& numbers, const Shape&) { numbers[7 % numbers.size()] += 1; }
inline void to_one_decimal(Numbers& numbers, const Shape&) {
  for (float& number : numbers) number = std::round(number * 10) / 10;
}
inline void to_half(Numbers& numbers, const Shape& shape) {
  const auto half = cast(cast(Tensor::of<float>(shape, numbers), DType::f16).value(), DType::f32).value();
  numbers = numbers_of(half);
}
/// Kernels of 3x3 from the last number to the first.
inline void flipped(Numbers& numbers, const Shape&) {
  for (std::size_t i = 0; i < numbers.size(); i += 9)
    std::reverse(numbers.begin() + static_cast<std::ptrdiff_t>(i), numbers.begin() + static_cast<std::ptrdiff_t>(i + 9));
}
inline void rows_reversed(Numbers& numbers, const Shape& shape) {
  const std::size_t slice = numbers.size() / static_cast<std::size_t>(shape[0]);
  const Numbers before = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = before[numbers.size() - slice - i / slice * slice + i % slice];
}
inline void turned_square(Numbers& numbers, const Shape& shape) {
  const auto size = static_cast<std::size_t>(shape[0]);
  const Numbers before = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = before[i % size * size + i / size];
}
inline ModelChange ints(const std::string& type, int number, const std::string& name, const Wholes64& list) {
  return [=](onnx::ModelProto& model) { NetBuilder::set_ints(node_of(model, type, number), name, list); };
}
inline ModelChange whole(const std::string& type, int number, const std::string& name, std::int64_t value) {
  return [=](onnx::ModelProto& model) { NetBuilder::set_int(node_of(model, type, number), name, value); };
}
inline ModelChange real(const std::string& type, int number, const std::string& name, float value) {
  return [=](onnx::ModelProto& model) { NetBuilder::set_float(node_of(model, type, number), name, value); };
}
inline ModelChange lost(const std::string& type, int number) {
  return [=](onnx::ModelProto& model) {
    const onnx::NodeProto node = node_of(model, type, number);
    remove_node(model, node.output(0));
    use_instead(model, node.output(0), node.input(0));
  };
}
inline ModelChange exchanged(const std::string& type, int number, const std::string& other) {
  return [=](onnx::ModelProto& model) {
    onnx::NodeProto& node = node_of(model, type, number);
    node.set_op_type(other);
    node.clear_attribute();
  };
}
/// A Transpose before the Flatten: pixels before channels.
inline void flattened_otherwise(onnx::ModelProto& model) {
  const std::string out = node_of(model, "Flatten", 0).output(0), in = node_of(model, "Flatten", 0).input(0);
  NetBuilder::set_ints(node_before(model, out, "Transpose", {in}, "turned"), "perm", {0, 2, 3, 1});
  maker_of(model, out)->set_input(0, "turned");
}
inline void one_too_many(onnx::ModelProto& model) {
  const std::string out = node_of(model, "Flatten", 0).output(0), in = node_of(model, "Flatten", 0).input(0);
  node_before(model, out, "Sigmoid", {in}, "extra");
  maker_of(model, out)->set_input(0, "extra");
}
inline ModelChange both(const ModelChange& one, const ModelChange& other) {
  return [=](onnx::ModelProto& model) {
    one(model);
    other(model);
  };
}

}  // namespace culprit::testing
