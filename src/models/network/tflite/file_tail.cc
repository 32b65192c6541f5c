#include "network/tflite/file_tail.h"

#include <algorithm>

namespace culprit {
namespace {

/// Calls `use` with each table of a vector of tables.
template <class Use>
void each_table(FlatBytes file, std::size_t table, std::string_view in, std::string_view field, const Use& use) {
  const auto& schema = tflite_schema();
  const auto at = file.field(table, schema.field(schema.table(in), field));
  if (at == 0) return;
  const auto vector = file.target(at);
  const std::size_t count = file.get<std::uint32_t>(vector);
  for (std::size_t element = 0; element < count; ++element) use(file.target(vector + 4 + 4 * element));
}

/// Tells where a ZIP archive that ends with the file begins:
/// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.
std::size_t begin_of_archive(FlatBytes file) {
  const auto size = file.bytes.size();
  constexpr std::size_t end_record = 22;  // without a comment, as Python's zipfile writes it
  if (size < end_record || file.get<std::uint32_t>(size - end_record) != 0x06054b50) return size;
  const std::size_t listed = file.get<std::uint32_t>(size - end_record + 12);
  const std::size_t said = file.get<std::uint32_t>(size - end_record + 16);
  if (listed > size - end_record || said > size - end_record - listed) return size;
  const auto list = size - end_record - listed;
  std::size_t first = said;
  for (auto entry = list; file.get<std::uint32_t>(entry) == 0x02014b50 && entry < size - end_record;) {
    first = std::min<std::size_t>(first, file.get<std::uint32_t>(entry + 42));
    entry += 46U + file.get<std::uint16_t>(entry + 28) + file.get<std::uint16_t>(entry + 30) +
             file.get<std::uint16_t>(entry + 32);
  }
  return list - said + first;  // offsets count from where the archive was thought to begin
}

}  // namespace

std::vector<std::size_t> places_of_far_offsets(FlatBytes file) {
  const auto& schema = tflite_schema();
  std::vector<std::size_t> places;
  const auto note = [&](std::size_t table, std::string_view in, std::string_view field) {
    const auto at = file.field(table, schema.field(schema.table(in), field));
    if (at != 0 && file.get<std::uint64_t>(at) > 1) places.push_back(at);  // 1 is a place that was never filled
  };
  const auto model = file.target(0);
  each_table(file, model, "Model", "buffers", [&](std::size_t buffer) { note(buffer, "Buffer", "offset"); });
  each_table(file, model, "Model", "subgraphs", [&](std::size_t graph) {
    each_table(file, graph, "SubGraph", "operators",
               [&](std::size_t node) { note(node, "Operator", "large_custom_options_offset"); });
  });
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::size_t end_of_flatbuffer(std::string_view bytes) {
  const FlatBytes file{std::as_bytes(std::span(bytes))};
  std::size_t end = begin_of_archive(file);
  for (const auto place : places_of_far_offsets(file)) end = std::min<std::size_t>(end, file.get<std::uint64_t>(place));
  return end;
}

}  // namespace culprit
