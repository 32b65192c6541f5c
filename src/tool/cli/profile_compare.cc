#include "cli/profile_compare.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/profile_files.h"
#include "profile/gate/check_kept.h"
#include "profile/gate/kept_differences.h"
#include "profile/gate/regressions.h"
#include "report/profile_console.h"
#include "report/profile_csv.h"
#include "report/profile_json.h"

namespace culprit {
namespace {

/// What a report says of the one that it was held against itself when it was measured.
void forget_gate(ProfileReport& report) {
  report.kept.clear();
  report.regressions.clear();
  std::erase_if(report.warnings, [](const Warning& one) { return std::ranges::count(gate_warnings, one.code) > 0; });
}

ConsoleStyle style_of_comparison(const ProfileArguments& arguments, const Look& look) {
  const bool to_file = !arguments.printing.output.empty();
  return {look.colour && !to_file, to_file ? 80 : look.width, arguments.printing.verbose};
}

}  // namespace

std::string printed_profile(const ProfileReport& report, ProfileForm form, const ConsoleStyle& style,
                            const std::filesystem::path& run_folder) {
  switch (form) {
    case ProfileForm::json:
      return to_json(report);
    case ProfileForm::markdown:
      return profile_markdown(report);
    case ProfileForm::csv:
      return to_csv(report);
    case ProfileForm::text:
      break;
  }
  return to_console(report, style, run_folder);
}

Result<std::optional<ProfileReport>> kept_profile(const char* flag, const std::filesystem::path& file) {
  if (file.empty()) return std::nullopt;
  const std::string named = std::string(flag) + " ";
  const auto text = read_file(file);
  if (!text) return fail(text.error().kind, named + text.error().message, text.error().hint);
  auto kept = read_profile(*text, file.string());
  if (!kept) return fail(kept.error().kind, named + kept.error().message, kept.error().hint);
  if (const auto ok = check_kept(*kept); !ok)
    return fail(ok.error().kind, named + printable(file.string()) + ": " + ok.error().message, ok.error().hint);
  return std::move(*kept);
}

bool hold_against(const ProfileReport& kept, const std::filesystem::path& file, ProfileReport& report) {
  report.kept = file.string();
  report.regressions = regressions(kept, report);
  std::ranges::move(not_compared(kept, report), std::back_inserter(report.warnings));
  std::ranges::move(kept_differs(kept, report), std::back_inserter(report.warnings));
  return is_blind(kept, report);
}

int exit_code_of(const ProfileReport& report, bool is_no_answer) {
  const bool one_failed = std::ranges::any_of(
      report.entries, [](const ProfileEntry& entry) { return entry.verdict == SpeedVerdict::failed; });
  const bool is_sweep_failed = report.sweep && std::ranges::any_of(report.sweep->points, [](const SweepPoint& point) {
                                 return !point.failure.empty();
                               });
  if (one_failed || is_sweep_failed || !report.regressions.empty()) return exit_code::fault;
  return is_no_answer ? exit_code::cannot_judge : exit_code::nothing_wrong;
}

Result<int> compare_profiles(const ProfileArguments& arguments, Terminal& terminal) {
  const auto kept = kept_profile("--compare", arguments.compared);
  if (!kept) return tl::unexpected(kept.error());
  auto report = kept_profile("--compare", arguments.request.models.front());
  if (!report) return tl::unexpected(report.error());
  forget_gate(**report);
  const bool is_no_answer = hold_against(**kept, arguments.compared, **report);
  const std::string printed =
      printed_profile(**report, arguments.form, style_of_comparison(arguments, terminal.look()), "");
  const auto& output = arguments.printing.output;
  if (auto ok = output.empty() ? terminal.print(printed) : write_file_atomic(output, printed); !ok)
    return tl::unexpected(ok.error());
  return exit_code_of(**report, is_no_answer);
}

}  // namespace culprit
