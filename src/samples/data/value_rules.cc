#include "data/value_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/lower_case.h"
#include "base/text.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"

namespace culprit {
namespace {

using Way = Rule::Way;

constexpr double unbounded = 1e9;

std::string by_op(const std::string& what, const Use& use) {
  return what + (use.op.empty() ? "" : " (" + use.op + ")");
}

std::string with_name(const std::string& what, const std::string& name) {
  return name.empty() ? what : what + " of '" + printable(name, 40) + "'";
}

/// Indices: below every size that one of the uses states.
std::optional<Rule> as_index(const ValueInfo& input, std::span<const Use> uses) {
  Rule rule;
  rule.is_index = true;
  rule.high = unbounded;
  for (const Use& use : uses) {
    if (use.kind != UseKind::index && use.kind != UseKind::scatter_index) continue;
    const bool is_first = rule.reason.empty();
    if (use.kind == UseKind::scatter_index) rule.way = Way::distinct;
    rule.low = std::max(rule.low, static_cast<double>(-use.offset));
    if (use.limit.value || !use.limit.name.empty()) rule.bounds.push_back({use.limit, -1 - use.offset});
    if (is_first) rule.reason = by_op(with_name("rows", use.of), use);
  }
  if (rule.reason.empty()) return std::nullopt;
  if (rule.bounds.empty()) rule.high = 1 + rule.low;  // of data whose size is not known
  if (contains(lower_case(input.name), "position") && rule.way == Way::uniform) {
    rule.way = Way::positions;
    rule.reason = "positions, " + rule.reason;
  }
  return rule;
}

Rule range(Way way, double low, double high, const std::string& reason, const Use& use) {
  Rule rule;
  rule.way = way;
  rule.low = low;
  rule.high = high;
  rule.reason = by_op(reason, use);
  return rule;
}

Rule bounded(Way way, double low, const Use& use, std::int64_t more, const std::string& reason) {
  const bool known = use.limit.value || !use.limit.name.empty();
  Rule rule = range(way, low, known ? unbounded : low, reason, use);
  if (known) rule.bounds.push_back({use.limit, more});
  return rule;
}

Rule by_element(const Use& use, const std::string& reason) {
  Rule rule = range(Way::elements, 0, 0, reason, use);
  rule.use = use;
  return rule;
}

Rule whole_type(DType type, const Use& use) {
  switch (type) {
    case DType::i8:
      return range(Way::uniform, -128, 127, "quantized", use);
    case DType::u8:
      return range(Way::uniform, 0, 255, "quantized", use);
    case DType::i4:
      return range(Way::uniform, -8, 7, "quantized", use);
    case DType::u4:
      return range(Way::uniform, 0, 15, "quantized", use);
    default:
      return range(Way::uniform, -1000, 1000, "quantized", use);
  }
}

struct Span {
  UseKind kind;
  double low, high;
  const char* reason;
};

constexpr std::array spans = {
    Span{UseKind::new_shape, 1, 4, "a small shape"},
    Span{UseKind::repeats, 1, 2, "repeats"},
    Span{UseKind::pads, 0, 2, "small pads"},
    Span{UseKind::steps, 1, 1, "steps of one"},
    Span{UseKind::range_start, 0, 1, "where a range begins"},
    Span{UseKind::range_limit, 3, 7, "where a range ends"},
    Span{UseKind::range_delta, 1, 2, "steps of a range"},
    Span{UseKind::trip_count, 2, 5, "rounds"},
    Span{UseKind::box_count, 3, 20, "boxes at most"},
    Span{UseKind::overlap, 0.3, 0.7, "an overlap"},
    Span{UseKind::score, 0, 0.2, "a low threshold"},
    Span{UseKind::ratio, 0.1, 0.5, "a share"},
    Span{UseKind::going_on, 1, 1, "true"},
    Span{UseKind::training, 0, 0, "false"},
    Span{UseKind::variance, 0.5, 2, "a variance"},
    Span{UseKind::quantized_scale, 0.01, 0.05, "a scale"},
};

struct Meaning {
  UseKind kind;
  const char* reason;
};

constexpr std::array meanings = {
    Meaning{UseKind::reshape_to, "a shape that fits"},
    Meaning{UseKind::expand_to, "a shape to broadcast to"},
    Meaning{UseKind::starts, "where slices begin"},
    Meaning{UseKind::ends, "where slices end"},
    Meaning{UseKind::roi, "how to resize"},
    Meaning{UseKind::scales, "how to resize"},
    Meaning{UseKind::sizes, "how to resize"},
    Meaning{UseKind::split_sizes, "parts of an axis"},
};

/// What decides about lengths, shapes and other numbers that steer; nothing for kinds that are read otherwise.
std::optional<Rule> as_setting(const ValueInfo& input, const Use& use) {
  if (use.kind == UseKind::length) return bounded(Way::uniform, 1, use, 0, with_name("a length", use.of));
  if (use.kind == UseKind::axis) return bounded(Way::distinct, 0, use, -1, "axes");
  if (use.kind == UseKind::quantized) return whole_type(input.dtype, use);
  if (use.kind == UseKind::zero_point)
    return range(Way::uniform, input.dtype == DType::i8 ? -4 : 0, 4, "a zero point", use);
  if (const auto span = std::ranges::find(spans, use.kind, &Span::kind); span != spans.end())
    return range(Way::uniform, span->low, span->high, span->reason, use);
  if (const auto meaning = std::ranges::find(meanings, use.kind, &Meaning::kind); meaning != meanings.end())
    return by_element(use, meaning->reason);
  return std::nullopt;
}

/// Numbers that the model asks for: 16000 and 8000, or the 257 classes of a one-hot table.
std::optional<Rule> as_compared(const ValueInfo& input, std::span<const Use> uses) {
  if (!is_integer(input.dtype)) return std::nullopt;
  const auto many = std::ranges::find(uses, UseKind::compared_to_many, &Use::kind);
  if (many != uses.end()) return range(Way::uniform, many->low, many->high, "what it is compared with", *many);
  const bool is_single = std::ranges::all_of(input.dims, [](const Dim& dim) { return dim.value == 1; });
  if (!is_single || !input.has_shape) return std::nullopt;
  Rule rule;
  rule.way = Way::one_of;
  for (const Use& use : uses) {
    const bool is_new = std::ranges::find(rule.numbers, use.low) == rule.numbers.end();
    if (use.kind == UseKind::compared_to_one && use.offset == 0 && is_new) rule.numbers.push_back(use.low);
  }
  if (rule.numbers.empty()) return std::nullopt;
  std::vector<std::string> shown;
  for (const double number : rule.numbers) shown.push_back(fmt::format("{}", number));
  rule.reason = join(shown, " or ") + ", which it is compared with (Equal)";
  return rule;
}

bool is_mask_type(DType type) { return is_integer(type) || is_float(type) || type == DType::boolean; }

std::optional<Rule> as_mask(const ValueInfo& input, std::span<const Use> uses) {
  if (!is_mask_type(input.dtype) || input.dims.empty()) return std::nullopt;
  const bool is_named = contains(lower_case(input.name), "mask");
  const auto use = std::ranges::find(uses, UseKind::mask, &Use::kind);
  if (!is_named && use == uses.end()) return std::nullopt;
  Rule rule;
  rule.way = Way::mask;
  rule.high = 1;
  rule.reason = use == uses.end() ? "by its name" : by_op("it masks", *use);
  return rule;
}

/// A single truth value: both, and with others in all combinations.
std::optional<Rule> as_flag(const ValueInfo& input) {
  const bool is_single = std::ranges::all_of(input.dims, [](const Dim& dim) { return dim.value == 1; });
  if (input.dtype != DType::boolean || !input.has_shape || !is_single) return std::nullopt;
  Rule rule;
  rule.way = Way::either;
  rule.high = 1;
  rule.reason = "true and false in turn";
  return rule;
}

/// input_lengths: [batch] beside [batch, length].
std::optional<Rule> as_named_length(const ValueInfo& input, std::span<const ValueInfo> inputs) {
  const std::string name = lower_case(input.name);
  const bool is_named = contains(name, "length") || name.ends_with("_len") || name.ends_with("_lens");
  if (!is_named || !is_integer(input.dtype) || input.dims.size() > 1) return std::nullopt;
  Rule rule;
  rule.low = 1;
  rule.high = unbounded;
  rule.reason = "a length, by its name";
  for (const ValueInfo& other : inputs) {
    for (std::size_t axis = 1; axis < other.dims.size() && other.name != input.name; ++axis) {
      const DimKind kind = kind_of(other, axis);
      const bool counts = kind == DimKind::length || kind == DimKind::sound;
      if (is_open(other.dims[axis]) && counts) rule.bounds.push_back({{{}, dim_key(other, axis)}, 0});
    }
  }
  return rule.bounds.empty() ? std::nullopt : std::optional(rule);
}

/// position_ids of a model that reckons with them instead of looking them up.
std::optional<Rule> as_named_position(const ValueInfo& input) {
  const std::string name = lower_case(input.name);
  const bool is_named = contains(name, "position_ids") || contains(name, "cache_position") || contains(name, "pos_ids");
  if (!is_named || !is_integer(input.dtype)) return std::nullopt;
  Rule rule;
  rule.way = Way::positions;
  rule.high = unbounded;
  rule.reason = "positions, by its name";
  return rule;
}

/// Rows of features that trees compare.
std::optional<Rule> as_features(const ValueInfo& input, const std::map<std::string, Thresholds>& thresholds) {
  const auto found = thresholds.find(input.name);
  const bool is_number = is_float(input.dtype) || is_integer(input.dtype);
  if (found == thresholds.end() || !is_number || !input.has_shape || input.dims.empty()) return std::nullopt;
  std::size_t count = 0;
  for (const auto& [column, its] : found->second) count += its.size();
  Rule rule;
  rule.way = Way::around;
  rule.columns = found->second;
  rule.reason = fmt::format("below, at and above {} threshold{} of its trees", count, count == 1 ? "" : "s");
  return rule;
}

std::optional<Rule> rule_for(const ValueInfo& input, std::span<const Use> uses, std::span<const ValueInfo> inputs,
                             const std::map<std::string, Thresholds>& thresholds) {
  if (input.dtype == DType::string) return std::nullopt;
  if (is_integer(input.dtype) || is_float(input.dtype)) {  // floats are cast on the way
    if (auto index = as_index(input, uses)) return index;
  }
  for (const Use& use : uses) {
    if (use.kind == UseKind::condition) return range(Way::either, 0, 1, "true and false in turn", use);
  }
  for (const Use& use : uses) {
    if (auto setting = as_setting(input, use)) return setting;
  }
  if (auto features = as_features(input, thresholds)) return features;
  if (auto mask = as_mask(input, uses)) return mask;
  if (auto compared = as_compared(input, uses)) return compared;
  if (auto flag = as_flag(input)) return flag;
  if (auto positions = as_named_position(input)) return positions;
  return as_named_length(input, inputs);
}

}  // namespace

Rules rules_for(const std::vector<ValueInfo>& inputs, const std::map<std::string, std::vector<Use>>& uses,
                const std::map<std::string, Thresholds>& thresholds) {
  Rules rules;
  std::size_t conditions = 0, tables = 0;
  for (const ValueInfo& input : inputs) {
    if (input.kind != ValueInfo::Kind::tensor) continue;
    const auto found = uses.find(input.name);
    const std::span<const Use> its = found == uses.end() ? std::span<const Use>() : found->second;
    auto rule = rule_for(input, its, inputs, thresholds);
    if (!rule) continue;
    if (rule->way == Way::either) rule->turn = conditions++;
    if (rule->way == Way::around) rule->turn = tables++;
    rules.emplace(input.name, std::move(*rule));
  }
  return rules;
}

double highest(const Rule& rule, const Sizes& sizes) {
  double high = rule.high;
  for (const Rule::Bound& bound : rule.bounds) {
    const auto size = bound.size.value ? bound.size.value : evaluate(bound.size.name, sizes);
    if (size) high = std::min(high, static_cast<double>(*size + bound.more));
  }
  return high == unbounded ? std::max(rule.low, 1.0) : std::max(rule.low, high);
}

std::string describe(const Rule& rule, const Sizes& sizes) {
  switch (rule.way) {
    case Way::uniform:
    case Way::distinct:
      return fmt::format("{}..{}, {}", rule.low, highest(rule, sizes), rule.reason);
    case Way::positions:
      return rule.bounds.empty() ? rule.reason : fmt::format("up to {}, {}", highest(rule, sizes), rule.reason);
    case Way::mask:
      return "ones, then a shorter prefix; " + rule.reason;
    case Way::either:
    case Way::one_of:
    case Way::around:
    case Way::elements:
      break;
  }
  return rule.reason;
}

}  // namespace culprit
