#pragma once
// What fields the tables of a TFLite file have, as data: read once from the text in schema_tables.cc. FlatBuffers' own
// format (https://flatbuffers.dev/internals) says nothing of types, so this tells which bytes are offsets. Private to
// this room.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

enum class FlatKind : std::uint8_t { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, string, table, one_of };

struct FlatField {
  std::string_view name;
  FlatKind kind = FlatKind::i32;
  bool is_vector = false;
  std::size_t of = 0;  ///< kind table: number of that table; one_of: of the union, whose selector is the field before
  std::optional<std::size_t> words;  ///< of an enum: which
  double preset = 0;                 ///< a scalar that is not in the file has this value

  [[nodiscard]] bool is_offset() const { return is_vector || kind >= FlatKind::string; }
  [[nodiscard]] std::size_t width() const;  ///< bytes of the field inside its table
};

struct FlatTable {
  std::string_view name;
  std::vector<FlatField> fields;  ///< a field's number is its place
};

struct FlatWords {
  std::string_view name;
  FlatKind kind = FlatKind::i8;         ///< of enums
  std::vector<std::string_view> words;  ///< of the numbers 0, 1, ...
  std::vector<std::size_t> tables;      ///< of unions: the table of each word; that of word 0, NONE, means nothing
};

struct FlatSchema {
  std::vector<FlatTable> tables;
  std::vector<FlatWords> unions;
  std::vector<FlatWords> enums;

  /// Finds the table of a name that is in it, else an exception: names come from our own code.
  [[nodiscard]] std::size_t table(std::string_view name) const;
  [[nodiscard]] std::size_t field(std::size_t table, std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> find_table(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> find_field(std::size_t table, std::string_view name) const;
};

const FlatSchema& tflite_schema();
std::size_t flat_width(FlatKind kind);  ///< bytes of one element of a vector

extern const std::string_view tflite_tables_text;  // all of them schema_tables.cc
extern const std::string_view tflite_options_text;
extern const std::string_view tflite_unions_text;
extern const std::string_view tflite_enums_text;

}  // namespace culprit
