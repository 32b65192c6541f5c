#include "data/sets/text_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/lower_case.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "texts/beside_tokenizer.h"

namespace culprit {
namespace {

std::vector<std::string> in_lower_case(std::vector<std::string> names) {
  for (std::string& name : names) name = lower_case(name);
  return names;
}

/// The place of each label among the names; empty where one is not there.
std::vector<std::int64_t> places_of(const std::vector<std::string>& labels, const std::vector<std::string>& names) {
  std::vector<std::int64_t> places;
  for (const std::string& label : labels) {
    const auto found = std::ranges::find(names, label);
    if (found == names.end()) return {};
    places.push_back(found - names.begin());
  }
  return places;
}

std::string names_told(const std::vector<std::string>& names) { return printable(join(names, ", "), 200); }

TextClasses as_prepared(const PreparedFacts& texts) {
  TextClasses classes{texts.labels};
  if (texts.labels.empty()) return classes;
  classes.about.push_back(texts.numbered.empty() ? "classes: " + names_told(texts.labels)
                                                 : "labels " + printable(texts.numbered, 300));
  return classes;
}

Result<TextClasses> as_listed(const PreparedFacts& texts, const NamedClasses& listed) {
  SpelledLabels spelled;
  spelled.labels.assign(texts.labels.begin(), texts.labels.end());
  spelled.place_of = [&](std::size_t) { return printable(texts.from, 100); };
  const auto numbers = number_labels(spelled, listed);
  if (!numbers) return tl::unexpected(numbers.error());
  TextClasses classes{listed.names};
  for (const std::string& label : texts.labels) classes.of_label.push_back(numbers->of_label.find(label)->second);
  if (!texts.labels.empty()) classes.about.push_back("labels " + numbers->how);
  return classes;
}

}  // namespace

Result<TextClasses> classes_of_texts(const PreparedFacts& texts, const NamedClasses& listed, const Model& model) {
  if (!listed.names.empty()) return as_listed(texts, listed);
  const auto names = class_names_in(parent_folder(model.path) / "config.json");
  TextClasses classes = as_prepared(texts);
  if (!texts.has_truth || (names && names->empty())) return classes;
  if (!names) {
    classes.about.emplace_back("id2label in config.json beside the model does not name class 0, 1, ...: passed over");
    return classes;
  }
  if (texts.labels.empty()) return TextClasses{*names};
  auto places = places_of(in_lower_case(texts.labels), in_lower_case(*names));
  if (!places.empty())
    return TextClasses{*names,
                       std::move(places),
                       {"labels numbered by id2label in config.json beside the model: " + names_told(*names)}};
  classes.about.push_back(
      fmt::format("config.json beside the model names other classes: {}; `classes` in culprit.yaml "
                  "tells which labels these are",
                  names_told(*names)));
  return classes;
}

}  // namespace culprit
