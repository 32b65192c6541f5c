#include "conversion/sides/tflite_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "conversion/sides/hyper_numbers.h"
#include "network/tflite/tflite_roles.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

using HyperWords = std::map<std::string, Hyper>;

/// What they compute depends on more than their hyper-parameters, or their numbers mean something else in TFLite.
constexpr std::array<std::string_view, 13> not_made_anew{"Conv",           "ConvTranspose",    "Gemm", "LSTM",  "RNN",
                                                         "Loop",           "Resize",           "LRN",  "Split", "Slice",
                                                         "QuantizeLinear", "DequantizeLinear", "Cast"};

/// That change no number, or that TFLite has no choice of.
constexpr std::array<std::string_view, 9> that_say_nothing{"storage_order", "training_mode",        "momentum",
                                                           "layout",        "noop_with_empty_axes", "allowzero",
                                                           "stash_type",    "consumed_inputs",      "is_test"};

struct LimitedType {
  std::string_view name;
  double low, high;
};
constexpr double limitless = std::numeric_limits<double>::infinity();
constexpr std::array limited_types{LimitedType{"RELU", 0, limitless}, LimitedType{"RELU6", 0, 6},
                                   LimitedType{"RELU_N1_TO_1", -1, 1}, LimitedType{"RELU_0_TO_1", 0, 1}};

double limit_in(const HyperWords& hyper, const char* name, double otherwise) {
  const auto found = hyper.find(name);
  if (found == hyper.end()) return otherwise;
  const auto numbers = numbers_of(found->second);
  return numbers.size() == 1 ? numbers.front() : otherwise;
}

PlannedOperator operator_named(std::string_view name, std::vector<std::int32_t> inputs, std::int32_t output) {
  PlannedOperator made;
  made.code = tflite_operator(name)->code;
  made.inputs = std::move(inputs);
  made.outputs = {output};
  return made;
}

Result<std::vector<PlannedOperator>> clip_operators(TflitePlan& plan, const TfliteLayer& layer) {
  const double low = limit_in(layer.hyper, "min", -limitless), high = limit_in(layer.hyper, "max", limitless);
  const std::int32_t input = layer.inputs.at(0);
  for (const LimitedType& type : limited_types)
    if (type.low == low && type.high == high) return std::vector{operator_named(type.name, {input}, layer.output)};
  if (low == -limitless && high == limitless) {
    auto same = identity_operator(plan, input, layer.output);
    if (!same) return tl::unexpected(same.error());
    return std::vector{std::move(*same)};
  }
  if (plan.type_of(input) != tflite_type_of(DType::f32))
    return fail(ErrorKind::unsupported, fmt::format("limits {} and {} of what is no float32", low, high));
  std::vector<PlannedOperator> made;
  std::int32_t taken = input;
  for (const auto& [name, limit] : {std::pair{"MAXIMUM", low}, std::pair{"MINIMUM", high}}) {
    if (limit == limitless || limit == -limitless) continue;
    const auto constant = plan.add_constant(Tensor::of<float>({}, {static_cast<float>(limit)}));
    if (!constant) return tl::unexpected(constant.error());
    const bool is_last = std::string_view(name) == "MINIMUM" || high == limitless;
    const std::int32_t given = is_last ? layer.output : plan.add_like(layer.output);
    made.push_back(operator_named(name, {taken, *constant}, given));
    taken = given;
  }
  return made;
}

/// What TFLite takes where a file says nothing is often nothing that computes: a window moved by 0, a softmax times 0.
void fill_in_presets(PlannedOperator& node) {
  const std::string name = TflitePlan::name_of(node);
  if (name == "SOFTMAX") node.options.emplace_back("beta", 1.0);
  if (name == "LEAKY_RELU") node.options.emplace_back("alpha", 0.01);
  if (!TflitePlan::has_option(node, "stride_h")) return;
  node.options.emplace_back("stride_h", std::int64_t{1});
  node.options.emplace_back("stride_w", std::int64_t{1});
  node.pads = ExplicitPads{{0, 0, 0, 0}, false};
}

