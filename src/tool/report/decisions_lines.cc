#include "report/decisions_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/csv_cells.h"

namespace culprit {
namespace {

using Line = nlohmann::ordered_json;

/// JSON has no NaN.
Line number_or_null(double value) { return std::isfinite(value) ? Line(value) : Line(nullptr); }

/// The truth of the first model that has one.
std::string truth_of(const ToldSample& sample) {
  for (const ToldModel& model : sample.models)
    if (model.decision && !model.decision->truth.empty()) return model.decision->truth;
  return "";
}

Line line_of(const ToldModel& model, bool is_first) {
  if (!model.decision) return {{"failed", true}};
  const ToldDecision& decision = *model.decision;
  Line line = {{"decision", decision.words}};
  if (!decision.label.empty()) line["label"] = decision.label;
  if (decision.is_right) line["right"] = *decision.is_right;
  for (const RankedClass& one : decision.best)
    line["best"].push_back({{"label", one.name}, {"score", number_or_null(one.score)}});
  for (const ToldBox& box : decision.boxes)
    line["boxes"].push_back(
        {{"label", box.name},
         {"score", number_or_null(box.score)},
         {"box", {number_or_null(box.x0), number_or_null(box.y0), number_or_null(box.x1), number_or_null(box.y1)}}});
  if (is_first) return line;
  line["changed"] = model.is_changed;
  if (model.is_changed) line["margin"] = number_or_null(model.margin);
  return line;
}

std::string json_line(const ToldSample& sample) {
  Line line = {{"sample", sample.name}};
  if (const std::string truth = truth_of(sample); !truth.empty()) line["truth"] = truth;
  line["models"] = Line::array();
  for (std::size_t model = 0; model < sample.models.size(); ++model)
    line["models"].push_back(line_of(sample.models[model], model == 0));
  return line.dump(-1, ' ', false, Line::error_handler_t::replace) + "\n";
}

/// What the label, or the surest box, has.
std::string score_cell(const ToldDecision& decision) {
  if (!decision.best.empty()) return csv_number(decision.best.front().score);
  return decision.boxes.empty() ? "" : csv_number(decision.boxes.front().score);
}

std::string csv_line(const ToldSample& sample) {
  std::string line = csv_text(sample.name) + "," + csv_text(truth_of(sample));
  for (std::size_t model = 0; model < sample.models.size(); ++model) {
    const ToldModel& told = sample.models[model];
    if (!told.decision) {
      line += model == 0 ? ",failed,," : ",failed,,,";
      continue;
    }
    const ToldDecision& decision = *told.decision;
    line += "," + csv_text(decision.label.empty() ? decision.words : decision.label) + "," + score_cell(decision) +
            "," + (decision.is_right ? *decision.is_right ? "yes" : "no" : "");
    if (model > 0) line += told.is_changed ? ",yes" : ",no";
  }
  return line + "\n";
}

}  // namespace

std::string decisions_head(DecisionsFormat format, std::size_t models) {
  if (format == DecisionsFormat::jsonl) return "";
  std::string head = "sample,truth";
  for (std::size_t model = 0; model < models; ++model) {
    head += fmt::format(",M{0},M{0}_score,M{0}_right", model + 1);
    if (model > 0) head += fmt::format(",M{}_changed", model + 1);
  }
  return head + "\n";
}

std::string decisions_line(DecisionsFormat format, const ToldSample& sample) {
  return format == DecisionsFormat::csv ? csv_line(sample) : json_line(sample);
}

}  // namespace culprit
