#include "report/orders_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t order_columns = 6;
using OrderRow = std::array<std::string, order_columns>;
constexpr std::size_t most_swaps_shown = 20, most_results_shown = 20;

struct OrdersOutcome {
  std::string words;
  Ink ink;
};

OrdersOutcome outcome_of(const OrdersReport& report) {
  const auto& results = report.tried.results;
  const ModelReport& model = report.model;
  if (!model.error.empty()) return {"cannot judge: " + printable(model.baseline.message), Ink::doubtful};
  std::int64_t wrong = 0;
  for (const OrderResult& result : results) wrong += result.is_wrong ? result.orders : 0;
  if (wrong == report.orders) return {"every order is WRONG", Ink::bad};
  if (wrong > 0)
    return {fmt::format("{} of {} {} WRONG", wrong, counted(report.orders, "order"), wrong == 1 ? "is" : "are"),
            Ink::bad};
  if (model.baseline.status != BaselineStatus::ok || !report.tried.best) return {"cannot judge", Ink::doubtful};
  return {results.size() == 1 ? "the order does not matter" : "all orders that could be judged are right", Ink::good};
}

std::string bits_text(const OrderResult& result) {
  if (!result.same_bits) return "-";
  return *result.same_bits ? "same bits" : "other bits";
}

OrderRow order_row(const OrderResult& result) {
  const std::string at = result.level.empty() ? "" : " at " + printable(result.level, 20);
  return {result.id,
          std::to_string(result.orders),
          std::to_string(result.inversions),
          result.fingerprint.empty() ? "-" : std::to_string(result.nodes),
          std::string(reader_word(result.verdict)) + at,
          bits_text(result)};
}

Ink ink_of_result(const OrderResult& result) {
  if (result.is_wrong) return Ink::bad;
  return result.is_right ? Ink::good : Ink::doubtful;
}

