#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/text.h"
#include "conversion/sides/hyper_numbers.h"
#include "conversion/sides/tflite_layers.h"
#include "network/tflite/tflite_roles.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

/// TFLite has one option for the height and one for the width.
struct PairOfOptions {
  std::string_view hyper, height, width;
};
constexpr std::array option_pairs{PairOfOptions{"strides", "stride_h", "stride_w"},
                                  PairOfOptions{"dilations", "dilation_h_factor", "dilation_w_factor"},
                                  PairOfOptions{"kernel_shape", "filter_height", "filter_width"}};

constexpr std::int64_t same_padding = 0, valid_padding = 1;

class TfliteHyper {
 public:
  TfliteHyper(TflitePlan& plan, PlannedOperator& node, const std::string& name, const Hyper& hyper)
      : plan_(plan), node_(node), name_(name), hyper_(hyper), type_(onnx_type_of(TflitePlan::name_of(node))) {}

  Result<void> set() {
    if (name_ == "auto_pad" && slides()) return set_auto_pad();
    if (name_ == "pads" && slides()) return set_pads();
    if (name_ == "pads" && type_ == "Pad") return set_pads_of_pad();
    if (name_ == "value" && type_ == "Pad") return set_value_of_pad();
    if (name_ == "mode" && type_ == "Pad") return set_mode_of_pad();
    if (name_ == "count_include_pad" && slides()) return count_pads();
    if (const auto set = set_pair()) return *set;
    if (const auto fixed = what_is_fixed())
      return same_as(*fixed) ? Result<void>() : refused(fmt::format("TFLite knows {} alone", to_string(*fixed)));
    if (type_ == "LRN" || type_ == "Clip") return refused("");
    if (const auto set = set_input()) return *set;
    if (const auto set = set_option()) return *set;
    return refused("");
  }

 private:
  [[nodiscard]] Result<void> refused(const std::string& why) const {
    return fail(ErrorKind::unsupported,
                fmt::format("{} of {} cannot be {} in TFLite{}", printable(name_), TflitePlan::name_of(node_),
                            to_string(hyper_), why.empty() ? "" : ": " + why));
  }
  [[nodiscard]] bool slides() const {
    return TflitePlan::has_option(node_, "padding") && TflitePlan::has_option(node_, "stride_h") &&
           type_ != "ConvTranspose";
  }
  [[nodiscard]] std::int64_t rank() const { return std::ssize(plan_.shape_of(node_.inputs.at(0))); }

  Result<void> set_auto_pad() {
    if (hyper_ == Hyper(std::string("SAME_UPPER")))
      node_.options.emplace_back("padding", same_padding);
    else if (hyper_ == Hyper(std::string("VALID")))
      node_.options.emplace_back("padding", valid_padding);
    else if (hyper_ != Hyper(std::string("NOTSET")) && hyper_ != Hyper(std::string()))
      return refused("");
    else
      return {};  // pads follow
    node_.pads.reset();
    return {};
  }

  Result<void> set_pads() {
    auto pads = wholes_of(hyper_);
    if (pads.size() == 2) pads = {0, pads[0], 0, pads[1]};
    if (pads.size() != 4 || std::ranges::any_of(pads, [](std::int64_t pad) { return pad < 0; })) return refused("");
    const bool are_counted = node_.pads && node_.pads->are_counted;
    node_.pads = ExplicitPads{std::move(pads), are_counted};
    return {};
  }

  Result<void> count_pads() {
    const bool are_counted = wholes_of(hyper_) == std::vector<std::int64_t>{1};
    if (node_.pads) node_.pads->are_counted = are_counted;
    return node_.pads || !are_counted ? Result<void>() : refused("SAME counts no zeros");
  }

  Result<void> set_pads_of_pad() {
    const auto pads = wholes_of(hyper_);
    std::vector<std::int32_t> side_by_side;
    for (std::size_t axis = 0; 2 * axis < pads.size(); ++axis)
      for (const std::int64_t pad : {pads[axis], pads[pads.size() / 2 + axis]})
        side_by_side.push_back(static_cast<std::int32_t>(pad));
    if (std::ranges::any_of(side_by_side, [](std::int32_t pad) { return pad < 0; })) return refused("");
    return give(1, Tensor::of(Shape{std::ssize(side_by_side) / 2, 2}, side_by_side));
  }

  Result<void> set_value_of_pad() {
    const auto value = numbers_of(hyper_);
    if (value.size() != 1) return refused("");
    if (TflitePlan::name_of(node_) == "PAD") {
      if (value.front() == 0) return {};
      node_.code = tflite_operator("PADV2")->code;
      node_.is_anew = node_.native >= 0;
    }
    const auto constant = cast(Tensor::of<double>({}, value), dtype_of_tflite(plan_.type_of(node_.inputs.at(0))));
    return constant ? give(2, *constant) : Result<void>(tl::unexpected(constant.error()));
  }

  Result<void> set_mode_of_pad() {
    const bool is_mirrored = TflitePlan::name_of(node_) == "MIRROR_PAD";
    if (hyper_ == Hyper(std::string("constant")) && !is_mirrored) return {};
    if (hyper_ != Hyper(std::string("reflect")) || !is_mirrored) return refused("");
    node_.options.emplace_back("mode", std::int64_t{0});
    return {};
  }

