#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/profile_console_parts.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::size_t answers_shown = 8;

std::string words_line(const char* head, const std::string& words, const ConsoleStyle& style) {
  return words.empty() ? "" : hanging(head, printable(words), style.width);
}

/// "1.09 x (1.08 to 1.1) SLOWER  a, b"
std::string answer_line(const BlameAnswer& answer, std::size_t all, const ConsoleStyle& style) {
  std::string head = "      ";
  head += is_there(answer.ratio) ? ratio_text(answer.ratio) : "no ratio";
  head += " " + painted(name_of(answer.verdict), ink_of(answer.verdict), style.colour) + "  ";
  return head + cut_middle(printable(words_of_steps(answer.steps, all)), std::max(20, style.width - 46)) + "\n";
}

/// Tells of a search that came to its end only with --verbose.
std::string answers_part(const BlameRecord& blame, const ConsoleStyle& style) {
  if (blame.answers.empty() || (blame.open.empty() && !style.verbose)) return "";
  const std::size_t all = blame.answers.front().steps.size();
  const std::size_t shown = style.verbose ? blame.answers.size() : std::min(blame.answers.size(), answers_shown);
  std::string text =
      fmt::format("    asked    {}, {}\n", counted(static_cast<std::int64_t>(blame.answers.size()), "question"),
                  human_seconds(blame.seconds));
  for (std::size_t i = 0; i < shown; ++i) text += answer_line(blame.answers[i], all, style);
  if (shown < blame.answers.size())
    text += fmt::format("      and {} more (--verbose shows them)\n", blame.answers.size() - shown);
  return text;
}

std::string open_part(const BlameRecord& blame, const ConsoleStyle& style) {
  if (blame.open.empty()) return "";
  std::string text = words_line("    open     ", join(blame.open, ", "), style);
  if (blame.seconds_left > 0)
    text +=
        hanging("    to come  ",
                fmt::format("about {} of measuring at most, where one step does it", human_seconds(blame.seconds_left)),
                style.width);
  return text;
}

std::string blame_text(const BlameRecord& blame, const ConsoleStyle& style) {
  const char* asked = blame.asked == SpeedVerdict::faster ? "faster" : "slower";
  std::string text = "\n" + hanging("  blame: ",
                                    fmt::format("{} is {}: {}", cut_middle(printable(blame.entry), 40), asked,
                                                printable(blame.message)),
                                    style.width);
  text += words_line("    steps    ", join(blame.steps, ", "), style);
  text += words_line("    because  ", blame.because, style);
  if (!blame.ops_changed.empty())
    text += words_line("    file     ", "without any step: " + change_words(blame.ops_changed), style);
  if (is_there(blame.with)) text += "    alone    " + ratio_text(blame.with) + "\n";
  if (is_there(blame.without) && blame.without_verdict)
    text += "    without  " + ratio_text(blame.without) + "  " +
            painted(name_of(*blame.without_verdict), ink_of(*blame.without_verdict), style.colour) + "\n";
  text += words_line("    instead  ", blame.workaround, style);
  text += open_part(blame, style) + answers_part(blame, style);
  if (blame.unsure > 0)
    text +=
        hanging("    ", fmt::format("{} of {} had no sure answer", blame.unsure, counted(blame.questions, "question")),
                style.width);
  return text;
}

}  // namespace

std::string blames_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const BlameRecord& blame : report.blames) text += blame_text(blame, style);
  return text;
}

}  // namespace culprit
