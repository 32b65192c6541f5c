#include "campaign/case_outcome.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/folder.h"
#include "base/json_fields.h"
#include "base/text.h"

namespace culprit {
namespace {

using ReportJson = nlohmann::ordered_json;

constexpr int code_ok = 0, code_fault = 1, code_cannot_judge = 3;  // docs/architecture.md

/// Is the disk so full that a case may have failed for it?
Result<void> expect_room(const fs::path& folder) {
  constexpr std::uintmax_t enough = std::uintmax_t{16} << 20;
  std::error_code error;
  const fs::path place = folder.parent_path();
  const auto space = fs::space(place, error);
  if (error || space.available >= enough) return {};
  return fail(ErrorKind::io,
              "the disk of " + printable(place.string()) + " is full: " + human_bytes(space.available) + " are left",
              "make room there and run it again: all that was finished before is kept");
}

/// The exit code of what cannot be judged says so also without a report.
CaseOutcome without_report(const CaseEnd& end, const std::string& why) {
  const std::string words = end.death.last_words;
  const ReportJson json{{"error", why}, {"last_words", words}};
  const bool is_open = end.exit_code == code_cannot_judge;
  return {is_open ? OutcomeStatus::inconclusive : OutcomeStatus::failed, end.seconds,
          json.dump(-1, ' ', false, ReportJson::error_handler_t::replace)};
}

/// A check knows more than its exit code says.
OutcomeStatus status_of_check(const ReportJson& model, OutcomeStatus by_code) {
  if (text_in(object_in(model, "baseline"), "status") == "machine_failed") return OutcomeStatus::failed;
  return text_in(model, "outcome") == "known" ? OutcomeStatus::known : by_code;
}

std::optional<OutcomeStatus> status_of_code(int code) {
  switch (code) {
    case code_ok:
      return OutcomeStatus::ok;
    case code_fault:
      return OutcomeStatus::fault;
    case code_cannot_judge:
      return OutcomeStatus::inconclusive;
    default:
      return std::nullopt;
  }
}

/// Did it keep anything beside its report?
bool keeps_files(const fs::path& folder) {
  std::error_code error;
  return std::ranges::any_of(fs::directory_iterator(folder, error), [](const fs::directory_entry& entry) {
    std::error_code ignored;
    return entry.path().filename() != "report.json" && !fs::is_empty(entry.path(), ignored);
  });
}

}  // namespace

Result<CaseOutcome> outcome_of(const CaseOrder& order, const CaseEnd& end, const fs::path& folder) {
  const auto text = read_file(folder / "report.json", largest_case_report);
  const ReportJson json = text ? ReportJson::parse(*text, nullptr, false) : ReportJson();
  const auto status = end.exit_code ? status_of_code(*end.exit_code) : std::nullopt;
  if (!json.is_object() || !status) {
    if (auto room = expect_room(folder); !room) return tl::unexpected(room.error());
    const std::string how =
        end.exit_code ? "it ended with exit code " + std::to_string(*end.exit_code) : end.death.message;
    return without_report(end, json.is_object() || end.exit_code == std::nullopt ? how : how + " and left no report");
  }
  CaseOutcome outcome{*status, end.seconds, *text};
  const ReportJson& models = list_in(json, "models");
  if (order.job == CampaignJob::check && models.size() == 1) outcome.status = status_of_check(models.front(), *status);
  if (!keeps_files(folder)) remove_folder(folder);
  return outcome;
}

}  // namespace culprit
