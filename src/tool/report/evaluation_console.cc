#include "report/evaluation_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "report/class_lines.h"
#include "report/console_parts.h"
#include "report/decisions_parts.h"
#include "report/evaluation_figures.h"
#include "report/layout.h"
#include "report/score_lines.h"

namespace culprit {
namespace {

constexpr std::size_t left_out_shown = 3;
constexpr std::size_t worst_samples_shown = 5;
constexpr int name_width = 24;

std::string head_part(const EvaluationReport& report, const ConsoleStyle& style) {
  const std::string sure = report.is_task_sure ? "" : " (not sure; --task names another)";
  std::string text = painted(report.task, Ink::strong, style.colour) +
                     fmt::format("  {} of {}, {}", counted(static_cast<std::int64_t>(report.models.size()), "model"),
                                 counted(report.samples, "sample"), human_seconds(report.seconds)) +
                     "\n";
  text += hanging("  ", printable(report.task_reason) + sure, style.width);
  for (const std::string& line : report.task_about) text += hanging("  ", printable(line), style.width);
  for (const std::string& line : report.data) text += hanging("  data  ", printable(line), style.width);
  for (const Warning& warning : report.warnings)
    text += hanging("  warning  ", printable(warning.code + ": " + warning.message, 1000), style.width);
  return text;
}

std::string left_out_part(const std::string& what, std::int64_t count, const std::vector<LeftOutSample>& samples,
                          const ConsoleStyle& style) {
  if (count == 0) return "";
  std::string text =
      hanging("  ", painted(fmt::format("{} {}", counted(count, "sample"), what), Ink::doubtful, style.colour) + ":",
              style.width);
  const std::size_t shown = style.verbose ? samples.size() : std::min(left_out_shown, samples.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += hanging("    " + cut_path(printable(samples[i].name), 40) + "  ", printable(samples[i].reason, 300),
                    style.width);
  const auto more = count - static_cast<std::int64_t>(shown);
  return more > 0 ? text + fmt::format("    and {} more, in the report\n", more) : text;
}

std::string metrics_part(const std::string& heading, const std::map<std::string, MetricRecord>& metrics) {
  if (metrics.empty()) return "";
  std::string text = "      " + heading + "\n";
  for (const auto& [name, metric] : metrics)
    text += fmt::format("        {}{:>10.4f}   {:.4f} to {:.4f}\n", pad_right(name, name_width), metric.value,
                        metric.low, metric.high);
  return text;
}

std::string worst_part(const EvaluatedModel& model, const ConsoleStyle& style) {
  const bool sureness = model.decisions.traits.margins_are_sureness;
  std::string text;
  const std::size_t shown = style.verbose ? model.worst.size() : std::min(worst_samples_shown, model.worst.size());
  for (std::size_t i = 0; i < shown; ++i) text += worst_line(model.worst[i], sureness, "        ", style);
  if (text.empty()) return "";
  return std::string(sureness ? "      other predictions with the largest score gaps of M1"
                              : "      the largest differences") +
         "\n" + text;
}

std::string sure_part(const SureEnough& sure, const ConsoleStyle& style) {
  const std::string asked =
      fmt::format("{:g} % agree with M1, or only {:g} %", 100 * sure.share, 100 * (sure.share - sure.delta));
  if (sure.answer == SureAnswer::undecided) return hanging("      ", "not sure yet whether " + asked, style.width);
  const double told = 100 * (sure.answer == SureAnswer::holds ? sure.share : sure.share - sure.delta);
  return hanging("      ",
                 fmt::format("sure after {} samples (asked: {}): {}{:g} % agree", sure.samples, asked,
                             sure.answer == SureAnswer::holds ? "" : "only ", told),
                 style.width);
}

/// Samples on which it fails are no agreement, so they are named here, too.
std::string changed_line(const EvaluatedModel& model, const ConsoleStyle& style) {
  const DecisionRecord& decisions = model.decisions;
  const bool is_good = decisions.changed == 0 && model.failures == 0 && decisions.samples > 0;
  std::string text = fmt::format("other predictions than M1 on {} of {} samples", decisions.changed, decisions.samples);
  if (decisions.samples == 0)
    text = "could not be held against M1 on any sample";
  else if (decisions.empty == decisions.samples && model.failures == 0)
    return hanging("      ", painted("finds nothing on any sample, and neither does M1", Ink::doubtful, style.colour),
                   style.width);
  else if (!decisions.traits.counts_decisions && model.failures == 0)
    return "";
  else if (!decisions.traits.counts_decisions)
    text = fmt::format("says nothing on {} of {} samples; the figures leave these out", model.failures,
                       decisions.samples + model.failures);
  else if (model.failures > 0)
    text += fmt::format(", and says nothing on {} more; the figures leave these out", model.failures);
  const LabelChanges& changes = decisions.label_changes;
  if (changes != LabelChanges())
    text += fmt::format("; by the labels {} gained, {} lost, {} wrong in both", changes.gained, changes.lost,
                        changes.both_wrong);
  return hanging("      ", painted(text, is_good ? Ink::good : Ink::bad, style.colour), style.width);
}

/// Which classes were taken for which others, and how often.
std::string confused_part(const char* heading, const ClassResults& classes, const ConsoleStyle& style) {
  constexpr std::size_t few = 5, many = 50;
  const auto confused = classes.confused();
  if (confused.empty()) return "";
  std::vector<std::string> told;
  const std::size_t shown = std::min(style.verbose ? many : few, confused.size());
  for (std::size_t i = 0; i < shown; ++i)
    told.push_back(fmt::format("{} as {} ({})", printable(confused[i].truth, 40),
                               confused[i].decided.empty() ? "none" : printable(confused[i].decided, 40),
                               confused[i].samples));
  const std::string more = shown < confused.size() ? fmt::format(", and {} other pairs", confused.size() - shown) : "";
  return hanging(heading, join(told, ", ") + more, style.width);
}

/// What a model decides that nobody can say is right.
std::string decided_part(const ClassResults& results, const ConsoleStyle& style) {
  constexpr std::size_t few = 10, many = 100;
  auto classes = results.classes();
  std::ranges::stable_sort(classes, std::greater(), &ClassCounts::decided);
  std::erase_if(classes, [](const ClassCounts& counts) { return counts.decided == 0; });
  if (classes.empty()) return "";
  std::vector<std::string> told;
  const std::size_t shown = std::min(style.verbose ? many : few, classes.size());
  for (std::size_t i = 0; i < shown; ++i)
    told.push_back(fmt::format("{} ({})", printable(classes[i].name, 40), classes[i].decided));
  const std::string more = shown < classes.size() ? fmt::format(", and {} other labels", classes.size() - shown) : "";
  return hanging("      predicts: ", join(told, ", ") + more, style.width);
}

std::string model_part(const EvaluationReport& report, std::size_t number, const ConsoleStyle& style) {
  const EvaluatedModel& model = report.models[number];
  const DecisionRecord& decisions = model.decisions;
  std::string text = fmt::format("\n  M{}  ", number + 1) +
                     painted(cut_path(printable(model.model.path), style.width - 8), Ink::strong, style.colour) + "\n";
  if (!model.unfit.empty())
    return text + hanging("      ",
                          painted("nothing can be said of it: ", Ink::bad, style.colour) + printable(model.unfit, 1000),
                          style.width);
  text += left_out_part(number > 0 ? "on which it fails or cannot be compared" : "on which it fails", model.failures,
                        model.failed, style);
  if (number > 0) {
    text += changed_line(model, style);
    if (model.sure) text += sure_part(*model.sure, style);
    if (decisions.samples > 0) text += metrics_part("agreement with M1, and what it may be (95 %)", decisions.metrics);
    text += worst_part(model, style);
  }
  if (decisions.labelled > 0)
    text += metrics_part(fmt::format("against the labels of {} samples", decisions.labelled),
                         decisions.variant_against_labels);
  text += scores_part(report, number, style);
  text += classes_part(report, number, style);
  text += confused_part("      M1's class as another: ", model.became, style);
  return text + (decisions.labelled > 0 ? confused_part("      taken for another: ", model.classes, style)
                                        : decided_part(model.classes, style));
}

/// One model, and nothing that it could be held against.
std::string nothing_to_compare(const EvaluationReport& report, const ConsoleStyle& style) {
  if (report.models.size() > 1 || report.models.front().decisions.labelled > 0) return "";
  if (report.has_labels)
    return hanging("  ",
                   "the data have labels, and " + report.task +
                       " takes none of them, so there is nothing to hold one model against; name a second model "
                       "(classification takes a class for each sample with one row of scores, detection takes boxes)",
                   style.width);
  return hanging(
      "  ",
      "nothing is measured: the samples have no labels, so there is nothing to hold one model against. Name "
      "a second model, or give what is right: for images or sounds --labels, for the rows of an .npz an array 'y'",
      style.width);
}

}  // namespace

std::string to_console(const EvaluationReport& report, const ConsoleStyle& style,
                       const std::filesystem::path& run_folder) {
  std::string text = head_part(report, style);
  text += left_out_part("could not be read", report.unreadable, report.skipped, style);
  for (std::size_t i = 0; i < report.models.size(); ++i) text += model_part(report, i, style);
  text += nothing_to_compare(report, style);
  if (!report.drawn_into.empty() && report.is_drawn)
    text += "\n" + hanging("  ",
                           fmt::format("boxes are drawn on {}, in {}", counted(report.drawn, "image"),
                                       printable(report.drawn_into)),
                           style.width);
  text += "\n";
  if (!figures_of(report).empty()) text += "figures: " + printable((run_folder / figures_folder).string()) + "\n";
  return text + "report: " + printable((run_folder / "report.json").string()) + "\n";
}

}  // namespace culprit
