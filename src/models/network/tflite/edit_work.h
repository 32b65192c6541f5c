#pragma once
// Finding the tables of a TFLite file that a change is meant for, each its own by the time it is reached. Private to
// this room.

#include <string>
#include <string_view>

#include "network/tflite/flat_edit.h"
#include "network/tflite/tflite_edit.h"

namespace culprit {

/// The bytes of numbers.
template <class T>
std::string_view bytes_of_numbers(std::span<const T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

/// A place where an offset stands that leads to a table of this kind; the offset may change, the place does not while
/// nothing grows.
struct TableSlot {
  std::size_t slot = 0;
  std::size_t table = 0;
};

class TfliteEdit::Work {
 public:
  Work(FlatEdit edit, std::string name) : flat(std::move(edit)), where(std::move(name)) {}

  [[nodiscard]] static std::size_t field_of(std::size_t table, std::string_view field) {
    return tflite_schema().field(table, field);
  }
  [[nodiscard]] TableSlot model() const { return {0, tflite_schema().table("Model")}; }
  /// An element of a vector of tables; both become the own ones of that table.
  Result<TableSlot> element(TableSlot of, std::string_view field, std::size_t number);
  Result<TableSlot> tensor(TflitePlace at);
  Result<TableSlot> node(TflitePlace at);
  Result<void> rename(TflitePlace tensor, const std::string& name);
  Result<TableSlot> subgraph(std::size_t number) { return element(model(), "subgraphs", number); }
  /// One more element with room for these fields, before element `before`; all elements move.
  Result<TableSlot> insert(TableSlot of, std::string_view field, std::size_t before,
                           std::initializer_list<std::string_view> fields);
  Result<void> erase(TableSlot of, std::string_view field, std::size_t number);
  [[nodiscard]] std::size_t count(TableSlot of, std::string_view field) const;
  template <class T>
  [[nodiscard]] T number(TableSlot of, std::string_view field) const {
    const auto at = flat.file().field(flat.file().target(of.slot), field_of(of.table, field));
    if (at != 0) return flat.file().get<T>(at);
    return static_cast<T>(tflite_schema().tables[of.table].fields[field_of(of.table, field)].preset);
  }
  template <class T>
  Result<void> set_number(TableSlot of, std::string_view field, T value) {
    const auto preset = tflite_schema().tables[of.table].fields[field_of(of.table, field)].preset;
    return flat.set_scalar(of.slot, of.table, field_of(of.table, field),
                           bytes_of_numbers(std::span<const T>(&value, 1)), static_cast<double>(value) == preset);
  }
  template <class T>
  Result<void> set_list(TableSlot of, std::string_view field, std::span<const T> values,
                        std::size_t alignment = sizeof(T)) {
    return flat.set_vector(of.slot, of.table, field_of(of.table, field), bytes_of_numbers(values), sizeof(T),
                           alignment);
  }
  Result<void> set_text(TableSlot of, std::string_view field, std::string_view text) {
    return flat.set_text(of.slot, of.table, field_of(of.table, field), text);
  }
  /// The table that a field leads to; made, with room for these fields, where there is none.
  Result<TableSlot> child(TableSlot of, std::string_view field, std::size_t table,
                          std::initializer_list<std::string_view> fields);
  /// Writes the elements of a buffer behind the FlatBuffer over; false where it has another size or shares its bytes.
  bool write_behind(TableSlot buffer, std::string_view elements);
  /// How many tensors and metadata use a buffer.
  [[nodiscard]] std::size_t users(std::uint32_t buffer) const;
  Result<std::uint32_t> code_index(std::int32_t code, std::int32_t version, const std::string& custom_name);
  Result<void> set_option(TableSlot node, std::string_view option, const TfliteValue& value);
  [[nodiscard]] Error no_such(std::string_view what, std::size_t number, std::size_t count) const;

  FlatEdit flat;
  std::string where;
};

}  // namespace culprit
