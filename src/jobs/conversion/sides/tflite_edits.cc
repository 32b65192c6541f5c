#include "conversion/sides/tflite_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/sides/make_edits.h"
#include "conversion/sides/ways.h"
#include "network/tflite/tflite_roles.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

/// Real numbers as a tensor with these scales stores them.
Result<Tensor> quantized(const Tensor& real, const TfliteQuantization& by, DType type) {
  std::int64_t run = std::max<std::int64_t>(1, real.count());
  if (by.scale.size() > 1) {
    const auto axis = static_cast<std::size_t>(by.dimension);
    if (axis >= real.shape().size() || real.shape()[axis] != std::ssize(by.scale))
      return fail(ErrorKind::unsupported, fmt::format("{} scales for {}", by.scale.size(), to_string(real.shape())));
    run = 1;
    for (std::size_t i = axis + 1; i < real.shape().size(); ++i) run *= real.shape()[i];
  }
  std::vector<double> stored(static_cast<std::size_t>(real.count()));
  for (std::int64_t i = 0; i < real.count(); ++i) {
    const std::size_t slice = static_cast<std::size_t>(i / std::max<std::int64_t>(1, run)) % by.scale.size();
    const double zero = slice < by.zero_point.size() ? static_cast<double>(by.zero_point[slice]) : 0;
    const double scale = by.scale[slice] == 0 ? 1 : by.scale[slice];
    stored[static_cast<std::size_t>(i)] = std::nearbyint(real.number(i) / scale) + zero;
  }
  return cast(Tensor::of<double>(real.shape(), stored), type);
}

bool is_real(DType type) { return type == DType::f32 || type == DType::f64 || type == DType::f16; }

}  // namespace

std::int32_t TfliteEdits::shown(int value) {
  const auto other = instead_.find(value);
  return other == instead_.end() ? plan_.tensor_of(value) : other->second;
}

Result<void> TfliteEdits::make(const std::vector<Edit>& edits) {
  if (auto ok = make_each(edits, network_, [this](const auto& edit) { return make_one(edit); }); !ok) return ok;
  return edits.empty() ? Result<void>() : settle_pads(plan_);
}

/// As the tensor whose place it takes stores its numbers; -1: it takes no tensor's place.
Result<std::int32_t> TfliteEdits::constant_like(const Tensor& tensor, std::int32_t like) {
  if (like < 0 || tensor.dtype() == DType::undefined) return plan_.add_constant(tensor);
  const DType type = dtype_of_tflite(plan_.type_of(like));
  const auto& scales = plan_.tensor(like).quantization;
  const bool is_quantized = !is_real(type) && is_real(tensor.dtype()) && scales && !scales->scale.empty();
  const auto made = is_quantized ? quantized(tensor, *scales, type) : cast(tensor, type);
  if (!made) return tl::unexpected(made.error());
  return plan_.add_constant(*made, scales, like);
}

Result<void> TfliteEdits::make_one(const SetConstant& edit) {
  if (edit.layer < 0) return replace_constant(edit);
  if (plan_.is_fused(edit.layer)) plan_.part(edit.layer);
  PlannedOperator& node = plan_.operators[plan_.place_of(edit.layer)];
  const bool is_there = edit.at < node.inputs.size() && node.inputs[edit.at] >= 0;
  const auto made = constant_like(edit.tensor, is_there ? node.inputs[edit.at] : -1);
  if (!made) return tl::unexpected(made.error());
  if (node.inputs.size() <= edit.at) node.inputs.resize(edit.at + 1, -1);
  node.inputs[edit.at] = *made;
  return {};
}

Result<void> TfliteEdits::replace_constant(const SetConstant& edit) {
  const std::int32_t was = shown(edit.value);
  const auto made = constant_like(edit.tensor, was);
  if (!made) return tl::unexpected(made.error());
  give_to(was, *made, {});
  instead_[edit.value] = *made;
  return {};
}

/// Layers that use a tensor take another one in its place; without layers all operators do.
void TfliteEdits::give_to(std::int32_t taken, std::int32_t made, const std::vector<int>& users) {
  if (users.empty())
    for (PlannedOperator& node : plan_.operators) std::ranges::replace(node.inputs, taken, made);
  for (const int user : users) std::ranges::replace(plan_.operators[plan_.place_of(user)].inputs, taken, made);
}

Result<void> TfliteEdits::make_one(const SetHyper& edit) {
  const NetworkLayer& layer = network_.layers[as_index(edit.layer)];
  if (layer.type == "Clip") {
    SetType limits{edit.layer, layer.type, layer.hyper};
    limits.hyper[edit.name] = edit.hyper;
    return make_one(limits);
  }
  if (plan_.is_fused(edit.layer))
    return fail(ErrorKind::unsupported, fmt::format("{} has no {}", layer.native_type, printable(edit.name)));
  return set_tflite_hyper(plan_, plan_.operators[plan_.place_of(edit.layer)], edit.name, edit.hyper);
}

