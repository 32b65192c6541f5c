#include "data/sets/array_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "data/fits_declaration.h"
#include "data/sets/one_or_many.h"

namespace culprit {
namespace {

constexpr std::array truth_names = {"y", "label", "labels", "target", "targets"};
constexpr std::int64_t most_elements_seen = 1 << 20;  // elements of an array, to tell sets of classes from masks

std::int64_t elements_of(const Shape& shape) { return element_count(shape).value_or(0); }

Shape row_shape(const Shape& shape) {
  Shape row = shape;
  row.front() = 1;
  return row;
}

/// One whole number for each row, or -1; nothing where there is another.
std::optional<std::vector<std::int64_t>> as_classes(const Tensor& values) {
  std::vector<std::int64_t> classes;
  for (std::int64_t i = 0; i < values.count(); ++i) {
    const double number = values.number(i);
    if (!(number >= -1 && number < 1e9) || number != static_cast<double>(static_cast<std::int64_t>(number)))
      return std::nullopt;
    classes.push_back(static_cast<std::int64_t>(number));
  }
  return classes;
}

/// [n,C] of 0 and 1, as far as that is looked at.
Result<bool> is_set_of_classes(const StoredArray& array) {
  const Shape& shape = array.head().shape;
  if (shape.size() != 2 || shape[1] < 2) return false;
  const std::int64_t rows = std::min(shape[0], std::max<std::int64_t>(1, most_elements_seen / shape[1]));
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto values = array.row(row, {shape[1]});
    if (!values) return tl::unexpected(values.error());
    for (std::int64_t i = 0; i < values->count(); ++i)
      if (values->number(i) != 0 && values->number(i) != 1) return false;
  }
  return true;
}

}  // namespace

bool names_truth(const ArrayHead& array, const Interface& interface) {
  const bool is_named = std::ranges::find(truth_names, array.name) != truth_names.end();
  return is_named && find_input(interface, array.name) == nullptr;
}

Result<std::optional<ArrayTruth>> ArrayTruth::open(ArrayFile& file, const Interface& interface, std::int64_t rows,
                                                   const ArrayRowsOptions& options, const std::string& where) {
  const auto& heads = file.heads();
  const auto head = std::ranges::find_if(heads, [&](const ArrayHead& one) { return names_truth(one, interface); });
  if (head == heads.end()) return std::nullopt;
  const bool is_of_rows = !head->shape.empty() && head->shape.front() == rows && elements_of(head->shape) > 0;
  if (!is_of_rows || head->dtype == DType::string)
    return fail(ErrorKind::bad_input,
                fmt::format("{}: '{}', {}, holds no number for each of {} samples", where, head->name,
                            type_text(head->dtype, head->shape), rows),
                "labels are classes, counted from 0; -1 is none; masks and numbers that are right have a row a sample");
  auto array = file.array(static_cast<std::size_t>(head - heads.begin()), options.work, options.all_rows);
  if (!array) return tl::unexpected(array.error());
  ArrayTruth truth(std::move(*array));
  if (elements_of(head->shape) == rows) {
    const auto values = truth.array_.all();
    if (!values) return tl::unexpected(values.error());
    truth.classes_ = as_classes(*values);
  }
  truth.has_values_ = is_float(head->dtype) || !truth.classes_;
  if (!truth.classes_ && !is_float(head->dtype)) {
    const auto is_set = is_set_of_classes(truth.array_);
    if (!is_set) return tl::unexpected(is_set.error());
    truth.is_set_ = *is_set;
    truth.has_values_ = !*is_set;
  }
  return truth;
}

Truth ArrayTruth::of(std::int64_t row) const {
  Truth truth;
  if (classes_ && class_of(row) >= 0) truth.label = std::to_string(class_of(row));
  if (!has_values_ && !is_set_) return truth;
  auto values = array_.row(row, row_shape(array_.head().shape));
  if (!values) return truth;
  if (has_values_) {
    truth.values.push_back({name(), std::move(*values)});
    return truth;
  }
  truth.classes.emplace();
  for (std::int64_t i = 0; i < values->count(); ++i)
    if (values->number(i) == 1) truth.classes->push_back(i);
  return truth;
}

bool ArrayTruth::has_any() const {
  return has_values_ || is_set_ || std::ranges::any_of(*classes_, [](std::int64_t one) { return one >= 0; });
}

std::vector<std::string> ArrayTruth::description() const {
  const ArrayHead& head = array_.head();
  if (is_set_) return {fmt::format("of {} classes those that are right from the array '{}'", head.shape[1], head.name)};
  if (!classes_)
    return {fmt::format("what is right from the array '{}' {}", head.name, type_text(head.dtype, head.shape))};
  std::set<std::int64_t> different;
  for (const std::int64_t one : *classes_)
    if (one >= 0) different.insert(one);
  const std::int64_t none = std::ranges::count(*classes_, -1);
  std::vector<std::string> lines = {
      fmt::format("labels from the array '{}': {}", head.name,
                  one_or_many(static_cast<std::int64_t>(different.size()), "class", "classes"))};
  if (none > 0)
    lines.push_back(one_or_many(none, "sample", "samples") + (none == 1 ? " has" : " have") +
                    " the label -1, which is taken as none");
  return lines;
}

}  // namespace culprit