std::string_view pad_operator(const HyperWords& hyper) {
  const auto mode = hyper.find("mode");
  if (mode != hyper.end() && mode->second != Hyper(std::string("constant"))) return "MIRROR_PAD";
  return limit_in(hyper, "value", 0) == 0 ? "PAD" : "PADV2";
}

Result<void> check_count(const TfliteLayer& layer, std::string_view name) {
  const bool takes_two = name == "MAXIMUM" || name == "MINIMUM" || name == "ADD" || name == "MUL" || name == "SUB";
  if (!takes_two || layer.inputs.size() == 2) return {};
  return fail(ErrorKind::unsupported, fmt::format("{} of {} values", name, layer.inputs.size()));
}

}  // namespace

std::string_view fused_word_of(const std::string& type, const HyperWords& hyper) {
  if (type == "Relu") return "RELU";
  if (type != "Clip") return "";
  const double low = limit_in(hyper, "min", -limitless), high = limit_in(hyper, "max", limitless);
  const auto* const found =
      std::ranges::find_if(limited_types, [&](const LimitedType& one) { return one.low == low && one.high == high; });
  return found == limited_types.end() ? "" : found->name;
}

bool set_fused(PlannedOperator& node, std::string_view word) {
  const auto* kind = tflite_operator(node.code);
  if (kind == nullptr) return false;
  for (const TfliteOptionField& field : tflite_option_fields(kind->options_table)) {
    const auto found = std::ranges::find(field.words, word);
    if (field.name != "fused_activation_function" || found == field.words.end()) continue;
    node.options.emplace_back(field.name, found - field.words.begin());
    return true;
  }
  return false;
}

Result<PlannedOperator> identity_operator(const TflitePlan& plan, std::int32_t input, std::int32_t output) {
  const DType type = dtype_of_tflite(plan.type_of(input));
  constexpr std::array known{DType::f32, DType::i32, DType::i64, DType::i8, DType::u8, DType::i16};
  if (std::ranges::find(known, type) == known.end())
    return fail(ErrorKind::unsupported, fmt::format("values of type {} cannot be given on", name_of(type)));
  return operator_named("MAXIMUM", {input, input}, output);
}

Result<std::vector<PlannedOperator>> operators_of_layer(TflitePlan& plan, const TfliteLayer& layer) {
  if (layer.inputs.empty() || layer.inputs[0] < 0) return fail(ErrorKind::unsupported, "it takes nothing");
  if (layer.type == "Clip" || layer.type == "Relu") {
    TfliteLayer limited = layer;
    if (layer.type == "Relu") limited.hyper = {{"min", 0.0}};
    limited.inputs.resize(1);
    return clip_operators(plan, limited);
  }
  if (layer.type == "Identity") {
    auto same = identity_operator(plan, layer.inputs[0], layer.output);
    if (!same) return tl::unexpected(same.error());
    return std::vector{std::move(*same)};
  }
  std::string_view name = layer.type == "Pad" ? pad_operator(layer.hyper) : tflite_operator_of(layer.type);
  if (name.empty() && tflite_operator(layer.type) != nullptr) name = layer.type;
  if (name.empty() || std::ranges::find(not_made_anew, layer.type) != not_made_anew.end())
    return fail(ErrorKind::unsupported,
                fmt::format("no operator of TFLite computes {} of ONNX by itself", printable(layer.type)));
  if (auto ok = check_count(layer, name); !ok) return tl::unexpected(ok.error());
  PlannedOperator made = operator_named(name, layer.inputs, layer.output);
  fill_in_presets(made);
  for (const auto& [word, hyper] : layer.hyper) {
    if (std::ranges::find(that_say_nothing, word) != that_say_nothing.end()) continue;
    if (auto ok = set_tflite_hyper(plan, made, word, hyper); !ok) return tl::unexpected(ok.error());
  }
  return std::vector{std::move(made)};
}

}  // namespace culprit
