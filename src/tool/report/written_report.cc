#include "report/written_report.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "record/report_schema.h"

namespace culprit {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

std::string_view line_of(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// "40 variants, 2 distinct, 1 fault"
bool tells_of_variants(std::string_view text) {
  const auto after_number = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view rest = text.substr(after_number);
  return after_number > 0 && rest.starts_with(" variant") && rest.find(" distinct, ") != std::string_view::npos;
}

/// "mnist-7.onnx  ok  40 variants, 5 distinct, no fault" (report/console.cc)
bool is_outcome_of_check(std::string_view line) {
  for (const std::string_view word : {"  ok  ", "  FAULT  ", "  known  "}) {
    const auto at = line.find(word);
    if (at != std::string_view::npos && tells_of_variants(line.substr(at + word.size()))) return true;
  }
  return line.find("  cannot judge: ") != std::string_view::npos;
}

/// "MISMATCH", and then the two models (report/compare_console.cc)
bool is_outcome_of_comparison(std::string_view line, std::string_view next) {
  const std::array outcomes{"the same", "MISMATCH", "cannot judge"};
  return next.starts_with("  A  ") &&
         std::ranges::any_of(outcomes, [&](const char* outcome) { return line.starts_with(outcome); });
}

/// "classification  2 models of 1000 samples, 528 ms" (report/evaluation_console.cc)
bool is_outcome_of_evaluation(std::string_view line) {
  const auto behind_task = line.find("  ");
  if (behind_task == std::string_view::npos) return false;
  const std::string_view rest = line.substr(behind_task + 2);
  const auto after_number = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return after_number > 0 && rest.substr(after_number).starts_with(" model") &&
         rest.find(" sample") != std::string_view::npos;
}

/// "profile  4 entries against off, 12 blocks, 33.1 s" (report/profile_console.cc)
bool is_outcome_of_profile(std::string_view line, std::string_view next) {
  constexpr std::string_view word = "profile  ";
  if (!line.starts_with(word)) return false;
  const std::string_view rest = line.substr(word.size());
  const auto after_number = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return after_number > 0 && rest.substr(after_number).starts_with(" entr") &&
         (next.starts_with("  model ") || next.starts_with("  machine "));
}

}  // namespace

bool is_printed_report(std::string_view text) {
  const std::string_view first = line_of(text);
  const std::string_view second = line_of(text);
  return is_outcome_of_check(first) || is_outcome_of_evaluation(first) || is_outcome_of_comparison(first, second) ||
         is_outcome_of_profile(first, second);
}

std::string what_else_than_a_report(const std::filesystem::path& file) {
  const auto content = read_file(file, most_bytes);
  if (!content) return content.error().message;
  const std::string_view text = trim(*content);
  if (content->empty() || is_printed_report(*content) || (text.starts_with('{') && is_report(*content))) return "";
  if (content->find('\0') != std::string::npos) return "it is no text";
  std::string_view rest = text;
  return "it begins with '" + printable(line_of(rest), 40) + "'";
}

}  // namespace culprit
