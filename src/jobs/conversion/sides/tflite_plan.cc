#include "conversion/sides/tflite_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

constexpr std::string_view fused_option = "fused_activation_function";

/// The number of a word among those of an option: 1 of RELU.
std::int64_t number_of_word(std::string_view table, std::string_view option, std::string_view word) {
  for (const TfliteOptionField& field : tflite_option_fields(table)) {
    if (field.name != option) continue;
    const auto found = std::ranges::find(field.words, word);
    if (found != field.words.end()) return found - field.words.begin();
  }
  return 0;
}

std::string_view options_table_of(const PlannedOperator& node) {
  const auto* kind = tflite_operator(node.code);
  return kind == nullptr ? std::string_view() : kind->options_table;
}

}  // namespace

TflitePlan::TflitePlan(const TfliteFile& file, const Network& network)
    : file_(file), graph_(file.graph().subgraphs.front()), network_(network), tensors_(graph_.tensors) {
  operators.reserve(graph_.operators.size());
  for (const TfliteOperator& from : graph_.operators) {
    const TfliteOperatorCode& code = file.graph().codes[from.code_index];
    PlannedOperator& made = operators.emplace_back();
    made.native = static_cast<std::int64_t>(operators.size()) - 1;
    made.code = code.code;
    made.custom_name = code.custom_name;
    made.version = code.version;
    made.inputs = from.inputs;
    made.outputs = from.outputs;
  }
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
    operators[static_cast<std::size_t>(network.layers[layer].native)].layers.push_back(static_cast<int>(layer));
}

std::size_t TflitePlan::place_of(int layer) const {
  const auto found = std::ranges::find_if(operators, [layer](const PlannedOperator& node) {
    return std::ranges::find(node.layers, layer) != node.layers.end();
  });
  return static_cast<std::size_t>(found - operators.begin());
}

bool TflitePlan::is_fused(int layer) const {
  const auto& layers = operators[place_of(layer)].layers;
  return layers.size() > 1 && layers.back() == layer;
}

void TflitePlan::part(int layer) {
  const std::size_t at = place_of(layer);
  PlannedOperator& node = operators[at];
  if (node.layers.size() < 2) return;
  const NetworkLayer& activation = network_.layers[as_index(node.layers.back())];
  PlannedOperator behind;
  behind.layers = {node.layers.back()};
  behind.code = tflite_operator(activation.native_type)->code;
  behind.outputs = {node.outputs[0]};
  node.layers.pop_back();
  node.options.emplace_back(fused_option, number_of_word(options_table_of(node), fused_option, "NONE"));
  const std::int32_t between = add_like(node.outputs[0]);
  node.outputs[0] = between;
  behind.inputs = {between};
  hidden_[activation.inputs[0]] = between;
  operators.insert(operators.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(behind));
}

std::int32_t TflitePlan::tensor_of(int value) {
  if (network_.values[as_index(value)].native >= 0)
    return static_cast<std::int32_t>(network_.values[as_index(value)].native);
  if (!hidden_.contains(value)) part(network_.values[as_index(value)].made_by);
  return hidden_.at(value);
}

std::vector<std::int32_t> TflitePlan::shape_of(std::int32_t tensor) const {
  const TfliteTensor& known = tensors_[place(tensor)];
  return known.shape_signature.empty() ? known.shape : known.shape_signature;
}

bool TflitePlan::is_constant(std::int32_t tensor) const {
  return data_.contains(tensor) || !file_.buffer(tensors_[place(tensor)].buffer).empty();
}

std::optional<std::size_t> TflitePlan::maker_of(std::int32_t tensor) const {
  const auto found = std::ranges::find_if(operators, [tensor](const PlannedOperator& node) {
    return std::ranges::find(node.outputs, tensor) != node.outputs.end();
  });
  if (found == operators.end()) return std::nullopt;
  return static_cast<std::size_t>(found - operators.begin());
}

std::int32_t TflitePlan::add_like(std::int32_t tensor) {
  TfliteTensor made = tensors_[place(tensor)];
  made.name = fmt::format("culprit_{}", tensors_.size());
  made.buffer = 0;
  made.external_buffer = 0;
  made.is_sparse = false;
  tensors_.push_back(std::move(made));
  return static_cast<std::int32_t>(tensors_.size()) - 1;
}

Result<std::int32_t> TflitePlan::add_constant(const Tensor& constant,
                                              const std::optional<TfliteQuantization>& quantization,
                                              std::int32_t instead_of) {
  if (constant.dtype() == DType::undefined) return -1;
  const auto type = tflite_type_of(constant.dtype());
  if (!type || constant.bytes().empty())
    return fail(ErrorKind::unsupported, fmt::format("TFLite has no constants of {} elements of type {}",
                                                    constant.count(), culprit::name_of(constant.dtype())));
  TfliteTensor made;
  made.name = fmt::format("culprit_{}", tensors_.size());
  made.type = *type;
  made.shape.assign(constant.shape().begin(), constant.shape().end());
  made.quantization = quantization;
  const auto number = static_cast<std::int32_t>(tensors_.size());
  tensors_.push_back(std::move(made));
  data_[number].assign(reinterpret_cast<const char*>(constant.bytes().data()), constant.bytes().size());
  if (instead_of >= 0) instead_of_[number] = instead_of;
  return number;
}

TfliteValue TflitePlan::option(const PlannedOperator& node, std::string_view name) const {
  const auto set = std::find_if(node.options.rbegin(), node.options.rend(),
                                [name](const auto& option) { return option.first == name; });
  if (set != node.options.rend()) return set->second;
  if (node.native >= 0 && !node.is_anew)
    for (const TfliteOption& option : graph_.operators[static_cast<std::size_t>(node.native)].options)
      if (option.name == name) return option.value;
  for (const TfliteOptionField& field : tflite_option_fields(options_table_of(node)))
    if (field.name == name) return field.preset;
  return std::int64_t{0};
}

bool TflitePlan::has_option(const PlannedOperator& node, std::string_view name) {
  const auto fields = tflite_option_fields(options_table_of(node));
  return std::ranges::find(fields, name, &TfliteOptionField::name) != fields.end();
}

std::string TflitePlan::name_of(const PlannedOperator& node) {
  return node.code == tflite_custom_code ? "custom operator " + printable(node.custom_name)
                                         : tflite_operator_name(node.code);
}

std::vector<bool> TflitePlan::needed_for(const std::vector<std::int32_t>& wanted,
                                         const std::set<std::int32_t>& fed) const {
  std::map<std::int32_t, std::size_t> makers;
  for (std::size_t at = 0; at < operators.size(); ++at)
    for (const auto output : operators[at].outputs) makers[output] = at;
  std::vector<bool> needed(operators.size(), false);
  std::vector<std::size_t> waiting;
  const auto want = [&](std::int32_t tensor) {
    const auto maker = makers.find(tensor);
    if (tensor < 0 || maker == makers.end() || needed[maker->second]) return;
    needed[maker->second] = true;
    waiting.push_back(maker->second);
  };
  for (const auto tensor : wanted) want(tensor);
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    for (const auto input : operators[at].inputs)
      if (!fed.contains(input)) want(input);
  }
  return needed;
}

}  // namespace culprit
