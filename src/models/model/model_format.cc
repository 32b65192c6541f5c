#include "model/model_format.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view tflite_mark = "TFL3", saved_model_name = "saved_model.pb";
constexpr std::string_view zip_mark = "PK\x03\x04", hdf5_mark = "\x89HDF\r\n\x1a\n";
constexpr unsigned number_wire = 0, length_wire = 2;  // protobuf's wire types

struct OuterField {
  std::uint64_t number = 0;
  unsigned wire = 0;
  bool operator==(const OuterField&) const = default;
};
/// node, library, version, versions, debug_info.
constexpr std::array graph_def_fields{OuterField{1, length_wire}, OuterField{2, length_wire},
                                      OuterField{3, number_wire}, OuterField{4, length_wire},
                                      OuterField{5, length_wire}};
/// saved_model_schema_version, meta_graphs.
constexpr std::array saved_model_fields{OuterField{1, number_wire}, OuterField{2, length_wire}};

std::optional<std::uint64_t> next_number(std::istream& file) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const int byte = file.get();
    if (byte == std::istream::traits_type::eof()) return std::nullopt;
    value |= static_cast<std::uint64_t>(static_cast<unsigned>(byte) & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// Has the file at least one field, and none but these?
template <class Fields>
bool has_only(const fs::path& path, const Fields& known) {
  std::error_code failed;
  const std::uint64_t size = fs::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || size == 0 || !file) return false;
  for (std::uint64_t at = 0; at < size; at = static_cast<std::uint64_t>(file.tellg())) {
    const auto key = next_number(file);
    const auto value = key ? next_number(file) : std::nullopt;
    if (!value) return false;
    const OuterField field{*key >> 3U, static_cast<unsigned>(*key & 7U)};
    if (std::ranges::find(known, field) == known.end()) return false;
    if (field.wire == number_wire) continue;
    if (*value > size - static_cast<std::uint64_t>(file.tellg())) return false;
    file.seekg(static_cast<std::streamoff>(*value), std::ios::cur);
  }
  return true;
}

bool is_keras(const fs::path& path) {
  const fs::path extension = path.extension();
  std::array<char, 8> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), head.size());
  if (begin == hdf5_mark) return extension == ".keras" || extension == ".h5" || extension == ".hdf5";
  return extension == ".keras" && begin.starts_with(zip_mark);
}

bool is_tflite(const fs::path& path) {
  std::array<char, 8> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return file && std::string_view(head.data() + 4, 4) == tflite_mark;
}

}  // namespace

ModelFormat format_of(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return fs::is_regular_file(path / saved_model_name, ignored) ? ModelFormat::saved_model : ModelFormat::onnx;
  if (!fs::is_regular_file(path, ignored)) return ModelFormat::onnx;  // a pipe is not opened
  if (is_tflite(path)) return ModelFormat::tflite;
  if (is_keras(path)) return ModelFormat::keras;
  if (path.extension() != ".pb") return ModelFormat::onnx;
  if (path.filename() == saved_model_name && has_only(path, saved_model_fields)) return ModelFormat::saved_model;
  return has_only(path, graph_def_fields) ? ModelFormat::frozen_graph : ModelFormat::onnx;
}

std::string_view name_of(ModelFormat format) {
  switch (format) {
    case ModelFormat::onnx:
      return "ONNX";
    case ModelFormat::tflite:
      return "TFLite";
    case ModelFormat::saved_model:
      return "SavedModel";
    case ModelFormat::frozen_graph:
      return "frozen graph";
    case ModelFormat::keras:
      return "Keras";
  }
  return "ONNX";
}

}  // namespace culprit
