#pragma once
// TFLite's builtin operators as data: their numbers, names and options. Numbers are those of BuiltinOperator in
// TFLite's schema; what an option means says the operator of that name in the framework. Newer numbers than these have
// no name.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace culprit {

/// bool for flags; int64 for integers and words; double for float32; text; lists of integers and of floats.
using TfliteValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct TfliteOptionField {
  std::uint16_t number = 0;                 ///< of the field in its table
  std::string_view name;                    ///< "stride_w"
  TfliteValue preset;                       ///< the value where the file does not say; {} of lists
  std::span<const std::string_view> words;  ///< of the numbers 0, 1, ... where it is one of some words: SAME, VALID
};

struct TfliteOperatorKind {
  std::int32_t code = 0;
  std::string_view name;           ///< "CONV_2D"
  std::string_view options_table;  ///< "Conv2DOptions"; "" where it has none
};

constexpr std::int32_t tflite_custom_code = 32;  ///< CUSTOM: which one says a name of its own

/// All of them, by code: 0 is ADD.
std::span<const TfliteOperatorKind> tflite_operators();
/// nullptr for codes that this version does not know.
const TfliteOperatorKind* tflite_operator(std::int32_t code);
const TfliteOperatorKind* tflite_operator(std::string_view name);
/// "CONV_2D", or "operator 4711".
std::string tflite_operator_name(std::int32_t code);
/// The fields of a table of options, by number; empty for tables that are not known.
std::vector<TfliteOptionField> tflite_option_fields(std::string_view table);

/// "FLOAT32" is 0; "type 99" for numbers that are not known.
std::string tflite_type_name(std::int8_t type);
/// Bits of one element: 32 of FLOAT32, 4 of INT4; 0 of strings, resources and variants, and of what is not known.
std::size_t tflite_type_bits(std::int8_t type);

}  // namespace culprit
