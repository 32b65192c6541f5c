#include "model/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace culprit {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  std::string_view what;
  std::string_view hint;
};

constexpr std::string_view to_onnx_first = "convert it to ONNX first";

constexpr std::array<Signature, 15> file_signatures{{
    {0, "version https://git-lfs"sv, "a git-LFS pointer, not the file it stands for"sv,
     "fetch the file with: git lfs pull"sv},
    {4, "ORTM"sv, "a model in ONNX Runtime's own format (.ort)"sv, "give the .onnx file that it was made from"sv},
    {0, "PK\x03\x04"sv, "a zip archive (PyTorch, Keras and npz files are such)"sv,
     "unpack it, or export the model that it holds to ONNX"sv},
    {0, "\x89HDF\r\n"sv, "an HDF5 file (Keras .h5)"sv, to_onnx_first},
    {0, "\x1f\x8b"sv, "a gzip file"sv, "unpack it first"sv},
    {0, "\xff\xd8\xff"sv, "a JPEG image"sv, "give a model; images are given with --data"sv},
    {0, "\x89PNG"sv, "a PNG image"sv, "give a model; images are given with --data"sv},
    {0, "\x93NUMPY"sv, "a NumPy array"sv, "give a model; arrays are given with --input or --data"sv},
    {0, "GGUF"sv, "a GGUF file (llama.cpp)"sv, to_onnx_first},
    {0, "BZh"sv, "a bzip2 file"sv, "unpack it first"sv},
    {0,
     "\xfd"
     "7zXZ"sv,
     "an xz file"sv, "unpack it first"sv},
    {0, "\x28\xb5\x2f\xfd"sv, "a zstandard file"sv, "unpack it first"sv},
    {0,
     "\x7f"
     "ELF"sv,
     "a program or shared library"sv, ""sv},
    {8, "{\""sv, "a safetensors file"sv, "it holds weights only; export the whole model to ONNX"sv},
    {257, "ustar"sv, "a tar archive"sv, "unpack it first"sv},
}};

bool begins_with_any_case(std::string_view text, std::string_view prefix) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

Guess guess_text(std::string_view bytes) {
  const std::string_view text = trim(bytes.substr(0, 4096));
  if (text.empty()) return {};
  if (begins_with_any_case(text, "<!doctype html") || begins_with_any_case(text, "<html")) {
    return {"a web page (HTML)", "the download brought an error or a login page; download the file itself"};
  }
  const bool is_text = std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t');
  });
  if (!is_text) return {};
  if (text.find("ir_version") != std::string_view::npos) {
    return {"text, perhaps a model in text form",
            "an ONNX model is a binary file; parse the text with onnx.parser first"};
  }
  if (text.front() == '<') return {"XML text", "OpenVINO's .xml and the like are no ONNX models; convert them first"};
  if (text.front() == '{' || text.front() == '[') return {"JSON text", "an ONNX model is a binary file"};
  return {"text", "an ONNX model is a binary file"};
}

/// Python's pickle, protocols 2 to 5: the opcode PROTO and its number.
bool is_pickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

/// The fields of ModelProto, each with its wire type (0 varint, 2 length-delimited).
std::optional<unsigned> wire_of_model_field(std::uint64_t field) {
  switch (field) {
    case 1:
    case 5:
      return 0;
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
    case 26:
      return 2;
    default:
      return std::nullopt;
  }
}

/// Reads a protobuf varint at `at` and moves on; nothing where the bytes end first or it is longer than ten bytes.
std::optional<std::uint64_t> varint(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

Guess guess_format(std::string_view bytes) {
  for (const auto& signature : file_signatures) {
    if (bytes.size() >= signature.offset && bytes.substr(signature.offset).starts_with(signature.bytes)) {
      return {std::string(signature.what), std::string(signature.hint)};
    }
  }
  if (is_pickle(bytes)) {
    return {"a Python pickle (PyTorch's older .pt and .pth are such)", "load it in PyTorch and use torch.onnx.export"};
  }
  if (std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; })) {
    return {"nothing but zero bytes", "the copy or download was cut short; fetch the file again"};
  }
  return guess_text(bytes);
}

std::string describe_damage(std::string_view bytes) {
  std::size_t at = 0;
  bool first = true;
  while (at < bytes.size()) {
    const auto tag = varint(bytes, at);
    if (!tag) return first ? "" : "truncated or damaged";
    const unsigned wire = static_cast<unsigned>(*tag & 7U);
    if (wire_of_model_field(*tag >> 3U) != wire) return first ? "" : "damaged";
    first = false;
    const auto value = varint(bytes, at);
    if (!value) return "truncated";
    if (wire != 2) continue;
    if (*value > bytes.size() - at) {
      return fmt::format("truncated: a part of {} bytes begins at byte {}, but the file ends at {}", *value, at,
                         bytes.size());
    }
    at += *value;
  }
  return "damaged, or its graphs nest too deeply";
}

}  // namespace culprit
