#include "tensor/npy_header.h"

#include <charconv>

#include "base/text.h"
#include "tensor/broken_file.h"

namespace culprit {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t highest_rank = 64;  // numpy's

/// Reads a literal from left to right; a method that finds something else gives false and takes nothing.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool symbol(std::string_view wanted) {
    text_ = trim_left(text_);
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }
  bool quoted(std::string& value) {
    const char quote = symbol("'") ? '\'' : symbol("\"") ? '"' : '\0';
    const auto end = quote == '\0' ? std::string_view::npos : text_.find(quote);
    if (end == std::string_view::npos) return false;
    value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool boolean(bool& value) {
    value = symbol("True");
    return value || symbol("False");
  }
  bool tuple(Shape& shape) {
    if (!symbol("(")) return false;
    while (!symbol(")")) {
      std::int64_t dim = 0;
      if (shape.size() >= highest_rank || !number(dim)) return false;
      shape.push_back(dim);
      if (!symbol(",") && !text_.starts_with(")")) return false;
    }
    return true;
  }
  bool at_end() { return trim_left(text_).empty(); }

 private:
  static std::string_view trim_left(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
  }
  bool number(std::int64_t& value) {
    text_ = trim_left(text_);
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (read.ec != std::errc() || value < 0) return false;
    text_.remove_prefix(static_cast<std::size_t>(read.ptr - text_.data()));
    symbol("L");  // Python 2 wrote long integers so
    text_ = trim_left(text_);
    return true;
  }

  std::string_view text_;
};

struct NpyFields {
  bool descr = false, order = false, shape = false;
};

Result<void> parse_field(Scanner& in, NpyHeader& header, NpyFields& seen) {
  std::string key;
  if (!in.quoted(key) || !in.symbol(":")) return broken("its header is not a dictionary");
  if (key == "descr") {
    if (in.symbol("[") || in.symbol("(")) {
      return fail(ErrorKind::unsupported, "it holds structured records, not numbers",
                  "save each field as an array of its own");
    }
    seen.descr = in.quoted(header.descr);
  } else if (key == "fortran_order") {
    seen.order = in.boolean(header.fortran_order);
  } else if (key == "shape") {
    seen.shape = in.tuple(header.shape);
  } else {
    return broken("its header has the unknown entry \"" + printable(key, 60) + "\"");
  }
  return {};
}

Result<void> parse_dictionary(std::string_view text, NpyHeader& header) {
  Scanner in(text);
  NpyFields seen;
  if (!in.symbol("{")) return broken("its header is not a dictionary");
  while (!in.symbol("}")) {
    if (auto field = parse_field(in, header, seen); !field) return field;
    if (in.symbol(",")) continue;
    if (!in.symbol("}")) return broken("its header is damaged: " + printable(text, 120));
    break;
  }
  if (!seen.descr || !seen.order || !seen.shape || !in.at_end()) {
    return broken("its header lacks descr, fortran_order or shape, or is damaged: " + printable(text, 120));
  }
  return {};
}

/// "<f4" -> little-endian, kind f, 4 bytes. '|' and '=' are this machine's order, or none.
Result<void> parse_descr(NpyHeader& header) {
  std::string_view rest = header.descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
    header.big_endian = rest.front() == '>';
    rest.remove_prefix(1);
  }
  if (rest.starts_with("O")) {
    return fail(ErrorKind::unsupported, "it holds Python objects, which are pickles: code, not data",
                "save it as an array of numbers or of fixed-width strings");
  }
  std::size_t size = 0;
  const auto read =
      rest.empty() ? std::from_chars_result{} : std::from_chars(rest.data() + 1, rest.data() + rest.size(), size);
  if (rest.size() < 2 || read.ec != std::errc() || read.ptr != rest.data() + rest.size()) {
    return broken("its element type \"" + printable(header.descr, 60) + "\" is not numpy's");
  }
  header.kind = rest.front();
  header.item_size = size;
  if (header.kind == 'U') {
    if (size > SIZE_MAX / 4) return broken("its strings are absurdly long");
    header.item_size *= 4;  // counted in UCS-4 characters
  }
  return {};
}

/// Finds where the dictionary is: 2 bytes of length in version 1, 4 from version 2 on.
Result<std::string_view> dictionary_in(std::string_view file) {
  if (!file.starts_with(magic)) return broken("it does not begin as NumPy's files do");
  if (file.size() < magic.size() + 2) return broken("it ends inside its header");
  const int version = static_cast<unsigned char>(file[magic.size()]);
  if (version < 1 || version > 3) {
    return fail(ErrorKind::unsupported, "it has format version " + std::to_string(version) + ", known are 1 to 3");
  }
  const std::size_t digits = version == 1 ? 2 : 4;
  const std::size_t start = magic.size() + 2 + digits;
  if (file.size() < start) return broken("it ends inside its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(file[magic.size() + 2 + i])) << (8 * i);
  }
  if (length > file.size() - start) return broken("it ends inside its header");
  return file.substr(start, length);
}

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view file) {
  auto dictionary = dictionary_in(file);
  if (!dictionary) return tl::unexpected(dictionary.error());
  NpyHeader header;
  header.length = static_cast<std::size_t>(dictionary->data() - file.data()) + dictionary->size();
  if (auto parsed = parse_dictionary(*dictionary, header); !parsed) return tl::unexpected(parsed.error());
  if (auto parsed = parse_descr(header); !parsed) return tl::unexpected(parsed.error());
  return header;
}

}  // namespace culprit
