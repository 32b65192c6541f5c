#include "report/decisions_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t worst_decisions_shown = 3;

}  // namespace

std::string worst_line(const WorstSample& worst, bool is_about_sureness, const std::string& indent,
                       const ConsoleStyle& style) {
  constexpr int name_width = 30;
  constexpr std::size_t most_words = 100;
  return hanging(indent + cut_path(printable(worst.name), name_width) + "  ",
                 fmt::format("{}{} {} (score gap {:.3g})", printable(worst.decision.reference, most_words),
                             is_about_sureness ? " became" : ":", printable(worst.decision.variant, most_words),
                             worst.decision.margin),
                 style.width);
}

std::string decisions_part(const std::string& whose, const VariantDecisions& found, const ConsoleStyle& style) {
  std::string text = hanging("  predictions: ", whose + ": " + printable(found.message), style.width);
  const std::size_t shown = found.decisions.changed == 0 ? 0
                            : style.verbose              ? found.worst.size()
                                                         : worst_decisions_shown;
  for (std::size_t i = 0; i < std::min(shown, found.worst.size()); ++i)
    text += worst_line(found.worst[i], found.decisions.traits.margins_are_sureness, "    ", style);
  if (!style.verbose) return text;
  for (const auto& [name, metric] : found.decisions.metrics)
    text += fmt::format("    {} {:.6g} ({:.6g} to {:.6g})\n", name, metric.value, metric.low, metric.high);
  return text;
}

std::string decisions_part(const ModelReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const VariantRecord& variant : report.variants)
    if (variant.decisions) text += decisions_part(name_of_recipe(variant), *variant.decisions, style);
  return text;
}

}  // namespace culprit
