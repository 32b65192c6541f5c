#include "network/tflite/edit_work.h"

#include <algorithm>

namespace culprit {

Error TfliteEdit::Work::no_such(std::string_view what, std::size_t number, std::size_t count) const {
  return {
      ErrorKind::usage,
      where + " has no " + std::string(what) + " " + std::to_string(number) + ": there are " + std::to_string(count),
      "they are counted from 0"};
}

std::size_t TfliteEdit::Work::count(TableSlot of, std::string_view field) const {
  const auto at = flat.file().field(flat.file().target(of.slot), field_of(of.table, field));
  return at == 0 ? 0 : flat.file().get<std::uint32_t>(flat.file().target(at));
}

Result<TableSlot> TfliteEdit::Work::element(TableSlot of, std::string_view field, std::size_t number) {
  auto table = flat.own(of.slot, of.table);
  if (!table) return tl::unexpected(table.error());
  if (number >= count(of, field))
    return tl::unexpected(no_such("element of " + std::string(field), number, count(of, field)));
  const auto known = field_of(of.table, field);
  const auto& as = tflite_schema().tables[of.table].fields[known];
  auto vector = flat.own_vector(flat.file().field(*table, known), as);
  if (!vector) return tl::unexpected(vector.error());
  const TableSlot found{*vector + 4 + 4 * number, as.of};
  if (auto own = flat.own(found.slot, found.table); !own) return tl::unexpected(own.error());
  return found;
}

Result<TableSlot> TfliteEdit::Work::tensor(TflitePlace at) {
  auto graph = subgraph(at.subgraph);
  return graph ? element(*graph, "tensors", at.number) : graph;
}

Result<TableSlot> TfliteEdit::Work::node(TflitePlace at) {
  auto graph = subgraph(at.subgraph);
  return graph ? element(*graph, "operators", at.number) : graph;
}

Result<TableSlot> TfliteEdit::Work::insert(TableSlot of, std::string_view field, std::size_t before,
                                           std::initializer_list<std::string_view> fields) {
  const auto known = field_of(of.table, field);
  const auto& as = tflite_schema().tables[of.table].fields[known];
  auto table = flat.own(of.slot, of.table);
  if (!table) return tl::unexpected(table.error());
  const auto at = flat.file().field(*table, known);
  if (at == 0) {
    return tl::unexpected(Error{ErrorKind::unsupported, where + " has no list " + std::string(field) + " to add to",
                                "a list that is not there cannot be made yet"});
  }
  auto vector = flat.own_vector(at, as);
  if (!vector) return tl::unexpected(vector.error());
  auto slot = flat.grow(*vector, before);
  if (!slot) return tl::unexpected(slot.error());
  std::vector<std::size_t> numbers;
  for (const auto name : fields) numbers.push_back(field_of(as.of, name));
  if (auto made = flat.append_table(*slot, as.of, numbers); !made) return tl::unexpected(made.error());
  return TableSlot{*slot, as.of};
}

Result<void> TfliteEdit::Work::erase(TableSlot of, std::string_view field, std::size_t number) {
  auto slot = element(of, field, number);  // makes the vector its own
  if (!slot) return tl::unexpected(slot.error());
  return flat.erase(slot->slot - 4 - 4 * number, number);
}

Result<TableSlot> TfliteEdit::Work::child(TableSlot of, std::string_view field, std::size_t table,
                                          std::initializer_list<std::string_view> fields) {
  auto slot = flat.slot_of(of.slot, of.table, field_of(of.table, field));
  if (!slot) return tl::unexpected(slot.error());
  const TableSlot made{*slot, table};
  if (flat.file().get<std::uint32_t>(*slot) != 0) {
    if (auto own = flat.own(*slot, table); !own) return tl::unexpected(own.error());
    return made;
  }
  std::vector<std::size_t> numbers;
  for (const auto name : fields) numbers.push_back(field_of(table, name));
  if (auto done = flat.append_table(*slot, table, numbers); !done) return tl::unexpected(done.error());
  return made;
}

bool TfliteEdit::Work::write_behind(TableSlot buffer, std::string_view elements) {
  const auto begin = number<std::uint64_t>(buffer, "offset");
  const auto size = number<std::uint64_t>(buffer, "size");
  const auto first = flat.tail_begin();
  if (size != elements.size() || begin < first || begin - first > flat.tail().size() ||
      size > flat.tail().size() - (begin - first)) {
    return false;
  }
  std::size_t users = 0;
  for (std::size_t at = 0; at < count(model(), "buffers"); ++at) {
    const auto other = element(model(), "buffers", at);
    if (!other) return false;
    const auto from = number<std::uint64_t>(*other, "offset");
    users += from < begin + size && begin < from + number<std::uint64_t>(*other, "size") ? 1 : 0;
  }
  if (users == 1) std::ranges::copy(elements, flat.tail().begin() + static_cast<std::ptrdiff_t>(begin - first));
  return users == 1;
}

std::size_t TfliteEdit::Work::users(std::uint32_t buffer) const {
  const auto file = flat.file();
  const auto elements = [&](TableSlot of, std::string_view field, const auto& use) {
    const auto known = field_of(of.table, field);
    const auto at = file.field(file.target(of.slot), known);
    const auto vector = at == 0 ? 0 : file.target(at);
    for (std::size_t number = 0; number < count(of, field); ++number) {
      use(TableSlot{vector + 4 + 4 * number, tflite_schema().tables[of.table].fields[known].of});
    }
  };
  std::size_t found = 0;
  const auto uses = [&](TableSlot one) { found += this->number<std::uint32_t>(one, "buffer") == buffer ? 1 : 0; };
  elements(model(), "subgraphs", [&](TableSlot graph) { elements(graph, "tensors", uses); });
  elements(model(), "metadata", uses);
  return found;
}

Result<std::uint32_t> TfliteEdit::Work::code_index(std::int32_t code, std::int32_t version,
                                                   const std::string& custom_name) {
  const auto codes = count(model(), "operator_codes");
  for (std::size_t at = 0; at < codes; ++at) {
    auto known = element(model(), "operator_codes", at);
    if (!known) return tl::unexpected(known.error());
    const auto old = std::int32_t{number<std::int8_t>(*known, "deprecated_builtin_code")};
    if (code == tflite_custom_code) break;  // a name for each: never shared
    if (std::max(old, number<std::int32_t>(*known, "builtin_code")) == code &&
        number<std::int32_t>(*known, "version") == version) {
      return static_cast<std::uint32_t>(at);
    }
  }
  auto made = insert(model(), "operator_codes", codes, {"deprecated_builtin_code", "version", "builtin_code"});
  if (!made) return tl::unexpected(made.error());
  const auto in_a_byte = static_cast<std::int8_t>(std::clamp(code, 0, 127));
  if (auto done = set_number(*made, "deprecated_builtin_code", in_a_byte); !done) return tl::unexpected(done.error());
  if (auto done = set_number(*made, "builtin_code", code); !done) return tl::unexpected(done.error());
  if (auto done = set_number(*made, "version", version); !done) return tl::unexpected(done.error());
  if (code == tflite_custom_code) {
    if (auto done = set_text(*made, "custom_code", custom_name); !done) return tl::unexpected(done.error());
  }
  return static_cast<std::uint32_t>(codes);
}

}  // namespace culprit
