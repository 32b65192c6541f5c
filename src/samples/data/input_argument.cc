// --input NAME=VALUE|FILE

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/sample.h"
#include "data/structure_files.h"
#include "data/synthesize.h"
#include "tensor/npy.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t fill_limit = std::int64_t{1} << 31;  // elements that one value on a command line may become

tl::unexpected<Error> wrong(const std::string& name, const std::string& message, std::string hint = {}) {
  return fail(ErrorKind::usage, "--input " + name + ": " + message, std::move(hint));
}

/// Numbers in brackets: the pieces of text in row-major order and the shape that the nesting tells; a lone value has
/// shape [].
struct Literal {
  std::vector<std::string> pieces;
  Shape shape;
};

class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : text_(text) {}

  std::optional<Literal> parse() {
    Literal literal;
    if (!value(0, literal)) return std::nullopt;
    skip_spaces();
    if (at_ != text_.size()) return std::nullopt;
    return literal;
  }

 private:
  static constexpr std::size_t max_depth = 16;

  bool value(std::size_t depth, Literal& literal) {
    skip_spaces();
    if (depth < max_depth && take('[')) return list(depth, literal);
    if (depth != literal.shape.size()) return false;  // [1,[2]]
    const std::size_t end = std::min(text_.find_first_of("[],", at_), text_.size());
    const auto piece = trim(text_.substr(at_, end - at_));
    if (piece.empty()) return false;
    literal.pieces.emplace_back(piece);
    at_ = end;
    return true;
  }

  bool list(std::size_t depth, Literal& literal) {
    const bool first_here = literal.shape.size() == depth;
    if (first_here && !literal.pieces.empty()) return false;  // [1,[2]]
    if (first_here) literal.shape.push_back(-1);
    std::int64_t length = 0;
    skip_spaces();
    while (!take(']')) {
      if (length > 0 && !take(',')) return false;
      if (!value(depth + 1, literal)) return false;
      ++length;
      skip_spaces();
    }
    std::int64_t& expected = literal.shape[depth];
    if (expected < 0) expected = length;
    return expected == length;  // [[1,2],[3]]
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <class T>
std::optional<T> number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> truth(const std::string& text) {
  if (text == "true" || text == "True" || text == "1") return true;
  if (text == "false" || text == "False" || text == "0") return false;
  return std::nullopt;
}

/// The shape into which the literal goes: the declared one, as far as it is known.
Result<Shape> shape_of(const Literal& literal, const ValueInfo& declared,
                       const std::map<std::string, std::int64_t>& dims) {
  const auto count = static_cast<std::int64_t>(literal.pieces.size());
  if (!declared.has_shape) return literal.shape;
  if (!literal.shape.empty() && literal.shape.size() == declared.dims.size()) return literal.shape;
  SynthesisPlan plan{.dims = dims};
  Shape shape = *shape_for(declared, plan);
  if (literal.shape.empty()) return shape;
  std::optional<std::size_t> open;  // the last open axis follows from the count
  std::int64_t known = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (is_open(declared.dims[axis]) && !dims.contains(dim_key(declared, axis))) open = axis;
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis != open) known *= std::max<std::int64_t>(shape[axis], 1);
  }
  if (open && known > 0 && count % known == 0) shape[*open] = count / known;
  const auto total = element_count(shape);
  if (total && *total == count) return shape;
  return wrong(declared.name, std::to_string(count) + " values do not fit " + declared.text());
}

Result<void> expect_sizes(const ValueInfo& declared, const Shape& shape,
                          const std::map<std::string, std::int64_t>& dims) {
  for (std::size_t axis = 0; declared.has_shape && axis < shape.size(); ++axis) {
    const auto given = dims.find(dim_key(declared, axis));
    if (is_open(declared.dims[axis]) && given != dims.end() && given->second != shape[axis]) {
      return wrong(declared.name, "dimension " + std::to_string(axis) + " is " + std::to_string(shape[axis]) +
                                      ", but --dim " + given->first + "=" + std::to_string(given->second) +
                                      " was given");
    }
  }
  return {};
}

/// The pieces, each read by `read`, repeated if one piece stands for all.
template <class T, class Read>
Result<std::vector<T>> elements(const ValueInfo& declared, const Literal& literal, std::int64_t count,
                                const Read& read) {
  std::vector<T> values;
  for (const std::string& piece : literal.pieces) {
    const std::optional<T> value = read(piece);
    if (!value)
      return wrong(declared.name, "'" + printable(piece, 60) + "' is no " + std::string(name_of(declared.dtype)));
    values.push_back(*value);
  }
  if (literal.shape.empty() && count != 1) values.assign(static_cast<std::size_t>(count), T(values.front()));
  return values;
}

Result<Tensor> integers(const ValueInfo& declared, const Shape& shape, const std::vector<std::int64_t>& values) {
  const Tensor wide = Tensor::of<std::int64_t>(shape, values);
  auto narrow = cast(wide, declared.dtype);
  if (!narrow) return narrow;
  const auto back = cast(*narrow, DType::i64);  // casts saturate: what changed did not fit
  if (back && back->identical(wide)) return narrow;
  return wrong(declared.name, "a value does not fit " + std::string(name_of(declared.dtype)));
}

