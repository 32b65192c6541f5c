#include "network/tflite/flat_schema.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace culprit {
namespace {

constexpr std::array<std::pair<std::string_view, FlatKind>, 12> kinds{{{"bool", FlatKind::boolean},
                                                                       {"i8", FlatKind::i8},
                                                                       {"u8", FlatKind::u8},
                                                                       {"i16", FlatKind::i16},
                                                                       {"u16", FlatKind::u16},
                                                                       {"i32", FlatKind::i32},
                                                                       {"u32", FlatKind::u32},
                                                                       {"i64", FlatKind::i64},
                                                                       {"u64", FlatKind::u64},
                                                                       {"f32", FlatKind::f32},
                                                                       {"f64", FlatKind::f64},
                                                                       {"string", FlatKind::string}}};

using Words = std::vector<std::string_view>;

/// The words of each entry; a line that begins with a blank goes on with the entry before.
std::vector<Words> entries_of(std::string_view text) {
  std::vector<Words> entries;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) continue;
    if (line[0] != ' ') entries.emplace_back();
    for (std::size_t at = 0; at < line.size();) {
      const auto end = std::min(line.find(' ', at), line.size());
      if (end > at) entries.back().push_back(line.substr(at, end - at));
      at = end + 1;
    }
  }
  return entries;
}

template <class Things>
std::optional<std::size_t> find_named(const Things& things, std::string_view name) {
  const auto found = std::ranges::find_if(things, [name](const auto& thing) { return thing.name == name; });
  if (found == things.end()) return std::nullopt;
  return static_cast<std::size_t>(found - things.begin());
}

std::size_t named(std::optional<std::size_t> found, std::string_view name) {
  if (!found) throw std::logic_error("TFLite's schema has no " + std::string(name));
  return *found;
}

FlatWords words_of(const Words& entry) {
  const auto colon = entry[0].find(':');
  FlatWords made{entry[0].substr(0, colon), FlatKind::i8, {entry.begin() + 1, entry.end()}, {}};
  if (colon == std::string_view::npos) return made;
  const auto kind = std::ranges::find(kinds, entry[0].substr(colon + 1), &decltype(kinds)::value_type::first);
  if (kind != kinds.end()) made.kind = kind->second;
  return made;
}

FlatField field_of(const FlatSchema& schema, std::string_view text) {
  FlatField field;
  const auto colon = text.find(':');
  const auto equals = text.find('=');
  field.name = text.substr(0, colon);
  if (equals != std::string_view::npos) field.preset = std::stod(std::string(text.substr(equals + 1)));
  auto type = text.substr(colon + 1, equals == std::string_view::npos ? equals : equals - colon - 1);
  field.is_vector = type[0] == '[';
  const bool is_union = type[0] == '<';
  if (field.is_vector || is_union) type = type.substr(1, type.size() - 2);
  if (is_union) {
    field.kind = FlatKind::one_of;
    field.of = named(find_named(schema.unions, type), type);
    return field;
  }
  if (const auto* kind = std::ranges::find(kinds, type, &decltype(kinds)::value_type::first); kind != kinds.end()) {
    field.kind = kind->second;
  } else if (field.words = find_named(schema.enums, type); field.words) {
    field.kind = schema.enums[*field.words].kind;
  } else {
    field.kind = FlatKind::table;
    field.of = named(find_named(schema.tables, type), type);
  }
  return field;
}

FlatSchema parsed_schema() {
  FlatSchema schema;
  auto entries = entries_of(tflite_tables_text);
  for (auto& entry : entries_of(tflite_options_text)) entries.push_back(std::move(entry));
  for (const auto& entry : entries) schema.tables.push_back({entry[0], {}});
  for (const auto& entry : entries_of(tflite_enums_text)) schema.enums.push_back(words_of(entry));
  for (const auto& entry : entries_of(tflite_unions_text)) {
    auto made = words_of(entry);
    for (const auto word : made.words) made.tables.push_back(find_named(schema.tables, word).value_or(0));
    schema.unions.push_back(std::move(made));
  }
  for (std::size_t at = 0; at < entries.size(); ++at) {
    for (std::size_t f = 1; f < entries[at].size(); ++f) {
      schema.tables[at].fields.push_back(field_of(schema, entries[at][f]));
    }
  }
  return schema;
}

}  // namespace

std::size_t flat_width(FlatKind kind) {
  switch (kind) {
    case FlatKind::boolean:
    case FlatKind::i8:
    case FlatKind::u8:
      return 1;
    case FlatKind::i16:
    case FlatKind::u16:
      return 2;
    case FlatKind::i64:
    case FlatKind::u64:
    case FlatKind::f64:
      return 8;
    default:
      return 4;
  }
}

std::size_t FlatField::width() const { return is_offset() ? 4 : flat_width(kind); }

std::optional<std::size_t> FlatSchema::find_table(std::string_view name) const { return find_named(tables, name); }
std::optional<std::size_t> FlatSchema::find_field(std::size_t in, std::string_view name) const {
  return find_named(tables.at(in).fields, name);
}
std::size_t FlatSchema::table(std::string_view name) const { return named(find_table(name), name); }
std::size_t FlatSchema::field(std::size_t in, std::string_view name) const { return named(find_field(in, name), name); }

const FlatSchema& tflite_schema() {
  static const FlatSchema schema = parsed_schema();
  return schema;
}

}  // namespace culprit
