#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "report/campaign_parts.h"
#include "report/layout.h"
#include "report/markdown_parts.h"

namespace culprit {
namespace {

using OfTask = std::vector<const CasePredictions*>;

std::map<std::string, OfTask> by_task(const CampaignRecord& record) {
  std::map<std::string, OfTask> tasks;
  for (const CasePredictions& one : record.predictions) tasks[one.task].push_back(&one);
  return tasks;
}

std::string title_of(const CasePredictions& one) {
  const std::string& optimizer = one.order.optimizer;
  return one.order.model + (optimizer.empty() ? "" : " " + optimizer);
}

std::string table_of(const OfTask& predictions) {
  std::set<std::string> metrics;
  for (const CasePredictions* one : predictions)
    for (const auto& [name, value] : one->metrics) metrics.insert(name);
  std::vector<std::string> titles{"Model", "Variant", "Samples", "Changed"};
  titles.insert(titles.end(), metrics.begin(), metrics.end());
  std::vector<std::vector<std::string>> rows;
  rows.reserve(predictions.size());
  for (const CasePredictions* one : predictions) {
    std::vector<std::string> row{markdown_code(title_of(*one)), markdown_text(one->variant),
                                 std::to_string(one->samples), std::to_string(one->changed)};
    for (const std::string& name : metrics) {
      const auto value = one->metrics.find(name);
      row.push_back(value == one->metrics.end() ? "-" : fmt::format("{:.4f}", value->second));
    }
    rows.push_back(std::move(row));
  }
  return markdown_table(titles, rows, {0, 1});
}

}  // namespace

std::string predictions_as_markdown(const CampaignRecord& record) {
  std::string text;
  for (const auto& [task, predictions] : by_task(record))
    text += "\n### Predictions: " + markdown_text(task) + "\n\n" + table_of(predictions);
  return text;
}

std::string predictions_as_text(const CampaignRecord& record, int width) {
  std::string text;
  for (const auto& [task, predictions] : by_task(record)) {
    text += "\npredictions, " + printable(task, 60) + "\n";
    for (const CasePredictions* one : predictions) {
      std::string line = fmt::format("{}, {}: {} of {} changed", printable(title_of(*one), 200),
                                     printable(one->variant, 100), one->changed, counted(one->samples, "sample"));
      for (const auto& [name, value] : one->metrics) line += fmt::format("; {} {:.4f}", printable(name, 60), value);
      text += hanging("  ", line, width);
    }
  }
  return text;
}

}  // namespace culprit
