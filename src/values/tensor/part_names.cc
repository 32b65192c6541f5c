// How the parts of flattened values lie in a pack, and what they are called.
#include <algorithm>
#include <array>
#include <set>

#include "tensor/structured_value.h"

namespace culprit {
namespace {

using Span = std::span<const NamedTensor>;

bool holds(Span parts, std::string_view part) {
  return std::ranges::find(parts, part, &NamedTensor::part) != parts.end();
}

/// Would a part of `stem` look like another value, or like a part of it?
bool clashes(const std::string& stem, const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& other) {
    if (other == name) return false;
    return other == stem || other.starts_with(stem + ".") || other.starts_with(stem + "[");
  });
}

}  // namespace

std::vector<std::span<const NamedTensor>> values_in(std::span<const NamedTensor> tensors) {
  std::vector<Span> values;
  for (std::size_t i = 0; i < tensors.size();) {
    std::size_t end = i + 1;  // two outputs of one name are two values: then a part comes again
    while (end < tensors.size() && tensors[end].name == tensors[i].name &&
           !holds(tensors.subspan(i, end - i), tensors[end].part)) {
      ++end;
    }
    values.push_back(tensors.subspan(i, end - i));
    i = end;
  }
  return values;
}

Value::Kind kind_of(std::span<const NamedTensor> parts) {
  if (holds(parts, ".present")) return Value::Kind::optional;
  if (holds(parts, ".length")) return Value::Kind::sequence;
  return holds(parts, ".keys") ? Value::Kind::map : Value::Kind::tensor;
}

bool is_form(std::string_view part) {
  constexpr std::array<std::string_view, 6> forms = {".present", ".length", ".keys", ".sizes", ".ranks", ".shapes"};
  return std::ranges::find(forms, part) != forms.end();
}

std::vector<std::string> labels_of(std::span<const NamedTensor> tensors) {
  std::vector<std::string> names, labels;
  for (const Span& value : values_in(tensors)) names.push_back(value.front().name);
  std::set<std::string> stems;
  for (const Span& value : values_in(tensors)) {
    const std::string& name = value.front().name;
    std::string stem = name;
    const bool is_plain = value.size() == 1 && value.front().part.empty();
    while (!is_plain && (clashes(stem, name, names) || stems.contains(stem))) stem += '\'';
    if (!is_plain) stems.insert(stem);
    for (const NamedTensor& part : value) labels.push_back((part.part.empty() ? name : stem) + part.part);
  }
  return labels;
}

}  // namespace culprit