  std::optional<Result<void>> set_pair() {
    const auto* const pair = std::ranges::find(option_pairs, name_, &PairOfOptions::hyper);
    if (pair == option_pairs.end() || !TflitePlan::has_option(node_, pair->height)) return std::nullopt;
    auto sizes = wholes_of(hyper_);
    if (sizes.size() == 1) sizes.insert(sizes.begin(), 1);  // of what has a length alone
    if (sizes.size() != 2) return refused("");
    node_.options.emplace_back(pair->height, sizes[0]);
    node_.options.emplace_back(pair->width, sizes[1]);
    return Result<void>();
  }

  /// What the operator cannot have otherwise.
  [[nodiscard]] std::optional<Hyper> what_is_fixed() const {
    if (name_ == "axis" && (type_ == "Softmax" || type_ == "LogSoftmax" || type_ == "LpNormalization"))
      return Hyper(rank() - 1);
    if (name_ == "p" && type_ == "LpNormalization") return Hyper(std::int64_t{2});
    if (name_ == "alpha" && type_ == "Elu") return Hyper(1.0);
    if (name_ == "dilations" || name_ == "ceil_mode" || name_ == "select_last_index")
      return Hyper(std::int64_t{name_ == "dilations" ? 1 : 0});
    if (name_ == "keepdims" && type_.starts_with("Arg")) return Hyper(std::int64_t{0});
    return std::nullopt;
  }

  [[nodiscard]] bool same_as(const Hyper& fixed) const {
    auto numbers = numbers_of(hyper_);
    if (name_ == "axis" && !numbers.empty() && numbers[0] < 0) numbers[0] += static_cast<double>(rank());
    return !numbers.empty() &&
           std::ranges::all_of(numbers, [&](double number) { return number == numbers_of(fixed).front(); });
  }

  /// A constant takes the place of another among the inputs.
  Result<void> give(std::size_t at, const Tensor& tensor) {
    const auto constant = plan_.add_constant(tensor);
    if (!constant) return tl::unexpected(constant.error());
    if (node_.inputs.size() <= at) node_.inputs.resize(at + 1, -1);
    node_.inputs[at] = *constant;
    return {};
  }

  std::optional<Result<void>> set_input() {
    constexpr std::size_t most_inputs = 6;
    for (std::size_t at = 0; at < most_inputs; ++at) {
      const InputRule* rule = tflite_input_rule(TflitePlan::name_of(node_), at);
      if (rule == nullptr || !rule->is_hyper || rule->role != name_) continue;
      const auto numbers = numbers_of(hyper_);
      if (numbers.empty()) return refused("");
      if (TflitePlan::name_of(node_) == "EXPAND_DIMS" && numbers.size() != 1) return refused("one axis at a time");
      const bool is_there = at < node_.inputs.size() && node_.inputs[at] >= 0;
      const DType type = is_there ? dtype_of_tflite(plan_.type_of(node_.inputs[at])) : DType::i32;
      const auto made = cast(Tensor::of<double>(is_list(hyper_) ? Shape{std::ssize(numbers)} : Shape{}, numbers), type);
      return made ? give(at, *made) : Result<void>(tl::unexpected(made.error()));
    }
    return std::nullopt;
  }

  std::optional<Result<void>> set_option() {
    const auto* kind = tflite_operator(node_.code);
    for (const TfliteOptionField& field : tflite_option_fields(kind == nullptr ? "" : kind->options_table)) {
      if (onnx_hyper_of(field.name) != name_) continue;
      const auto value = value_for(field);
      if (!value) return refused("");
      node_.options.emplace_back(field.name, *value);
      return Result<void>();
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<TfliteValue> value_for(const TfliteOptionField& field) const {
    if (const auto* word = std::get_if<std::string>(&hyper_)) {
      const auto found = std::ranges::find(field.words, *word);
      if (found != field.words.end()) return TfliteValue(std::int64_t{found - field.words.begin()});
      if (name_ == "approximate") return TfliteValue(*word == "tanh");
      return std::nullopt;
    }
    const auto numbers = numbers_of(hyper_);
    if (std::holds_alternative<std::vector<std::int64_t>>(field.preset)) return TfliteValue(wholes_of(hyper_));
    if (numbers.size() != 1) return std::nullopt;
    if (std::holds_alternative<bool>(field.preset)) return TfliteValue(numbers.front() != 0);
    if (std::holds_alternative<double>(field.preset)) return TfliteValue(numbers.front());
    if (std::holds_alternative<std::int64_t>(field.preset)) return TfliteValue(wholes_of(hyper_).front());
    return std::nullopt;
  }

  TflitePlan& plan_;
  PlannedOperator& node_;
  const std::string& name_;
  const Hyper& hyper_;
  std::string_view type_;
};

}  // namespace

Result<void> set_tflite_hyper(TflitePlan& plan, PlannedOperator& node, const std::string& name, const Hyper& hyper) {
  return TfliteHyper(plan, node, name, hyper).set();
}

}  // namespace culprit
