#include "tensor/npy_elements.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

using Bytes = std::vector<std::byte>;

bool is_text(const NpyHeader& header) { return header.kind == 'U' || header.kind == 'S'; }

void swap_bytes(Bytes& bytes, std::size_t width) {
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
}

/// Column-major to row-major. `bytes` holds exactly the elements, and the shape has no dimension of 0.
Bytes row_major(const Bytes& bytes, const Shape& shape, std::size_t item) {
  Bytes ordered(bytes.size());
  std::vector<std::size_t> strides(shape.size());  // in the source, in elements
  std::size_t stride = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= static_cast<std::size_t>(shape[d]);
  }
  Shape index(shape.size(), 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to < bytes.size(); to += item) {
    std::memcpy(ordered.data() + to, bytes.data() + from * item, item);
    for (std::size_t d = shape.size(); d-- > 0;) {  // the next index, last dimension first
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= strides[d] * static_cast<std::size_t>(shape[d]);
      index[d] = 0;
    }
  }
  return ordered;
}

/// Appends a character in UTF-8; false where there is none of this number.
bool append_utf8(std::string& out, std::uint32_t c) {
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return false;
  const auto tail = [&out, c](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
  return true;
}

/// One fixed-width element; NULs at its end are padding, as numpy has it.
std::optional<std::string> element_text(std::span<const std::byte> item, char kind) {
  std::string text;
  if (kind == 'S') {
    text.assign(reinterpret_cast<const char*>(item.data()), item.size());
    text.erase(text.find_last_not_of('\0') + 1);
    return text;
  }
  std::vector<std::uint32_t> characters(item.size() / 4);
  std::memcpy(characters.data(), item.data(), characters.size() * 4);
  while (!characters.empty() && characters.back() == 0) characters.pop_back();
  for (const auto c : characters) {
    if (!append_utf8(text, c)) return std::nullopt;
  }
  return text;
}

Result<Tensor> text_tensor(const NpyHeader& header, const Bytes& bytes) {
  std::vector<std::string> strings;
  for (std::size_t at = 0; at < bytes.size(); at += header.item_size) {
    auto text = element_text(std::span(bytes).subspan(at, header.item_size), header.kind);
    if (!text) return fail(ErrorKind::bad_input, "element " + std::to_string(strings.size()) + " is not valid Unicode");
    strings.push_back(std::move(*text));
  }
  return Tensor::from_strings(header.shape, std::move(strings));
}

}  // namespace

tl::unexpected<Error> no_array(std::string_view where, const Error& error) {
  return fail(error.kind, "cannot read " + printable(where) + " as a NumPy array: " + error.message, error.hint);
}

Result<DType> element_type(const NpyHeader& header) {
  if (is_text(header)) return DType::string;
  const std::string wanted = header.kind + std::to_string(header.item_size);
  const auto known = std::ranges::find(numpy_types, wanted, &NumpyType::descr);
  if (known != numpy_types.end()) return known->type;
  return fail(ErrorKind::unsupported,
              "its element type \"" + printable(header.descr, 60) + "\" has no counterpart in ONNX",
              "convert it with astype before saving");
}

Result<void> expect_elements(const NpyHeader& header, std::uint64_t present) {
  auto count = element_count(header.shape);
  if (!count) return tl::unexpected(count.error());
  std::uint64_t needed = 0;
  const auto elements = static_cast<std::uint64_t>(*count);
  if (header.item_size == 0 && elements > 0) return fail(ErrorKind::bad_input, "its elements have no size");
  const bool absurd = __builtin_mul_overflow(elements, std::uint64_t{header.item_size}, &needed);
  if (!absurd && needed == present) return {};
  return fail(ErrorKind::bad_input,
              header.descr + to_string(header.shape) + " takes " + (absurd ? "far more" : std::to_string(needed)) +
                  " bytes, but " + std::to_string(present) + " follow the header",
              "the file was cut short or holds more than one array; save it again");
}

Result<Tensor> to_tensor(const NpyHeader& header, std::vector<std::byte> bytes) {
  const std::size_t word = header.kind == 'U'   ? 4
                           : header.kind == 'S' ? 1
                                                : header.item_size / (header.kind == 'c' ? 2 : 1);
  if (header.big_endian && word > 1) swap_bytes(bytes, word);
  if (header.fortran_order && header.shape.size() > 1 && !bytes.empty())
    bytes = row_major(bytes, header.shape, header.item_size);
  if (is_text(header)) return text_tensor(header, bytes);
  const auto type = element_type(header);
  if (!type) return tl::unexpected(type.error());
  if (*type == DType::boolean) {
    for (auto& byte : bytes) byte = byte == std::byte{0} ? byte : std::byte{1};
  }
  return Tensor::from_bytes(*type, header.shape, std::move(bytes));
}

}  // namespace culprit
