// Hyper-parameters and types in the words of ONNX, made of TensorFlow's nodes: the inverse of what
// network/tensorflow/read_tensorflow_network.h reads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/sides/hyper_numbers.h"
#include "conversion/sides/tensorflow_edits.h"
#include "network/tensorflow/tensorflow_hyper.h"
#include "network/tensorflow/tensorflow_operators.h"
#include "network/tensorflow/tensorflow_slices.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {
namespace {

using tensorflow::Node;
using HyperByName = std::map<std::string, Hyper>;

/// Besides these, an operator is one that takes what it computes with and has no attribute but T.
constexpr std::array made_with_words{"Clip", "Softmax", "LogSoftmax",  "LeakyRelu", "Elu",
                                     "Selu", "MaxPool", "AveragePool", "Transpose", "Reshape"};
constexpr std::array made_of_values{"Abs",  "Acos",     "Add",        "Asin",  "Atan",  "Ceil",    "Cos",  "Cosh",
                                    "Div",  "Erf",      "Exp",        "Floor", "Log",   "Max",     "Min",  "Mul",
                                    "Neg",  "Pow",      "Reciprocal", "Relu",  "Round", "Sigmoid", "Sign", "Sin",
                                    "Sinh", "Softplus", "Softsign",   "Sqrt",  "Sub",   "Tan",     "Tanh", "Identity"};

template <std::size_t count>
bool is_word_in(const std::array<const char*, count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::optional<double> number_of_hyper(const HyperByName& hyper, const std::string& name) {
  const auto found = hyper.find(name);
  if (found == hyper.end()) return std::nullopt;
  const auto numbers = numbers_of(found->second);
  return numbers.size() == 1 ? std::optional(numbers.front()) : std::nullopt;
}

Error no_operator(const std::string& type, const std::string& why) {
  return {ErrorKind::unsupported, fmt::format("TensorFlow has no operator that is {}{}", printable(type, 80), why), ""};
}

}  // namespace

Result<std::string> TensorflowEdits::integers_like(const std::vector<std::int64_t>& numbers, const Shape& shape,
                                                   DType type) {
  const auto typed = cast(Tensor::of(shape, numbers), type == DType::undefined ? DType::i32 : type);
  if (!typed) return tl::unexpected(typed.error());
  return plan_.add_constant(*typed);
}

Result<bool> TensorflowEdits::set_hyper_input(int layer, const std::string& name, const Hyper& hyper) {
  const NetworkLayer& of = network_.layers[as_index(layer)];
  for (std::size_t at = 0; at < of.inputs.size(); ++at) {
    const InputRule* rule = tensorflow_input_rule(of.native_type, at, of.inputs.size());
    if (rule == nullptr || !rule->is_hyper || rule->role != name) continue;
    const DType type = of.inputs[at] < 0 ? DType::undefined : network_.values[as_index(of.inputs[at])].dtype;
    Result<std::string> tensor;
    if (std::holds_alternative<std::string>(hyper)) return fail(ErrorKind::unsupported, name + " is no word");
    const auto wholes = wholes_of(hyper);
    const auto count = std::ssize(wholes);
    if (name == "pads" && of.type == "Pad") {
      if (count % 2 != 0) return fail(ErrorKind::unsupported, "pads are not in pairs");
      tensor = integers_like(tensorflow_pads(wholes), {count / 2, 2}, type);
    } else if (is_whole(hyper)) {
      tensor = integers_like(wholes, is_list(hyper) ? Shape{count} : Shape{}, type);
    } else {
      const auto numbers = numbers_of(hyper);
      tensor = constant_like(Tensor::of<double>(is_list(hyper) ? Shape{count} : Shape{}, numbers), of.inputs[at]);
    }
    if (!tensor) return tl::unexpected(tensor.error());
    plan_.node_of(layer).set_inputs(static_cast<int>(at), *tensor);
    return true;
  }
  return false;
}

/// All parts are written anew: one of them is told, the others are what they were.
Result<void> TensorflowEdits::set_slice(int layer, const std::string& name, const Hyper& hyper) {
  const NetworkLayer& of = network_.layers[as_index(layer)];
  auto words = of.hyper;
  for (const auto& [said, value] : set_by_layer_[layer]) words[said] = value;
  words[name] = hyper;
  const auto parts = tensorflow_slice(words);
  if (!parts || of.inputs.size() < 3)
    return fail(ErrorKind::unsupported, fmt::format("{} cannot be {} there", name, to_string(hyper)));
  const auto sizes = parts->sizes();
  const bool is_strided = of.native_type == "StridedSlice";
  if (!is_strided && !sizes) return fail(ErrorKind::unsupported, "Slice of TensorFlow has no steps");
  const DType type = of.inputs[1] < 0 ? DType::undefined : network_.values[as_index(of.inputs[1])].dtype;
  const Shape shape{std::ssize(parts->starts)};
  const auto starts = integers_like(parts->starts, shape, type);
  const auto ends = integers_like(is_strided ? parts->ends : *sizes, shape, type);
  const auto steps = integers_like(parts->steps, shape, type);
  for (const auto* made : {&starts, &ends, &steps})
    if (!*made) return tl::unexpected(made->error());
  Node& node = plan_.node_of(layer);
  node.set_inputs(1, *starts);
  node.set_inputs(2, *ends);
  if (!is_strided) return {};
  node.set_inputs(3, *steps);
  (*node.mutable_attributes())["begin_mask"].set_integer(parts->begin_mask);
  (*node.mutable_attributes())["end_mask"].set_integer(parts->end_mask);
  return {};
}

Result<void> TensorflowEdits::set_window(Node& node, const HyperByName& hyper) {
  (*node.mutable_attributes())["padding"].set_word("VALID");
  const auto window = hyper.find("kernel_shape");
  if (window == hyper.end()) return tl::unexpected(no_operator(node.op(), " without a window"));
  HyperByName words = hyper;
  words.try_emplace("strides", std::vector<std::int64_t>(wholes_of(window->second).size(), 1));
  for (const char* name : {"kernel_shape", "strides", "pads", "auto_pad"}) {
    const auto said = words.find(name);
    if (said == words.end()) continue;
    const auto done = set_tensorflow_hyper(node, name, said->second);
    if (!done) return tl::unexpected(done.error());
  }
  return {};
}

Result<void> TensorflowEdits::set_type(Node& node, const std::string& type, const HyperByName& hyper, DType data) {
  if (!is_word_in(made_with_words, type) && !is_word_in(made_of_values, type))
    return tl::unexpected(no_operator(type, " and could be put there"));
  const std::string operation(tensorflow_operator_of(type));
  node.set_op(operation);
  node.clear_attributes();
  (*node.mutable_attributes())["T"].set_type(tensorflow_type_of(data).value_or(tensorflow_float));
  const auto add_input = [&](Result<std::string> tensor) -> Result<void> {
    if (!tensor) return tl::unexpected(tensor.error());
    node.add_inputs(*tensor);
    return {};
  };
  if (type == "Clip") {
    const double most = std::numeric_limits<float>::max();
    for (const auto& [name, otherwise] : std::array{std::pair{"min", -most}, std::pair{"max", most}}) {
      const double limit = std::clamp(number_of_hyper(hyper, name).value_or(otherwise), -most, most);
      const auto typed = cast(Tensor::of<double>({}, {limit}), data);
      if (!typed) return tl::unexpected(typed.error());
      if (auto ok = add_input(plan_.add_constant(*typed)); !ok) return ok;
    }
  }
  if (type == "LeakyRelu")
    (*node.mutable_attributes())["alpha"].set_real(static_cast<float>(number_of_hyper(hyper, "alpha").value_or(0.01)));
  if (type == "Elu" && number_of_hyper(hyper, "alpha").value_or(1) != 1)
    return tl::unexpected(no_operator(type, " of another alpha than 1"));
  if (type == "MaxPool" || type == "AveragePool") return set_window(node, hyper);
  const char* list = type == "Transpose" ? "perm" : type == "Reshape" ? "shape" : nullptr;
  if (list == nullptr) return {};
  const auto said = hyper.find(list);
  if (said == hyper.end()) return tl::unexpected(no_operator(type, fmt::format(" without {}", list)));
  const auto numbers = wholes_of(said->second);
  return add_input(integers_like(numbers, {std::ssize(numbers)}, DType::i32));
}

}  // namespace culprit
