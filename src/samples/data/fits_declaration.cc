#include "data/fits_declaration.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

bool sizes_fit(const ValueInfo& declared, const Shape& shape) {
  if (!declared.has_shape) return true;
  return std::ranges::equal(declared.dims, shape, [](const Dim& dim, std::int64_t size) {
    return !dim.value || *dim.value < 0 || *dim.value == size;
  });
}

}  // namespace

std::string type_text(DType dtype, const Shape& shape) { return std::string(name_of(dtype)) + to_string(shape); }

std::string type_text(const Tensor& value) { return type_text(value.dtype(), value.shape()); }

bool may_fit(const ValueInfo& declared, DType dtype, const Shape& shape) {
  const bool is_plain = declared.kind == ValueInfo::Kind::tensor || declared.kind == ValueInfo::Kind::unknown;
  const bool is_type = declared.dtype == DType::undefined || declared.dtype == dtype;
  return !is_plain || (is_type && sizes_fit(declared, shape));
}

Result<void> expect_fit(const ValueInfo& declared, const Tensor& value, const std::string& where) {
  const bool is_plain = declared.kind == ValueInfo::Kind::tensor || declared.kind == ValueInfo::Kind::unknown;
  if (is_plain && may_fit(declared, value.dtype(), value.shape())) return {};
  return fail(ErrorKind::bad_input, where + " is " + type_text(value) + ", but the model wants " + declared.text());
}

bool is_name_of(const ValueInfo& declared, const std::string& name) {
  return declared.name == name || declared.name == name + ":0" || declared.name + ":0" == name;
}

const ValueInfo* find_input(const Interface& interface, const std::string& name) {
  for (const bool is_exact : {true, false})
    for (const auto* values : {&interface.inputs, &interface.optional_inputs}) {
      const auto at = std::ranges::find_if(*values, [&](const ValueInfo& declared) {
        return is_exact ? declared.name == name : is_name_of(declared, name);
      });
      if (at != values->end()) return &*at;
    }
  return nullptr;
}

tl::unexpected<Error> no_such_input(ErrorKind kind, const std::string& where, const std::string& name,
                                    const Interface& interface) {
  std::vector<std::string> required, all;
  for (const ValueInfo& input : interface.inputs) required.push_back(input.name);
  all = required;
  for (const ValueInfo& input : interface.optional_inputs) all.push_back(input.name);
  const std::string near = closest(name, all);
  std::string hint = near.empty() ? "it has: " + join(required, ", ") : "did you mean '" + near + "'?";
  return fail(kind, where + ": the model has no input '" + name + "'", std::move(hint));
}

}  // namespace culprit
