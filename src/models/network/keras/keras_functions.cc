// Functions of Keras 3 and of TensorFlow as layers, attention, and what has no word in ONNX.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using nlohmann::json;
using Word = std::pair<std::string_view, std::string_view>;

constexpr std::array functions{
    Word{"add", "Add"},           Word{"subtract", "Sub"},  Word{"sub", "Sub"},        Word{"multiply", "Mul"},
    Word{"mul", "Mul"},           Word{"divide", "Div"},    Word{"truedivide", "Div"}, Word{"truediv", "Div"},
    Word{"divideNoNan", "Div"},   Word{"maximum", "Max"},   Word{"minimum", "Min"},    Word{"power", "Pow"},
    Word{"pow", "Pow"},           Word{"matmul", "MatMul"}, Word{"relu", "Relu"},      Word{"sigmoid", "Sigmoid"},
    Word{"tanh", "Tanh"},         Word{"abs", "Abs"},       Word{"absolute", "Abs"},   Word{"negative", "Neg"},
    Word{"neg", "Neg"},           Word{"exp", "Exp"},       Word{"log", "Log"},        Word{"sqrt", "Sqrt"},
    Word{"softplus", "Softplus"}, Word{"silu", "Swish"},    Word{"floor", "Floor"}};

/// "Multiply" and "math.multiply" are "multiply".
std::string function_of(const KerasLayer& layer) {
  std::string name = layer.class_name == "TFOpLambda" ? word_in(layer.config, "function") : layer.class_name;
  name = name.substr(name.rfind('.') + 1);
  for (char& letter : name)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return name;
}

/// A number, or a list of whole ones.
std::optional<Hyper> hyper_of_json(const json& told) {
  if (told.is_boolean()) return std::int64_t{told.get<bool>()};
  if (told.is_number_integer()) return told.get<std::int64_t>();
  if (told.is_number()) return told.get<double>();
  constexpr std::size_t longest_word = 1000, longest_list = 64;
  if (told.is_string() && told.get_ref<const std::string&>().size() <= longest_word) return told.get<std::string>();
  if (!told.is_array() || told.empty() || told.size() > longest_list) return std::nullopt;
  if (!std::ranges::all_of(told, [](const json& one) { return one.is_number_integer(); })) return std::nullopt;
  return told.get<std::vector<std::int64_t>>();
}

Tensor as_matrix(const Tensor& tensor, Shape shape) {
  auto made = Tensor::from_bytes(tensor.dtype(), std::move(shape), {tensor.bytes().begin(), tensor.bytes().end()});
  if (!made) return tensor;
  return std::move(*made);
}

/// One of the four products of an attention. `is_last`: [heads, size, width], else [width, heads, size].
Result<int> write_projection(KerasLayerWriter& work, int input, const std::string& part, bool is_last) {
  if (auto ok = work.expect_rank(part + "/kernel", 3); !ok) return tl::unexpected(ok.error());
  const KerasWeight& kernel = *work.weight(part + "/kernel");
  const Shape& dims = kernel.tensor.shape();
  const Shape shape = is_last ? Shape{dims[0] * dims[1], dims[2]} : Shape{dims[0], dims[1] * dims[2]};
  std::vector<TakenValue> taken{{input},
                                work.made(kernel, part + "/kernel", as_matrix(kernel.tensor, shape), "kernel", "IO")};
  if (const KerasWeight* bias = work.weight(part + "/bias"))
    taken.push_back(work.made(*bias, part + "/bias", as_matrix(bias->tensor, {bias->tensor.count()}), "bias", "O"));
  return work.add("Gemm", taken, {}, "EinsumDense", part);
}

/// Values by the names of the arguments: query, value, key.
std::map<std::string, int> arguments_of(const KerasLayerWriter& work) {
  constexpr std::array names{"query", "value", "key", "query_mask", "value_mask", "key_mask", "attention_mask"};
  std::map<std::string, int> found;
  std::size_t at = 0;
  for (const KerasArgument& argument : work.call().arguments) {
    if (!argument.from || at >= work.inputs().size()) continue;
    const std::string name = argument.name.empty() && at < names.size() ? names.at(at) : argument.name;
    found[name] = work.inputs()[at++];
  }
  return found;
}

}  // namespace

Result<bool> write_attention(KerasLayerWriter& work, const std::string& kind) {
  if (kind != "MultiHeadAttention" || work.weight("query/kernel") == nullptr) return false;
  auto given = arguments_of(work);
  if (!given.contains("query") || !given.contains("value")) return false;
  given.try_emplace("key", given["value"]);
  std::vector<TakenValue> taken;
  for (const char* part : {"query", "key", "value"}) {
    const auto product = write_projection(work, given[part], part, false);
    if (!product) return tl::unexpected(product.error());
    taken.push_back({*product});
  }
  if (given.contains("attention_mask")) taken.push_back({given["attention_mask"]});
  const int mixed = work.add("Attention", taken,
                             {{"q_num_heads", static_cast<std::int64_t>(number_in(work.config(), "num_heads", 1))}});
  const auto result = write_projection(work, mixed, "output", true);
  if (!result) return tl::unexpected(result.error());
  return true;
}

bool write_function(KerasLayerWriter& work) {
  if (!work.layer().is_operation && work.layer().class_name != "TFOpLambda") return false;
  const auto* known = std::ranges::find(functions, function_of(work.layer()), &Word::first);
  if (known == functions.end()) return false;
  std::vector<TakenValue> taken;
  std::size_t at = 0;
  for (const KerasArgument& argument : work.call().arguments) {
    if (argument.from && at < work.inputs().size())
      taken.push_back({work.inputs()[at++]});
    else if (argument.constant.is_number())
      taken.push_back(work.constant("operand", Tensor::of<float>({}, {argument.constant.get<float>()})));
  }
  work.add(std::string(known->second), taken);
  return true;
}

void write_unknown(KerasLayerWriter& work) {
  const KerasLayer& layer = work.layer();
  KerasHypers hyper;
  if (work.config().is_object())
    for (const auto& [name, told] : work.config().items())
      if (auto one = hyper_of_json(told); one && !is_one_of(name, {"name", "dtype", "trainable", "seed", "function"}))
        hyper[name] = std::move(*one);
  for (const KerasArgument& argument : work.call().arguments)
    if (auto one = hyper_of_json(argument.constant); !argument.from && one && !argument.name.empty())
      hyper[argument.name] = std::move(*one);
  std::vector<TakenValue> taken;
  for (const int input : work.inputs()) taken.push_back({input});
  for (const KerasWeight& weight : layer.weights)
    taken.push_back(work.made(weight, weight.role, weight.tensor, "operand", ""));
  const bool is_function = layer.class_name == "TFOpLambda";
  work.add(is_function ? word_in(layer.config, "function") : layer.class_name, taken, std::move(hyper));
}

}  // namespace culprit