Result<Tensor> build(const ValueInfo& declared, const Literal& literal, const Shape& shape) {
  const auto count = element_count(shape);
  if (!count || *count > fill_limit) return wrong(declared.name, "the shape " + to_string(shape) + " is too large");
  const auto with = [&]<class T>(const auto& read, const auto& make) -> Result<Tensor> {
    auto values = elements<T>(declared, literal, *count, read);
    if (!values) return tl::unexpected(values.error());
    return make(*values);
  };
  if (declared.dtype == DType::string) {
    return with.template operator()<std::string>([](const std::string& text) { return std::optional(text); },
                                                 [&](auto& values) { return Tensor::from_strings(shape, values); });
  }
  if (declared.dtype == DType::boolean) {
    return with.template operator()<std::byte>(
        [](const std::string& text) -> std::optional<std::byte> {
          const auto is_true = truth(text);
          return is_true ? std::optional(static_cast<std::byte>(*is_true)) : std::nullopt;
        },
        [&](auto& values) { return Tensor::from_bytes(DType::boolean, shape, values); });
  }
  if (is_integer(declared.dtype)) {
    return with.template operator()<std::int64_t>(number<std::int64_t>,
                                                  [&](auto& values) { return integers(declared, shape, values); });
  }
  if (is_float(declared.dtype)) {
    return with.template operator()<double>(
        number<double>, [&](auto& values) { return cast(Tensor::of<double>(shape, values), declared.dtype); });
  }
  return wrong(declared.name, "values of type " + std::string(name_of(declared.dtype)) + " cannot be written here",
               "give a file: --input " + declared.name + "=FILE.npy");
}

bool names_a_file(const std::string& text) {
  const auto extension = fs::path(text).extension();
  return extension == ".npy" || extension == ".npz" || extension == ".pb";
}

Result<Tensor> member_of(const fs::path& archive, const std::string& name) {
  auto members = read_npz(archive);
  if (!members) return tl::unexpected(members.error());
  std::vector<std::string> names;
  for (auto& member : *members) {
    if (member.name == name) return std::move(member.value);
    names.push_back(member.name);
  }
  return wrong(name, archive.string() + " has no member of that name", "it has: " + join(names, ", "));
}

Result<Tensor> read_file_value(const fs::path& path, const std::string& name) {
  if (path.extension() == ".npy") return read_npy(path);
  if (path.extension() == ".npz") return member_of(path, name);
  auto tensor = read_tensor_proto(path);
  if (!tensor) return tl::unexpected(tensor.error());
  return std::move(tensor->value);
}

Result<Tensor> parse_value(const std::string& text, const ValueInfo& declared,
                           const std::map<std::string, std::int64_t>& dims) {
  if (declared.kind != ValueInfo::Kind::tensor) return wrong(declared.name, declared.text() + " is no tensor");
  auto literal = LiteralParser(text).parse();
  if (declared.dtype == DType::string && !text.starts_with('[')) literal = Literal{{text}, {}};
  if (!literal) {
    return wrong(declared.name,
                 "'" + printable(text, 60) +
                     "' is neither a number, numbers in brackets, nor a file that ends with .npy, .npz or .pb");
  }
  const auto shape = shape_of(*literal, declared, dims);
  if (!shape) return tl::unexpected(shape.error());
  if (auto ok = expect_sizes(declared, *shape, dims); !ok) return tl::unexpected(ok.error());
  return build(declared, *literal, *shape);
}

}  // namespace

std::optional<fs::path> file_of_input(const std::string& argument) {
  const auto equals = argument.find('=');
  if (equals == std::string::npos || !names_a_file(argument.substr(equals + 1))) return std::nullopt;
  return fs::path(argument.substr(equals + 1));
}

Result<NamedTensor> parse_input(const std::string& argument, const Interface& interface,
                                const std::map<std::string, std::int64_t>& dims) {
  const auto equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorKind::usage, "--input " + printable(argument, 100) + ": no name and value",
                "write --input NAME=VALUE or NAME=FILE");
  }
  const std::string name = argument.substr(0, equals);
  const std::string text = argument.substr(equals + 1);
  const ValueInfo* declared = find_input(interface, name);
  if (declared == nullptr) return no_such_input(ErrorKind::usage, "--input " + argument, name, interface);
  const bool from_file = names_a_file(text);
  auto value = from_file ? read_file_value(text, name) : parse_value(text, *declared, dims);
  if (!value) return tl::unexpected(value.error());
  if (auto ok = expect_fit(*declared, *value, "--input " + (from_file ? argument : name)); !ok) {
    return fail(from_file ? ErrorKind::bad_input : ErrorKind::usage, ok.error().message, ok.error().hint);
  }
  if (auto ok = expect_sizes(*declared, value->shape(), dims); !ok) return tl::unexpected(ok.error());
  return NamedTensor{declared->name, std::move(*value)};
}

Result<std::vector<NamedTensor>> parse_input_parts(const std::string& argument, const Interface& interface,
                                                   const std::map<std::string, std::int64_t>& dims) {
  const auto equals = argument.find('=');
  const ValueInfo* declared = equals == std::string::npos ? nullptr : find_input(interface, argument.substr(0, equals));
  if (declared != nullptr && is_structured(*declared)) {
    return structured_argument(argument.substr(equals + 1), *declared);
  }
  auto tensor = parse_input(argument, interface, dims);
  if (!tensor) return tl::unexpected(tensor.error());
  return std::vector{std::move(*tensor)};
}

}  // namespace culprit
