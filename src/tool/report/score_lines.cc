#include "report/score_lines.h"

#include <fmt/format.h>

#include "report/console_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

std::string calibration_line(const CalibrationRecord& own, const ConsoleStyle& style) {
  return hanging("      calibration: ",
                 fmt::format("ECE {:.4f}, MCE {:.4f}, Brier {:.4f} ({:.4f} to {:.4f})", own.ece, own.mce,
                             own.brier.value, own.brier.low, own.brier.high),
                 style.width);
}

/// How far it is from the first model's.
std::string calibration_change(const CalibrationRecord& first, const CalibrationRecord& own,
                               const ConsoleStyle& style) {
  std::string text = fmt::format("ECE {:+.4f}, MCE {:+.4f}", own.ece - first.ece, own.mce - first.mce);
  if (const auto& brier = own.brier_change)
    text += fmt::format(", Brier {:+.4f} ({:+.4f} to {:+.4f})", brier->value, brier->low, brier->high);
  return hanging("      against that of M1: ", text, style.width);
}

}  // namespace

std::string scores_part(const EvaluationReport& report, std::size_t number, const ConsoleStyle& style) {
  const ScoreRecord& own = report.models[number].decisions.scores;
  const ScoreRecord& first = report.models.front().decisions.scores;
  std::string text;
  if (own.calibration) {
    text += calibration_line(*own.calibration, style);
    if (number > 0 && first.calibration) text += calibration_change(*first.calibration, *own.calibration, style);
  }
  if (!own.no_calibration.empty()) text += hanging("      no calibration: ", own.no_calibration, style.width);
  if (!own.no_curve.empty()) text += hanging("      no curves: ", own.no_curve, style.width);
  return text;
}

}  // namespace culprit
