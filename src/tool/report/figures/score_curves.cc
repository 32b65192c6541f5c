// Curves of scores, and whether chances come true, with a line for each model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/figures/evaluation.h"
#include "report/figures/square_plot.h"
#include "report/layout.h"

namespace culprit {
namespace {

using CurvePoints = std::vector<std::pair<double, double>>;

/// A line of the plot.
struct ModelCurve {
  std::string label;
  CurvePoints points;
};

constexpr int most_name = 30;

std::string what_is_drawn(const EvaluationReport& report) {
  for (const EvaluatedModel& model : report.models) {
    const ScoreRecord& scores = model.decisions.scores;
    if (scores.kind == CurveKind::one_class) return "class " + printable(scores.curve_of, 40) + " against the other";
    if (scores.kind == CurveKind::macro) return "each class against the rest: the mean of their curves";
    if (scores.kind == CurveKind::micro) return "all classes together";
  }
  return "";
}

std::string curves_subtitle(const EvaluationReport& report, const std::string& what, std::size_t models) {
  const std::string of =
      fmt::format("{} of {}", counted(static_cast<std::int64_t>(models), "model"), counted(report.samples, "sample"));
  return what.empty() ? of : of + "; " + what;
}

/// Draws the first models where there are more than colours.
std::optional<Figure> plot_of(const std::vector<ModelCurve>& curves, const ChartText& text, const std::string& up,
                              const std::string& file, bool has_diagonal) {
  if (curves.empty()) return std::nullopt;
  const std::size_t drawn = std::min<std::size_t>(curves.size(), series_colours);
  std::vector<ChartLegend> legend;
  legend.reserve(drawn);
  for (std::size_t i = 0; i < drawn; ++i) legend.push_back({curves[i].label, static_cast<int>(i)});
  std::vector<std::string> notes;
  if (drawn < curves.size()) notes.push_back(fmt::format("the first {} of {} models", drawn, curves.size()));
  SquarePlot plot(text, up, legend, notes);
  if (has_diagonal) plot.diagonal();
  for (std::size_t i = drawn; i > 0; --i) plot.curve(curves[i - 1].points, static_cast<int>(i - 1));
  return Figure{file, text.title, plot.finished()};
}

/// Points at 0, 0.01, ... 1.
CurvePoints at_levels(const std::vector<double>& points) {
  CurvePoints all;
  all.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    all.emplace_back(static_cast<double>(i) / static_cast<double>(curve_points - 1), points[i]);
  return all;
}

/// The number that belongs to the curve.
std::string area_of(const EvaluatedModel& model, const std::string& metric) {
  const CurveKind kind = model.decisions.scores.kind;
  const std::string name = kind == CurveKind::one_class ? metric : metric + "_" + std::string(name_of(kind));
  const auto found = model.decisions.variant_against_labels.find(name);
  if (found == model.decisions.variant_against_labels.end()) return "";
  return fmt::format(", {} {:.4f}", name, found->second.value);
}

std::vector<ModelCurve> curves_in(const EvaluationReport& report, std::vector<double> ScoreCurve::*points,
                                  const std::string& metric) {
  std::vector<ModelCurve> curves;
  for (std::size_t model = 0; model < report.models.size(); ++model) {
    const ScoreRecord& scores = report.models[model].decisions.scores;
    if (scores.kind == CurveKind::none) continue;
    curves.push_back(
        {name_of_model(report, model) + area_of(report.models[model], metric), at_levels(scores.curve.*points)});
  }
  return curves;
}

}  // namespace

std::string name_of_model(const EvaluationReport& report, std::size_t model) {
  return fmt::format("M{} {}", model + 1, cut_path(printable(report.models[model].model.path), most_name));
}

std::optional<Figure> roc_figure(const EvaluationReport& report) {
  auto curves = curves_in(report, &ScoreCurve::hit_rate, "auc");
  for (ModelCurve& curve : curves) curve.points.insert(curve.points.begin(), {0, 0});
  const ChartText text = {.title = "Hits against false alarms (ROC)",
                          .subtitle = curves_subtitle(report, what_is_drawn(report), curves.size()),
                          .axis = "share of false alarms"};
  return plot_of(curves, text, "share of hits", "roc.svg", true);
}

std::optional<Figure> precision_recall_figure(const EvaluationReport& report) {
  const auto curves = curves_in(report, &ScoreCurve::precision, "ap");
  const ChartText text = {.title = "Precision against recall",
                          .subtitle = curves_subtitle(report, what_is_drawn(report), curves.size()),
                          .axis = "recall"};
  return plot_of(curves, text, "precision", "precision_recall.svg", false);
}

std::optional<Figure> reliability_figure(const EvaluationReport& report) {
  std::vector<ChartLegend> legend;
  std::vector<const CalibrationRecord*> drawn;
  for (std::size_t model = 0; model < report.models.size(); ++model) {
    const auto& calibration = report.models[model].decisions.scores.calibration;
    if (!calibration || drawn.size() == series_colours) continue;
    legend.push_back(
        {name_of_model(report, model) + fmt::format(", ECE {:.4f}", calibration->ece), static_cast<int>(drawn.size())});
    drawn.push_back(&*calibration);
  }
  if (drawn.empty()) return std::nullopt;
  const ChartText text = {.title = "Do chances come true?",
                          .subtitle = curves_subtitle(report, "15 bins of one width", drawn.size()),
                          .axis = "confidence"};
  SquarePlot plot(
      text, "share that is right", legend,
      {"on the diagonal: as sure as right", "below it: too sure of itself", "the larger a dot, the more predictions"});
  plot.diagonal();
  for (std::size_t i = drawn.size(); i > 0; --i) {
    const CalibrationRecord& its = *drawn[i - 1];
    CurvePoints points;
    for (const CalibrationBin& bin : its.bins)
      if (bin.count > 0) points.emplace_back(bin.confidence, bin.right);
    plot.curve(points, static_cast<int>(i - 1));
    for (const CalibrationBin& bin : its.bins) {
      if (bin.count == 0) continue;
      const double share = static_cast<double>(bin.count) / static_cast<double>(its.predictions);
      plot.canvas().dot(SquarePlot::x(bin.confidence), SquarePlot::y(bin.right), 3 + 7 * std::sqrt(share),
                        static_cast<int>(i - 1));
    }
  }
  return Figure{"reliability.svg", text.title, plot.finished()};
}

}  // namespace culprit