std::string order_line(const OrderRow& row, const std::array<int, order_columns>& widths, Ink ink, bool colour) {
  std::string line;
  for (std::size_t c = 0; c < order_columns; ++c) {
    const bool is_number = c >= 1 && c <= 3;
    const std::string cell = is_number ? pad_left(row[c], widths[c]) : pad_right(row[c], widths[c]);
    line += "  " + (c == 4 ? painted(cell, ink, colour) : cell);
  }
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

std::string results_table(const OrdersReport& report, const ConsoleStyle& style) {
  const auto& results = report.tried.results;
  const std::size_t shown = style.verbose ? results.size() : std::min(results.size(), most_results_shown);
  std::vector<OrderRow> rows{{"id", "orders", "inversions", "nodes", "verdict", "outputs"}};
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(order_row(results[i]));
  if (shown == 0) return "";
  std::array<int, order_columns> widths{};
  for (const OrderRow& row : rows)
    for (std::size_t c = 0; c < order_columns; ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  std::string text = "\n" + painted(order_line(rows[0], widths, Ink::plain, false), Ink::faint, style.colour);
  for (std::size_t i = 0; i < shown; ++i)
    text += order_line(rows[i + 1], widths, ink_of_result(results[i]), style.colour);
  if (shown < results.size())
    text += fmt::format("  and {} (--verbose shows them)\n",
                        counted(static_cast<std::int64_t>(results.size() - shown), "more result"));
  return text;
}

/// The command that says which steps make this result wrong; none for a long order, unless more is to be said.
std::vector<std::string> command_of_order(const OrdersReport& report, const OrderResult& result,
                                          const ConsoleStyle& style) {
  constexpr std::size_t most_named = 8;
  const bool is_own = report.is_bundle && result.inversions == 0;
  if (!is_own && result.example.size() > most_named && !style.verbose) return {};
  std::vector<std::string> words{"culprit", is_own ? "check" : "localize", report.model.model.path};
  if (!is_own) words.insert(words.end(), {"--passes", join(result.example, ",")});
  const Repeat repeat = report.model.variants.empty() ? Repeat::once : report.model.variants.front().recipe.repeat;
  if (repeat != Repeat::once) words.insert(words.end(), {"--repeat", std::string(name_of(repeat))});
  words.insert(words.end(), style.repeat_flags.begin(), style.repeat_flags.end());
  return words;
}

/// What is to be said of a result beyond its row: why it is wrong, and the command that says which steps do it.
std::string wrong_part(const OrdersReport& report, const OrderResult& result, const ConsoleStyle& style,
                       const std::string& run_folder) {
  if (!result.is_wrong && result.verdict != Verdict::inconclusive) return "";
  std::string text = "\n" + hanging("  " + result.id + "  ",
                                    std::string(reader_word(result.verdict)) +
                                        (result.message.empty() ? "" : ": " + printable(result.message)),
                                    style.width);
  if (!result.is_wrong) return text;
  if (!result.file.empty()) text += hanging("      model: ", printable(run_folder + "/" + result.file), style.width);
  const auto command = command_of_order(report, result, style);
  if (!command.empty()) return text + "    which steps do it:\n" + shell_command(command, 6, style.width) + "\n";
  return text + hanging("    ",
                        "which steps do it: `culprit localize` with the order of " + result.id +
                            " as --passes (--verbose shows it)",
                        style.width);
}

std::string wrong_parts(const OrdersReport& report, const ConsoleStyle& style, const std::string& run_folder) {
  constexpr std::size_t most_told = 3;
  std::string text;
  std::size_t told = 0;
  for (const OrderResult& result : report.tried.results) {
    const std::string part = wrong_part(report, result, style, run_folder);
    if (!part.empty() && (style.verbose || told++ < most_told)) text += part;
  }
  return text;
}

std::string swaps_part(const OrdersReport& report, const ConsoleStyle& style) {
  const auto& swaps = report.tried.swaps;
  const auto matter = std::ranges::count_if(swaps, [](const SwappedSteps& swap) { return swap.changed > 0; });
  if (swaps.empty()) return "";
  const std::string found = matter == 0   ? "none changes the result"
                            : matter == 1 ? "1 changes the result"
                                          : fmt::format("{} change the result", matter);
  std::string text =
      "\n" + hanging("  ", counted(std::ssize(swaps), "pair") + " of neighbours swapped: " + found, style.width);
  std::size_t shown = 0;
  for (const SwappedSteps& swap : swaps) {
    if (swap.changed == 0 || (!style.verbose && shown++ == most_swaps_shown)) continue;
    text += hanging("    ",
                    printable(swap.before, 80) + " before " + printable(swap.after, 80) +
                        fmt::format(": {}; swapped: {}", swap.result, swap.swapped),
                    style.width);
  }
  return text;
}

std::string examples_part(const OrdersReport& report, const ConsoleStyle& style) {
  if (!style.verbose) return "";
  std::string text;
  for (const OrderResult& result : report.tried.results)
    text += "\n" + hanging("  " + result.id + "  ", printable(join(result.example, ", "), 4000), style.width);
  return text;
}

std::string_view first_order_words(const OrdersReport& report) {
  return report.is_bundle ? "the optimizer's own order" : "the order of --steps";
}

/// "the optimizer's own order, with nop moved to the front"
std::string example_text(const OrdersReport& report, const OrderResult& result) {
  std::string first(first_order_words(report));
  if (result.inversions == 0) return first;
  if (!result.moved) return counted(result.inversions, "inversion") + " from " + first;
  const std::string step = printable(result.moved->step, 80), after = printable(result.moved->after, 80);
  if (after.empty()) return first + ", with " + step + " moved to the front";
  const bool is_last = result.example.back() == result.moved->step;
  return first + ", with " + step + (is_last ? " moved to the end" : " moved to after " + after);
}

/// The move that gives each other result, where one move does.
std::string moves_part(const OrdersReport& report, const ConsoleStyle& style) {
  std::string text;
  std::size_t shown = 0;
  for (const OrderResult& result : report.tried.results) {
    if (!result.moved || (!style.verbose && shown++ == most_results_shown)) continue;
    text += hanging("  " + result.id + "  ", example_text(report, result), style.width);
  }
  return text.empty() ? "" : "\n" + text;
}

std::string best_part(const OrdersReport& report, const ConsoleStyle& style) {
  if (!report.tried.best) return "";
  constexpr std::size_t most_named = 8;
  const OrderResult& best = report.tried.results[*report.tried.best];
  std::string text =
      "\n" + hanging("  best  ", best.id + ": " + counted(best.nodes, "node") + ", " + example_text(report, best),
                     style.width);
  if (best.inversions == 0 || best.moved || best.example.size() > most_named) return text;
  return text + hanging("        ", printable(join(best.example, ", "), 800), style.width);
}

std::string written_part(const OrdersReport& report, const ConsoleStyle& style) {
  if (report.out.empty()) return "";
  return hanging(
      "",
      fmt::format("{} was written, and verified on {}", printable(report.out), counted(report.verified_on, "sample")),
      style.width);
}

std::string tried_text(const OrdersReport& report) {
  const std::string how_many =
      report.all_orders ? fmt::format("all {}", counted(report.orders, "order")) : counted(report.orders, "order");
  return fmt::format("  {} of {} {}, {}", how_many, report.steps.size(),
                     report.model.step_word == "pass" ? "passes" : "steps",
                     counted(std::ssize(report.tried.results), "result"));
}

}  // namespace

std::string to_console(const OrdersReport& report, const ConsoleStyle& style, const std::string& run_folder) {
  const ModelReport& model = report.model;
  const OrdersOutcome outcome = outcome_of(report);
  std::string text = painted(cut_path(printable(model.model.path), 40), Ink::strong, style.colour) + "  " +
                     painted(outcome.words, outcome.ink, style.colour) + "\n";
  if (!model.error.empty()) text += hanging("  ", printable(model.error), style.width);
  if (!report.steps.empty()) text += tried_text(report) + "\n";
  if (model.error.empty() && model.data.samples > 0) text += hanging("  ", data_text(model.data), style.width);
  if (!model.baseline.message.empty() && model.error.empty())
    text += hanging("  ", printable(model.baseline.message), style.width);
  for (const Warning& warning : model.warnings)
    text += hanging("  warning: ", printable(warning.code + ": " + warning.message), style.width);
  text += results_table(report, style) + moves_part(report, style) + wrong_parts(report, style, run_folder) +
          swaps_part(report, style) + examples_part(report, style) + best_part(report, style) + "\n" +
          written_part(report, style);
  return text + "report: " + printable(run_folder + "/report.json") + "\n";
}

}  // namespace culprit