/// Other operators in the place of the one that computes a layer.
Result<void> TfliteEdits::replace(int layer, const TfliteLayer& wanted) {
  auto made = operators_of_layer(plan_, wanted);
  if (!made) return tl::unexpected(made.error());
  const std::size_t at = plan_.place_of(layer);
  const PlannedOperator was = plan_.operators[at];
  for (PlannedOperator& node : *made) {
    node.layers = was.layers;
    node.is_anew = true;
  }
  const auto place = plan_.operators.begin() + static_cast<std::ptrdiff_t>(at);
  *place = std::move(made->front());
  plan_.operators.insert(place + 1, made->begin() + 1, made->end());
  return {};
}

Result<void> TfliteEdits::make_one(const SetType& edit) {
  if (plan_.is_fused(edit.layer)) {
    const std::string_view word = fused_word_of(edit.type, edit.hyper);
    if (!word.empty() && set_fused(plan_.operators[plan_.place_of(edit.layer)], word)) return {};
  }
  plan_.part(edit.layer);
  const PlannedOperator& node = plan_.operators[plan_.place_of(edit.layer)];
  if (node.outputs.size() != 1)
    return fail(ErrorKind::unsupported, TflitePlan::name_of(node) + " gives several values");
  TfliteLayer wanted{edit.type, edit.hyper, {}, node.outputs[0]};
  const std::string name = TflitePlan::name_of(node);
  for (std::size_t at = 0; at < node.inputs.size(); ++at) {
    const InputRule* rule = tflite_input_rule(name, at);
    if (rule == nullptr || !rule->is_hyper) wanted.inputs.push_back(node.inputs[at]);
  }
  return replace(edit.layer, wanted);
}

Result<void> TfliteEdits::make_one(const Bypass& edit) {
  if (plan_.is_fused(edit.layer) && set_fused(plan_.operators[plan_.place_of(edit.layer)], "NONE")) return {};
  plan_.part(edit.layer);
  const PlannedOperator& node = plan_.operators[plan_.place_of(edit.layer)];
  if (node.inputs.empty() || node.inputs[0] < 0 || node.outputs.empty() || node.outputs[0] < 0)
    return fail(ErrorKind::unsupported, "it takes nothing, or gives nothing");
  const auto users = users_of(network_);
  const auto& outputs = network_.layers[as_index(edit.layer)].outputs;
  for (std::size_t i = 1; i < outputs.size(); ++i)
    if (outputs[i] >= 0 && !users[as_index(outputs[i])].empty())
      return fail(ErrorKind::unsupported, fmt::format("its output {} is used", i));
  const std::int32_t input = node.inputs[0];
  std::int32_t output = node.outputs[0];
  const bool fits = plan_.type_of(input) == plan_.type_of(output) && !plan_.tensor(input).quantization &&
                    !plan_.tensor(output).quantization;
  if (!fits) {  // what it gives is stored otherwise: its users get a new tensor
    const std::int32_t given = plan_.add_like(input);
    give_to(output, given, {});
    instead_[outputs[0]] = given;
    output = given;
  }
  return replace(edit.layer, {"Identity", {}, {input}, output});
}

Result<void> TfliteEdits::make_one(const InsertBehind& edit) {
  const std::int32_t taken = shown(edit.value), made = plan_.add_like(taken);
  TfliteLayer wanted{edit.layer.type, edit.layer.hyper, {taken}, made};
  if (edit.with >= 0)
    wanted.inputs.insert(edit.is_with_first ? wanted.inputs.begin() : wanted.inputs.end(), shown(edit.with));
  for (const Tensor& tensor : edit.constants) {
    const auto constant = plan_.add_constant(tensor);
    if (!constant) return tl::unexpected(constant.error());
    wanted.inputs.push_back(*constant);
  }
  while (wanted.inputs.back() < 0) wanted.inputs.pop_back();
  auto nodes = operators_of_layer(plan_, wanted);
  if (!nodes) return tl::unexpected(nodes.error());
  for (const int user : edit.users)
    if (plan_.is_fused(user)) plan_.part(user);
  give_to(taken, made, edit.users);
  if (edit.with >= 0)
    if (const auto before = Ways(network_).users_before(edit.value, edit.with); !before.empty())
      give_to(made, taken, before);
  if (edit.users.empty()) instead_[edit.value] = made;
  for (PlannedOperator& node : *nodes) plan_.operators.push_back(std::move(node));
  return {};
}

Result<void> TfliteEdits::make_one(const SetInput& edit) {
  const std::int32_t tensor = shown(edit.value);
  if (plan_.is_fused(edit.layer)) plan_.part(edit.layer);
  PlannedOperator& node = plan_.operators[plan_.place_of(edit.layer)];
  if (node.inputs.size() <= edit.at) node.inputs.resize(edit.at + 1, -1);
  node.inputs[edit.at] = tensor;
  return {};
}

Result<void> TfliteEdits::make_one(const SetOutput& /*edit*/) {
  return fail(ErrorKind::unsupported, "outputs of a TFLite file are not exchanged");
}

}  // namespace culprit
