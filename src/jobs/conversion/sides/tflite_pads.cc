// Pads as ONNX has them, in TFLite's SAME and VALID.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "conversion/sides/tflite_layers.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

using Pads = std::vector<std::int64_t>;

constexpr std::int64_t padding_same = 0, padding_valid = 1;

class PadsOfWindows {
 public:
  PadsOfWindows(TflitePlan& plan, std::size_t at) : plan_(plan), at_(at) {}

  /// Gives an operator to be put in front.
  Result<std::optional<PlannedOperator>> settle() {
    const ExplicitPads wanted = *node().pads;
    node().pads.reset();
    const bool is_none = std::ranges::all_of(wanted.sizes, [](std::int64_t pad) { return pad == 0; });
    const auto same = pads_of_same();
    const bool is_same = !is_none && !wanted.are_counted && same == wanted.sizes;
    node().options.emplace_back("padding", is_same ? padding_same : padding_valid);
    if (is_none || is_same) return std::nullopt;
    return pad_in_front(wanted);
  }

 private:
  [[nodiscard]] PlannedOperator& node() { return plan_.operators[at_]; }
  [[nodiscard]] std::int64_t number(const char* option) {
    const TfliteValue value = plan_.option(node(), option);
    const auto* found = std::get_if<std::int64_t>(&value);
    return found == nullptr ? 1 : *found;
  }

  /// The pads that SAME means; none where sizes are not known.
  Pads pads_of_same() {
    const auto input = plan_.shape_of(node().inputs.at(0));
    if (input.size() != 4) return {};
    const bool is_pool = TflitePlan::has_option(node(), "filter_height");
    const auto kernel = is_pool ? std::vector<std::int32_t>() : plan_.shape_of(node().inputs.at(1));
    if (!is_pool && kernel.size() != 4) return {};
    Pads pads(4);
    for (const std::size_t axis : {0U, 1U}) {
      const std::int64_t in = input[axis + 1];
      const std::int64_t stride = std::max<std::int64_t>(1, number(axis == 0 ? "stride_h" : "stride_w"));
      const std::int64_t size = is_pool ? number(axis == 0 ? "filter_height" : "filter_width") : kernel[axis + 1];
      const std::int64_t dilation = is_pool ? 1 : number(axis == 0 ? "dilation_h_factor" : "dilation_w_factor");
      if (in <= 0) return {};
      const std::int64_t reach = (size - 1) * dilation + 1;
      const std::int64_t all = std::max<std::int64_t>(((in + stride - 1) / stride - 1) * stride + reach - in, 0);
      pads[axis] = all / 2;
      pads[axis + 2] = all - all / 2;
    }
    return pads;
  }

  Result<std::optional<PlannedOperator>> pad_in_front(const ExplicitPads& wanted) {
    const std::string name = TflitePlan::name_of(node());
    if (name == "AVERAGE_POOL_2D" && !wanted.are_counted)
      return fail(ErrorKind::unsupported, "an average in TFLite leaves out the pads of SAME, and no others");
    const std::int32_t input = node().inputs.at(0), padded = plan_.add_like(input);
    const auto size = [&](std::size_t at) { return static_cast<std::int32_t>(wanted.sizes[at]); };
    const auto pads =
        plan_.add_constant(Tensor::of<std::int32_t>({4, 2}, {0, 0, size(0), size(2), size(1), size(3), 0, 0}));
    if (!pads) return tl::unexpected(pads.error());
    PlannedOperator made;
    made.layers = {};
    made.code = tflite_operator("PAD")->code;
    made.inputs = {input, *pads};
    made.outputs = {padded};
    if (name == "MAX_POOL_2D") {
      const auto least = least_of(dtype_of_tflite(plan_.type_of(input)));
      if (!least) return tl::unexpected(least.error());
      const auto value = plan_.add_constant(*least);
      if (!value) return tl::unexpected(value.error());
      made.code = tflite_operator("PADV2")->code;
      made.inputs.push_back(*value);
    }
    node().inputs[0] = padded;
    return made;
  }

  static Result<Tensor> least_of(DType type) {
    if (type == DType::f32) return Tensor::of<float>({}, {std::numeric_limits<float>::lowest()});
    if (type == DType::i8) return Tensor::of<std::int8_t>({}, {std::numeric_limits<std::int8_t>::min()});
    if (type == DType::u8) return Tensor::of<std::uint8_t>({}, {0});
    return fail(ErrorKind::unsupported, fmt::format("a largest value of {} with pads", name_of(type)));
  }

  TflitePlan& plan_;
  std::size_t at_;
};

}  // namespace

Result<void> settle_pads(TflitePlan& plan) {
  for (std::size_t at = 0; at < plan.operators.size(); ++at) {
    if (!plan.operators[at].pads) continue;
    auto front = PadsOfWindows(plan, at).settle();
    if (!front) return tl::unexpected(front.error());
    if (!*front) continue;
    (*front)->layers = {};
    plan.operators.insert(plan.operators.begin() + static_cast<std::ptrdiff_t>(at), std::move(**front));
    ++at;
  }
  return {};
}

}  // namespace culprit
