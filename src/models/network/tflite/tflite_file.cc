#include "network/tflite/tflite_file.h"

#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "network/tflite/read_graph.h"

namespace culprit {

Result<TfliteFile> TfliteFile::open(const std::filesystem::path& path) {
  auto bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  return parse(std::move(*bytes), printable(path.native()));
}

Result<TfliteFile> TfliteFile::parse(std::string bytes, std::string where) {
  const FlatBytes file{std::as_bytes(std::span(bytes))};
  const auto index = index_flat(file, tflite_schema().table("Model"), where);
  if (!index) return tl::unexpected(index.error());
  auto graph = read_tflite_graph(file, *index, where);
  if (!graph) return tl::unexpected(graph.error());
  if (auto right = check_tflite_indices(*graph, where); !right) return tl::unexpected(right.error());
  TfliteFile made;
  made.bytes_ = std::make_shared<const std::string>(std::move(bytes));
  made.where_ = std::move(where);
  made.graph_ = std::move(*graph);
  return made;
}

std::span<const std::byte> TfliteFile::buffer(std::size_t number) const {
  if (number >= graph_.buffers.size()) return {};
  const auto& place = graph_.buffers[number];
  return std::as_bytes(std::span(*bytes_)).subspan(place.at, place.size);
}

std::string TfliteFile::operator_name(const TfliteOperator& of) const {
  if (of.code_index >= graph_.codes.size()) return "an unknown operator";
  const auto& code = graph_.codes[of.code_index];
  if (code.code == tflite_custom_code) return "custom operator " + printable(code.custom_name, 60);
  return tflite_operator_name(code.code);
}

Result<void> TfliteFile::write(const std::filesystem::path& path) const { return write_file_atomic(path, *bytes_); }

}  // namespace culprit
