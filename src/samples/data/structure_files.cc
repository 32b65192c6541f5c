#include "data/structure_files.h"

#include <algorithm>

#include "base/text.h"
#include "data/fits_declaration.h"
#include "tensor/npy.h"
#include "tensor/read_value_proto.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

Result<std::vector<NamedTensor>> fitting_parts(const ValueInfo& declared, const Value& value,
                                               const std::string& where) {
  if (auto ok = expect_structure(declared, value, where); !ok) return tl::unexpected(ok.error());
  return flatten(declared.name, value);
}

const Tensor* member(const std::vector<NamedTensor>& members, const std::string& name) {
  const auto at = std::ranges::find(members, name, &NamedTensor::name);
  return at == members.end() ? nullptr : &at->value;
}

tl::unexpected<Error> members_wrong(const fs::path& path, const std::string& wanted) {
  return fail(ErrorKind::usage, printable(path.string()) + " has other members than " + wanted);
}

/// Members 0, 1, ... or arr_0, arr_1, ...
Result<Value> sequence_in(const fs::path& path, const std::vector<NamedTensor>& members) {
  Value sequence{.kind = Value::Kind::sequence};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Tensor* tensor = member(members, std::to_string(i));
    if (tensor == nullptr) tensor = member(members, "arr_" + std::to_string(i));
    if (tensor == nullptr) return members_wrong(path, "0 to " + std::to_string(members.size() - 1));
    sequence.items.push_back({.kind = Value::Kind::tensor, .tensor = *tensor});
  }
  return sequence;
}

Result<Value> map_in(const fs::path& path, const std::vector<NamedTensor>& members) {
  const Tensor* keys = member(members, "keys");
  const Tensor* values = member(members, "values");
  if (keys == nullptr || values == nullptr || members.size() != 2) return members_wrong(path, "keys and values");
  if (keys->shape().size() != 1 || values->shape() != keys->shape()) {
    return fail(ErrorKind::usage, printable(path.string()) + ": keys and values must be two lists of one length");
  }
  return Value{.kind = Value::Kind::map, .keys = *keys, .values = *values};
}

Result<Value> tensor_in(const fs::path& path) {
  auto tensor = path.extension() == ".npy" ? read_npy(path) : Result<Tensor>();
  if (path.extension() == ".pb") {
    auto named = read_tensor_proto(path);
    if (!named) return tl::unexpected(named.error());
    tensor = std::move(named->value);
  } else if (path.extension() != ".npy") {
    return fail(ErrorKind::usage, "'" + printable(path.string(), 100) + "' is neither none nor a .npy or .pb file");
  }
  if (!tensor) return tl::unexpected(tensor.error());
  return Value{.kind = Value::Kind::tensor, .tensor = std::move(*tensor)};
}

/// What stands in a file that knows nothing of optionals.
Result<Value> content_in(const fs::path& path, std::span<const Value::Kind> form) {
  if (form.front() == Value::Kind::tensor) return tensor_in(path);
  if (path.extension() == ".pb") return read_value_proto(path, form);
  if (path.extension() != ".npz") {
    return fail(ErrorKind::usage, "'" + printable(path.string(), 100) + "' is no .npz and no .pb file");
  }
  auto members = read_npz(path);
  if (!members) return tl::unexpected(members.error());
  if (form.front() == Value::Kind::map) return map_in(path, *members);
  if (form.back() == Value::Kind::tensor) return sequence_in(path, *members);
  return fail(ErrorKind::usage, "a sequence of maps can be given as a .pb only");
}

Result<Value> argument_value(const std::string& text, std::span<const Value::Kind> form) {
  if (form.front() != Value::Kind::optional) return content_in(text, form);
  Value optional{.kind = Value::Kind::optional};
  if (text == "none") return optional;
  if (fs::path(text).extension() == ".pb") return read_value_proto(text, form);
  auto inside = content_in(text, form.subspan(1));
  if (!inside) return inside;
  optional.items.push_back(std::move(*inside));
  return optional;
}

}  // namespace

Result<std::vector<NamedTensor>> read_input_file(const fs::path& path, const ValueInfo& declared) {
  const std::string where = path.string() + ": '" + declared.name + "'";
  if (!is_structured(declared)) {
    auto tensor = read_tensor_proto(path);
    if (!tensor) return tl::unexpected(tensor.error());
    if (auto ok = expect_fit(declared, tensor->value, where); !ok) return tl::unexpected(ok.error());
    return std::vector{NamedTensor{declared.name, std::move(tensor->value)}};
  }
  const auto form = form_of(declared);
  if (!form) return tl::unexpected(form.error());
  auto value = read_value_proto(path, *form);
  if (!value) return tl::unexpected(value.error());
  return fitting_parts(declared, *value, where);
}

Result<std::vector<NamedTensor>> structured_argument(const std::string& text, const ValueInfo& declared) {
  const std::string where = "--input " + declared.name;
  const auto form = form_of(declared);
  if (!form) return tl::unexpected(form.error());
  auto value = argument_value(text, *form);
  if (!value) return fail(value.error().kind, where + ": " + value.error().message, value.error().hint);
  auto parts = fitting_parts(declared, *value, where);
  if (!parts) return fail(ErrorKind::usage, parts.error().message, parts.error().hint);
  return parts;
}

}  // namespace culprit
