#include "report/class_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t few_classes = 5, many_classes = 50;

/// The number by which classes are told apart, of each class that has it.
struct ClassValues {
  std::string metric;
  std::vector<std::pair<std::string, double>> values;
};

ClassValues values_of(const MetricsByClass& by_class) {
  ClassValues all{by_class.main, {}};
  for (const ClassMetrics& one : by_class.classes)
    if (const auto value = one.metrics.find(by_class.main); value != one.metrics.end())
      all.values.emplace_back(one.name, value->second);
  return all;
}

ClassValues f1_of(const ClassResults& results) {
  ClassValues all{"f1", {}};
  for (const ClassCounts& counts : results.classes())
    if (counts.labelled > 0)
      all.values.emplace_back(
          counts.name, 2 * static_cast<double>(counts.right) / static_cast<double>(counts.decided + counts.labelled));
  return all;
}

ClassValues against_labels(const EvaluatedModel& model) {
  if (model.decisions.labelled == 0) return {};
  return model.classes.is_empty() ? values_of(model.decisions.variant_by_class) : f1_of(model.classes);
}

std::string other_classes(std::size_t all, std::size_t shown) {
  return shown < all ? fmt::format(", and {} other{}", all - shown, all - shown == 1 ? "" : "s") : "";
}

std::string worst_classes_line(const char* heading, ClassValues all, const ConsoleStyle& style) {
  if (all.values.size() < 2) return "";
  std::ranges::stable_sort(all.values, {}, &std::pair<std::string, double>::second);
  const std::size_t shown = std::min(style.verbose ? many_classes : few_classes, all.values.size());
  std::vector<std::string> told;
  told.reserve(shown);
  for (std::size_t i = 0; i < shown; ++i)
    told.push_back(fmt::format("{} {:.4f}", printable(all.values[i].first, 40), all.values[i].second));
  return hanging(fmt::format("      {} ({}): ", heading, all.metric),
                 join(told, ", ") + other_classes(all.values.size(), shown), style.width);
}

/// The classes whose number is another one than the first model's, the largest change first.
std::string changed_classes_line(const ClassValues& first, const ClassValues& other, const ConsoleStyle& style) {
  struct Change {
    std::string name;
    double from = 0, to = 0;
  };
  const std::map<std::string, double> before(first.values.begin(), first.values.end());
  std::vector<Change> changes;
  for (const auto& [name, value] : other.values)
    if (const auto was = before.find(name); was != before.end() && was->second != value)
      changes.push_back({name, was->second, value});
  if (changes.empty()) return "";
  const auto size = [](const Change& change) { return -std::abs(change.to - change.from); };
  std::ranges::stable_sort(changes, {}, size);
  const std::size_t shown = std::min(style.verbose ? many_classes : few_classes, changes.size());
  std::vector<std::string> told;
  told.reserve(shown);
  for (std::size_t i = 0; i < shown; ++i)
    told.push_back(
        fmt::format("{} {:.4f} became {:.4f}", printable(changes[i].name, 40), changes[i].from, changes[i].to));
  return hanging(fmt::format("      classes changed most ({}): ", other.metric),
                 join(told, ", ") + other_classes(changes.size(), shown), style.width);
}

}  // namespace

std::string classes_part(const EvaluationReport& report, std::size_t number, const ConsoleStyle& style) {
  const EvaluatedModel& model = report.models[number];
  const ClassValues labelled = against_labels(model);
  if (labelled.values.empty())
    return number == 0 ? "" : worst_classes_line("classes least like M1", values_of(model.decisions.by_class), style);
  std::string text = worst_classes_line("worst classes", labelled, style);
  if (number > 0) text += changed_classes_line(against_labels(report.models.front()), labelled, style);
  return text;
}

}  // namespace culprit
