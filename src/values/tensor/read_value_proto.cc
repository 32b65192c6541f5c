#include "tensor/read_value_proto.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using Kind = Value::Kind;

tl::unexpected<Error> bad(const std::string& what) { return fail(ErrorKind::bad_input, what); }

/// The fields of one protobuf message, read by hand so that no number of entries has to be held before it is counted.
/// https://protobuf.dev/programming-guides/encoding/
class MessageFields {
 public:
  explicit MessageFields(std::string_view bytes) : bytes_(bytes) {}

  struct Field {
    std::uint64_t number = 0;
    std::uint64_t varint = 0;
    std::optional<std::string_view> bytes;  ///< of a message, a string or packed numbers
  };

  /// The next field; nothing at the end, or where the bytes make no sense: then `ok` is false.
  std::optional<Field> next() {
    if (bytes_.empty() || !ok_) return std::nullopt;
    const std::uint64_t tag = varint();
    Field field;
    field.number = tag >> 3;
    switch (tag & 7) {
      case 0:
        field.varint = varint();
        break;
      case 1:
        take(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        take(4);
        break;
      default:
        ok_ = false;
    }
    ok_ = ok_ && field.number > 0;
    return ok_ ? std::optional(field) : std::nullopt;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty() || !ok_; }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const auto taken = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

/// In SequenceProto and OptionalProto alike: which kind a field holds.
std::optional<Kind> kind_in_field(std::uint64_t number) {
  switch (number) {
    case 3:
      return Kind::tensor;
    case 5:
      return Kind::sequence;
    case 6:
      return Kind::map;
    case 7:
      return Kind::optional;
    default:
      return std::nullopt;
  }
}

class Parser {
 public:
  Result<Value> value(std::string_view bytes, std::span<const Kind> form) {
    switch (form.front()) {
      case Kind::tensor:
        return tensor(bytes);
      case Kind::map:
        return map(bytes);
      default:
        return several(bytes, form);
    }
  }

 private:
  Result<Value> tensor(std::string_view bytes) {
    onnx::TensorProto proto;
    if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return bad("it holds no whole tensor");
    auto read = from_proto(proto);
    if (!read) return tl::unexpected(read.error());
    return Value{.kind = Kind::tensor, .tensor = std::move(*read)};
  }

  /// The elements of a sequence, or what is inside an optional.
  Result<Value> several(std::string_view bytes, std::span<const Kind> form) {
    Value result{.kind = form.front()};
    MessageFields fields(bytes);
    while (const auto field = fields.next()) {
      if (field->number == 4) return bad("it holds sparse tensors");
      const auto kind = kind_in_field(field->number);
      const bool is_name = field->number == 1 && field->bytes;
      const bool is_type = field->number == 2 && !field->bytes;
      if (is_name || is_type) continue;
      if (!kind || !field->bytes) return bad("it holds what no " + std::string(name_of(form.front())) + " has");
      if (*kind != form[1]) return bad(holds(form[1], *kind));
      if (auto ok = count(1); !ok) return tl::unexpected(ok.error());
      auto item = value(*field->bytes, form.subspan(1));
      if (!item) return item;
      result.items.push_back(std::move(*item));
    }
    if (!fields.ok()) return bad("it is cut short or no protobuf");
    if (form.front() == Kind::optional && result.items.size() > 1) result.items.resize(1);
    return result;
  }

  static std::string holds(Kind wanted, Kind found) {
    return "it holds a " + std::string(name_of(found)) + " where a " + std::string(name_of(wanted)) + " should be";
  }

  Result<Value> map(std::string_view bytes) {
    std::vector<std::int64_t> numbers;
    std::vector<std::string> strings;
    std::vector<Value> values;
    MessageFields fields(bytes);
    while (const auto field = fields.next()) {
      if (field->number == 3) {
        if (auto ok = add_keys(*field, numbers); !ok) return tl::unexpected(ok.error());
      } else if (field->number == 4 && field->bytes) {
        if (auto ok = count(1); !ok) return tl::unexpected(ok.error());
        strings.emplace_back(*field->bytes);
      } else if (field->number == 5 && field->bytes) {
        constexpr Kind of_tensors[] = {Kind::sequence, Kind::tensor};
        auto sequence = several(*field->bytes, of_tensors);
        if (!sequence) return sequence;
        values = std::move(sequence->items);
      } else if (field->number > 2) {
        return bad("it holds what no map has");
      }
    }
    if (!fields.ok()) return bad("it is cut short or no protobuf");
    if (!numbers.empty() && !strings.empty()) return bad("it is a map with keys of two types");
    if (strings.empty()) return with_values(Tensor::of<std::int64_t>({std::ssize(numbers)}, numbers), values);
    const Shape shape = {std::ssize(strings)};
    return with_values(Tensor::from_strings(shape, std::move(strings)).value(), values);
  }

  Result<void> add_keys(const MessageFields::Field& field, std::vector<std::int64_t>& keys) {
    if (!field.bytes) {
      keys.push_back(static_cast<std::int64_t>(field.varint));
      return count(1);
    }
    MessageFields packed(*field.bytes);
    while (!packed.at_end()) {
      keys.push_back(static_cast<std::int64_t>(packed.varint()));
      if (auto ok = count(1); !ok) return ok;
    }
    if (!packed.ok()) return bad("it is cut short or no protobuf");
    return {};
  }

  /// One number or text for each key, stored as tensors of one element, or as one tensor of all.
  static Result<Value> with_values(const Tensor& keys, const std::vector<Value>& values) {
    Value map{.kind = Kind::map, .keys = keys};
    std::vector<std::byte> bytes;
    std::vector<std::string> strings;
    std::int64_t total = 0;
    DType type = DType::f32;
    for (const Value& value : values) {
      const Tensor& tensor = value.tensor;
      if (total > 0 && tensor.dtype() != type) return bad("it is a map with values of different types");
      type = tensor.dtype();
      bytes.insert(bytes.end(), tensor.bytes().begin(), tensor.bytes().end());
      strings.insert(strings.end(), tensor.strings().begin(), tensor.strings().end());
      total += tensor.count();
    }
    if (total != keys.count()) {
      return bad("it is a map with " + std::to_string(keys.count()) + " keys and " + std::to_string(total) + " values");
    }
    auto all = type == DType::string ? Tensor::from_strings({total}, std::move(strings))
                                     : Tensor::from_bytes(type, {total}, std::move(bytes));
    if (!all) return tl::unexpected(all.error());
    map.values = std::move(*all);
    return map;
  }

  Result<void> count(std::size_t more) {
    if ((entries_ += more) <= most_stored_entries) return {};
    return bad("it has more than " + std::to_string(most_stored_entries) + " entries");
  }

  std::size_t entries_ = 0;
};

}  // namespace

Result<Value> parse_value_proto(std::string_view bytes, std::span<const Value::Kind> form, std::string_view where) {
  auto value = Parser().value(bytes, form);
  if (value) return value;
  const std::string what(name_of(form.front()));
  return fail(
      value.error().kind,
      printable(where) + " is no ONNX " + what + " (" + human_bytes(bytes.size()) + "): " + value.error().message,
      "give a .pb file with what the model declares, as in ONNX's own test_data_set folders");
}

Result<Value> read_value_proto(const std::filesystem::path& path, std::span<const Value::Kind> form) {
  auto bytes = read_file(path, largest_message);
  if (!bytes) return tl::unexpected(bytes.error());
  return parse_value_proto(*bytes, form, path.native());
}

}  // namespace culprit
