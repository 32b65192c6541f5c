#include "labels/class_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"

namespace culprit {
namespace {

constexpr double most_classes = 1'000'000;
constexpr std::size_t names_shown = 4;

/// Reads a text that is a number and nothing else; inf and nan are none.
std::optional<double> number_in(std::string_view label) {
  double number = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool is_number = error == std::errc{} && end == label.data() + label.size() && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

bool is_digits(const std::string& name) {
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }) && numbered_class(name);
}

/// "ant = 0, bee = 1, ... zebra = 9"
std::string order_of(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  const bool are_all = names.size() <= names_shown;
  const auto add = [&](std::size_t i) { shown.push_back(fmt::format("{} = {}", printable(names[i], 40), i)); };
  for (std::size_t i = 0; i < (are_all ? names.size() : names_shown - 2); ++i) add(i);
  if (are_all) return join(shown, ", ");
  shown.emplace_back("...");
  add(names.size() - 1);
  return join(shown, ", ");
}

ClassNumbers by_names(std::vector<std::string> names) {
  ClassNumbers numbers;
  for (std::size_t i = 0; i < names.size(); ++i) numbers.of_label.emplace(names[i], static_cast<std::int32_t>(i));
  numbers.names = std::move(names);
  return numbers;
}

ClassNumbers in_their_order(const std::set<std::string>& labels, const std::string& whose) {
  ClassNumbers numbers = by_names({labels.begin(), labels.end()});
  numbers.how = fmt::format("numbered by the order of {}: {}", whose, order_of(numbers.names));
  return numbers;
}

ClassNumbers by_value(const std::set<std::string>& labels) {
  ClassNumbers numbers;
  std::int32_t most = -1;
  for (const std::string& label : labels) {
    numbers.of_label[label] = *numbered_class(label);
    most = std::max(most, *numbered_class(label));
  }
  for (std::int32_t i = 0; i <= most; ++i) numbers.names.push_back(std::to_string(i));
  return numbers;
}

/// The class of a label among listed names; nothing where it is none of them.
std::optional<std::int32_t> class_among(const ClassNumbers& known, const std::string& label) {
  if (const auto named = known.of_label.find(label); named != known.of_label.end()) return named->second;
  const auto number = numbered_class(label);
  return number && *number < std::ssize(known.names) ? number : std::nullopt;
}

constexpr const char* classes_hint =
    "a list of classes has the name of each one, in the order of the model's classes; labels are its names, or numbers "
    "from 0";

/// `line` tells where the label stands, "l.csv, line 3: "; or "".
template <typename Line>
Result<void> add_known(ClassNumbers& numbers, const NamedClasses& known, const std::string& label, Line line) {
  const auto found = class_among(numbers, label);
  if (!found)
    return fail(ErrorKind::bad_input,
                fmt::format("{}the label '{}' is not in {}, which names {}", line(), printable(label, 100), known.from,
                            known.names.size() == 1 ? "1 class" : fmt::format("{} classes", known.names.size())),
                classes_hint);
  numbers.of_label.emplace(label, *found);
  return {};
}

tl::unexpected<Error> no_class(const SpelledLabels& spelled, std::size_t one, std::ptrdiff_t numbers) {
  const std::string label(spelled.labels[one]);
  const std::string line = fmt::format("{}: the label '{}' is ", spelled.place_of(one), printable(label, 60));
  if (number_in(label))
    return fail(ErrorKind::bad_input, line + "no class: classes are whole numbers from 0 to 999999",
                "write -1 where there is no label");
  return fail(ErrorKind::bad_input,
              fmt::format("{}no number, as {} of {} labels are", line, numbers, spelled.labels.size()),
              "mend it, or write -1 where there is no label" +
                  (spelled.way_to_name.empty() ? "" : "; where these are names, " + spelled.way_to_name));
}

}  // namespace

std::optional<std::int32_t> numbered_class(std::string_view label) {
  const auto number = number_in(label);
  if (!number || *number != std::floor(*number) || *number < -1 || *number >= most_classes) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

Result<ClassNumbers> number_labels(const SpelledLabels& spelled, const NamedClasses& known) {
  const auto& labels = spelled.labels;
  if (!known.names.empty()) {
    ClassNumbers numbers = by_names(known.names);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (auto ok = add_known(numbers, known, std::string(labels[i]), [&] { return spelled.place_of(i) + ": "; }); !ok)
        return tl::unexpected(ok.error());
    numbers.how = "numbered by " + known.from;
    return numbers;
  }
  const auto counted = std::ranges::count_if(labels, [](std::string_view label) { return bool(number_in(label)); });
  const bool are_numbers = 2 * counted >= std::ssize(labels);
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto number = numbered_class(labels[i]);
    if (are_numbers && !number) return no_class(spelled, i, counted);
    const bool is_none = number && *number < 0;
    if (are_numbers || !is_none) distinct.emplace(labels[i]);
  }
  if (are_numbers) return by_value(distinct);
  ClassNumbers numbers = in_their_order(distinct, "their names");
  for (const std::string_view label : labels) numbers.of_label.emplace(label, -1);  // those that are not named yet
  return numbers;
}

ClassNumbers number_columns(const std::vector<std::string>& columns) {
  ClassNumbers numbers = by_names(columns);
  numbers.how = "numbered by the order of the columns: " + order_of(numbers.names);
  return numbers;
}

Result<ClassNumbers> number_folders(const std::set<std::string>& folders, const NamedClasses& known) {
  if (!known.names.empty()) {
    ClassNumbers numbers = by_names(known.names);
    for (const std::string& folder : folders)
      if (auto ok = add_known(numbers, known, folder, [] { return ""; }); !ok) return tl::unexpected(ok.error());
    numbers.how = "numbered by " + known.from;
    return numbers;
  }
  std::set<std::int32_t> distinct;
  for (const std::string& folder : folders)
    if (is_digits(folder)) distinct.insert(*numbered_class(folder));
  if (distinct.size() < folders.size()) return in_their_order(folders, "the folders' names");
  ClassNumbers numbers = by_value(folders);
  numbers.how = "numbered as the folders are named";
  return numbers;
}

}  // namespace culprit
