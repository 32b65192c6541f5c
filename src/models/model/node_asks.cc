#include "model/node_asks.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

constexpr double longest_slice = 1e6;  // beyond that it means "to the end"

/// Finite numbers only.
std::vector<double> numbers_of(const std::optional<Tensor>& tensor) {
  std::vector<double> numbers;
  if (!tensor || tensor->dtype() == DType::string) return numbers;
  for (std::int64_t i = 0; i < tensor->count(); ++i) {
    if (std::isfinite(tensor->number(i))) numbers.push_back(tensor->number(i));
  }
  return numbers;
}

void add(std::vector<double>& numbers, const std::vector<double>& more) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

std::vector<double> floats_of(const onnx::NodeProto& node, std::initializer_list<std::string_view> names) {
  std::vector<double> numbers;
  for (const std::string_view name : names) {
    if (const auto* found = attribute_of(node, name)) numbers.push_back(static_cast<double>(found->f()));
  }
  std::erase_if(numbers, [](double number) { return !std::isfinite(number) || std::abs(number) > 1e30; });
  return numbers;
}

/// The numbers at which functions of one element bend.
std::vector<double> bends_of(const onnx::NodeProto& node) {
  const std::string& op = node.op_type();
  if (is_one_of(op, {"Relu", "LeakyRelu", "PRelu", "Elu", "Selu", "Celu", "Abs", "Sign", "Sqrt", "Log", "Reciprocal"}))
    return {0};
  if (is_one_of(op, {"Round", "Floor", "Ceil"})) return {-1.5, -0.5, 0.5, 1.5, 2.5};
  if (is_one_of(op, {"HardSwish", "HardSigmoid"})) return {-3, 3};
  if (op == "ThresholdedRelu") return floats_of(node, {"alpha"});
  if (is_one_of(op, {"ArgMax", "ArgMin", "TopK", "Hardmax"})) return {2};  // ties above all else
  if (is_one_of(op, {"Exp", "Softmax", "LogSoftmax", "ReduceLogSumExp", "ReduceSumSquare", "Sigmoid", "Softplus",
                     "Tanh", "Sinh", "Cosh", "Gelu", "Mish", "Erf"}))
    return {-110, 100};  // exp of a float32 ends at -104 and 88
  if (op != "Shrink") return {};
  auto ends = floats_of(node, {"lambd"});
  for (const double end : std::vector(ends)) ends.push_back(-end);
  return ends;
}

/// The first whole numbers that the type does not hold.
std::vector<double> beyond(std::int64_t type) {
  switch (type) {
    case onnx::TensorProto::FLOAT:
      return {16777217};
    case onnx::TensorProto::FLOAT16:
      return {2049, 65520};
    case onnx::TensorProto::BFLOAT16:
      return {257};
    case onnx::TensorProto::INT32:
      return {-2147483649.0, 2147483648.0};
    case onnx::TensorProto::UINT32:
      return {-1, 4294967296.0};
    case onnx::TensorProto::INT16:
      return {-32769, 32768};
    case onnx::TensorProto::UINT16:
      return {-1, 65536};
    case onnx::TensorProto::INT8:
      return {-129, 128};
    case onnx::TensorProto::UINT8:
      return {-1, 256};
    case onnx::TensorProto::BOOL:
      return {0, 256};
    default:
      return {};
  }
}

void ask_limits(const onnx::NodeProto& node, const ConstantOf& constant, std::vector<Ask>& asks) {
  const std::string& op = node.op_type();
  std::vector<double> numbers;
  if (op == "Clip") {
    numbers = floats_of(node, {"min", "max"});
    for (int place = 1; place < node.input_size(); ++place) add(numbers, numbers_of(constant(node.input(place))));
    if (!numbers.empty()) asks.push_back({0, numbers});
    return;
  }
  if (!is_one_of(op, {"Min", "Max", "Mod", "Div", "Pow", "BitShift", "BitwiseAnd", "BitwiseOr"})) return;
  for (const std::string& input : node.input()) add(numbers, numbers_of(constant(input)));
  const bool divides = op == "Mod" || op == "Div";
  for (const double number : divides ? std::vector(numbers) : std::vector<double>{}) numbers.push_back(-number);
  if (numbers.empty()) return;
  for (int place = 0; place < node.input_size(); ++place) {
    if (constant(node.input(place))) continue;
    asks.push_back({place, numbers});
    asks.back().is_for_integers = op == "Div";
  }
}

void ask_lengths(const onnx::NodeProto& node, const ConstantOf& constant, std::vector<Ask>& asks) {
  const auto given = [&](std::string_view name, int place) {
    std::vector<double> numbers;
    const auto* found = attribute_of(node, name);
    if (found != nullptr) numbers.assign(found->ints().begin(), found->ints().end());
    return found == nullptr && place < node.input_size() ? numbers_of(constant(node.input(place))) : numbers;
  };
  const auto axes = given("axes", 3);
  const bool are_known = !axes.empty() || node.input_size() < 4;
  if (!are_known) return;
  for (const auto& ends : {given("starts", 1), given("ends", 2)}) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const double size = std::abs(ends[i]);
      if (size < 1 || size > longest_slice || (!axes.empty() && i >= axes.size())) continue;
      asks.push_back({0, {size}, axes.empty() ? static_cast<std::int64_t>(i) : static_cast<std::int64_t>(axes[i])});
    }
  }
}

void ask_words(const onnx::NodeProto& node, std::vector<Ask>& asks) {
  Ask ask;
  for (const auto& attribute : node.attribute())
    ask.words.insert(ask.words.end(), attribute.strings().begin(), attribute.strings().end());
  if (!ask.words.empty()) asks.push_back(std::move(ask));
}

}  // namespace

std::vector<Ask> asks_for_not_finite(const onnx::NodeProto& node) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!domain_of(node.domain()).empty() || node.input_size() == 0) return {};
  if (node.op_type() == "IsNaN") return {{0, {std::numeric_limits<double>::quiet_NaN()}}};
  if (node.op_type() == "IsInf") return {{0, {infinity, -infinity}}};
  return {};
}

std::vector<Ask> asks_of(const onnx::NodeProto& node, const ConstantOf& constant) {
  std::vector<Ask> asks;
  const std::string& op = node.op_type();
  const bool is_own = domain_of(node.domain()).empty();
  if ((!is_own && node.domain() != "ai.onnx.ml") || node.input_size() == 0) return asks;
  ask_words(node, asks);
  if (!is_own) return asks;
  if (const auto bends = bends_of(node); !bends.empty()) asks.push_back({0, bends});
  if (const auto* to = op == "Cast" ? attribute_of(node, "to") : nullptr) {
    Ask wide{0, beyond(to->i())};
    wide.is_for_integers = true;
    if (!wide.numbers.empty()) asks.push_back(std::move(wide));
  }
  ask_limits(node, constant, asks);
  if (op == "Slice") ask_lengths(node, constant, asks);
  const bool indexes =
      is_one_of(op, {"Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND"});
  if (indexes && node.input_size() > 1 && !constant(node.input(1))) {
    Ask index{1};
    index.is_index = true;
    asks.push_back(std::move(index));
  }
  return asks;
}

}  // namespace culprit
