#include <algorithm>
#include <limits>

#include "network/tflite/edit_work.h"

namespace culprit {
namespace {

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

/// An integer in the width of a field; "" where it does not fit.
std::string raw_integer(FlatKind kind, std::int64_t value) {
  const auto within = [value](auto limits) {
    return value >= limits.min() && value <= static_cast<std::int64_t>(limits.max());
  };
  switch (kind) {
    case FlatKind::i8:
      return within(std::numeric_limits<std::int8_t>()) ? raw(static_cast<std::int8_t>(value)) : "";
    case FlatKind::u8:
    case FlatKind::boolean:
      return within(std::numeric_limits<std::uint8_t>()) ? raw(static_cast<std::uint8_t>(value)) : "";
    case FlatKind::i32:
      return within(std::numeric_limits<std::int32_t>()) ? raw(static_cast<std::int32_t>(value)) : "";
    case FlatKind::u32:
      return within(std::numeric_limits<std::uint32_t>()) ? raw(static_cast<std::uint32_t>(value)) : "";
    case FlatKind::i64:
      return raw(value);
    default:
      return "";
  }
}

/// A value as the bytes of a field, or of the elements of its vector; nullopt where it is of another type or too large.
std::optional<std::string> stored(const FlatField& field, const TfliteValue& value) {
  std::string bytes;
  if (field.kind == FlatKind::string) {
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? std::nullopt : std::optional(*text);
  }
  if (field.is_vector) {
    if (const auto* reals = std::get_if<std::vector<double>>(&value); reals != nullptr && field.kind == FlatKind::f32) {
      for (const auto real : *reals) bytes += raw(static_cast<float>(real));
      return bytes;
    }
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
    if (integers == nullptr || field.kind == FlatKind::f32) return std::nullopt;
    for (const auto integer : *integers) {
      const auto one = raw_integer(field.kind, integer);
      if (one.empty()) return std::nullopt;
      bytes += one;
    }
    return bytes;
  }
  if (const auto* flag = std::get_if<bool>(&value); flag != nullptr && field.kind == FlatKind::boolean)
    bytes = raw(*flag);
  if (const auto* real = std::get_if<double>(&value); real != nullptr && field.kind == FlatKind::f32) {
    bytes = raw(static_cast<float>(*real));
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value); integer != nullptr && field.kind != FlatKind::boolean) {
    bytes = raw_integer(field.kind, *integer);
  }
  return bytes.empty() ? std::nullopt : std::optional(bytes);
}

bool is_preset(const FlatField& field, const TfliteValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag == (field.preset != 0);
  if (const auto* real = std::get_if<double>(&value))
    return static_cast<float>(*real) == static_cast<float>(field.preset);
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr && static_cast<double>(*integer) == field.preset;
}

/// One option: which of an operator's two unions it belongs to, the number of its table there, the table and the field.
struct OptionPlace {
  std::string unions;
  std::uint8_t chosen = 0;
  std::size_t table = 0;
  std::size_t field = 0;
};

std::vector<OptionPlace> places_of(std::string_view table, std::string_view option) {
  std::vector<OptionPlace> found;
  const auto& schema = tflite_schema();
  const auto node = schema.table("Operator");
  for (const std::string_view name : {"builtin_options", "builtin_options_2"}) {
    const auto& words = schema.unions[schema.tables[node].fields[schema.field(node, name)].of];
    for (std::size_t chosen = 1; chosen < words.words.size(); ++chosen) {
      if (words.words[chosen] != table) continue;
      const auto& fields = schema.tables[words.tables[chosen]].fields;
      const auto field = std::ranges::find(fields, option, &FlatField::name);
      if (field == fields.end()) continue;
      found.push_back({std::string(name), static_cast<std::uint8_t>(chosen), words.tables[chosen],
                       static_cast<std::size_t>(field - fields.begin())});
    }
  }
  return found;
}

}  // namespace

Result<void> TfliteEdit::Work::set_option(TableSlot node, std::string_view option, const TfliteValue& value) {
  auto code = element(model(), "operator_codes", number<std::uint32_t>(node, "opcode_index"));
  if (!code) return tl::unexpected(code.error());
  const auto builtin = std::max(std::int32_t{number<std::int8_t>(*code, "deprecated_builtin_code")},
                                number<std::int32_t>(*code, "builtin_code"));
  const auto name = tflite_operator_name(builtin);
  const auto* kind = tflite_operator(builtin);
  const auto places = places_of(kind == nullptr ? "" : kind->options_table, option);
  if (places.empty()) {
    return fail(ErrorKind::usage, name + " has no option '" + std::string(option) + "'",
                "tflite_option_fields lists them");
  }
  const auto& place = places.front();
  const auto& known = tflite_schema().tables[place.table].fields[place.field];
  const auto bytes = stored(known, value);
  if (!bytes) {
    return fail(ErrorKind::usage,
                "the value for '" + std::string(option) + "' of " + name + " is of another type or too large",
                "tflite_option_fields tells the type by the preset");
  }
  const auto selector = number<std::uint8_t>(node, place.unions + "_type");
  if (selector != 0 && selector != place.chosen) {
    return fail(ErrorKind::unsupported, name + " stores the options of another operator",
                "remove it and insert one with its own options");
  }
  if (auto done = set_number(node, place.unions + "_type", place.chosen); !done) return done;
  auto inside = child(node, place.unions, place.table, {});
  if (!inside) return tl::unexpected(inside.error());
  if (!known.is_offset()) {
    return flat.set_scalar(inside->slot, place.table, place.field, *bytes, is_preset(known, value));
  }
  const bool is_stored = flat.file().field(flat.file().target(inside->slot), place.field) != 0;
  if (bytes->empty() && !is_stored) return {};  // nothing is what it has
  const auto width = known.kind == FlatKind::string ? 1 : flat_width(known.kind);
  return flat.set_vector(inside->slot, place.table, place.field, *bytes, width, width);
}

}  // namespace culprit
