#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "record/enum_names.h"
#include "report/campaign_parts.h"
#include "report/campaign_report.h"
#include "report/layout.h"
#include "report/markdown_parts.h"

namespace culprit {
namespace {

constexpr std::size_t most_models = 5;

std::string models_of(const DistinctFault& fault) {
  std::vector<std::string> shown;
  for (const std::string& model : fault.models) {
    if (shown.size() == most_models) break;
    shown.push_back(printable(model));
  }
  const std::size_t left = fault.models.size() - shown.size();
  return join(shown, ", ") + (left > 0 ? fmt::format(" and {} more", left) : "");
}

std::string fault_as_text(const DistinctFault& fault, std::size_t number, const CampaignStyle& style) {
  const SeenFault& first = fault.first;
  const std::string title = fmt::format("{:>3}  {}", number, printable(cause_of(fault)));
  std::string text = painted(title, first.known_id.empty() ? Ink::bad : Ink::doubtful, style.colour) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += hanging(fmt::format("     {:<9}", name), value, style.width);
  };
  line("in", fmt::format("{}, {}", counted(static_cast<std::int64_t>(fault.models.size()), "model"),
                         counted(fault.cases, "case")));
  if (!first.known_id.empty()) line("known", printable(first.known_id + " " + first.note));
  line("what", printable(first.message));
  line("where", printable(first.place));
  line("models", models_of(fault));
  if (const std::string repro = repro_of(fault, style.run_folder); !repro.empty())
    text += fmt::format("     {:<9}{}\n", "repro", printable(repro));
  return text;
}

/// Those that are not right and have no fault that is told above, or all.
bool needs_a_look(const CaseRecord& shown, const CampaignStyle& style) {
  return style.all_cases || !shown.reason.empty() || shown.entry.status == OutcomeStatus::inconclusive ||
         shown.entry.status == OutcomeStatus::failed;
}

std::string counts_of(const CampaignRecord& record) {
  std::vector<std::string> parts;
  for (const OutcomeStatus status : {OutcomeStatus::ok, OutcomeStatus::fault, OutcomeStatus::known,
                                     OutcomeStatus::inconclusive, OutcomeStatus::failed})
    if (const auto count = record.cases_in(status); count > 0)
      parts.push_back(fmt::format("{} {}", count, name_of(status)));
  for (const CaseState state : {CaseState::waiting, CaseState::running})
    if (const auto count = record.cases_in(state); count > 0)
      parts.push_back(fmt::format("{} {}", count, name_of(state)));
  return counted(static_cast<std::int64_t>(record.cases.size()), "case") +
         (parts.empty() ? "" : ": " + join(parts, ", "));
}

/// "" where they were not judged again.
std::string told_again(const CampaignRecord& record) {
  if (!record.again) return "";
  const AgainCounts& again = *record.again;
  std::string text =
      fmt::format("judged again with atol {:g} and rtol {:g}: ", again.tolerance.atol, again.tolerance.rtol);
  text += counted(again.freed, "case") + (again.freed == 1 ? " has" : " have") + " no fault any more";
  if (again.not_told > 0) text += "; of " + counted(again.not_told, "case") + " only a run can tell";
  return text;
}

}  // namespace

std::string cause_of(const DistinctFault& fault) {
  const FaultKey& key = fault.first.key;
  std::string culprits = key.culprits.empty() ? "nobody known" : join(key.culprits, " + ");
  if (fault.first_order.job == CampaignJob::diagnose) return culprits;
  return std::string(reader_word(key.verdict)) + " by " + culprits;
}

std::string repro_of(const DistinctFault& fault, const std::filesystem::path& run_folder) {
  if (fault.first.repro.empty()) return "";
  return (run_folder / campaign_cases_name / fault.first_case.hex() / fault.first.repro).string();
}

std::string_view state_word(const CaseRecord& shown) {
  return shown.entry.status ? name_of(*shown.entry.status) : name_of(shown.entry.state);
}

std::string campaign_headline(const CampaignRecord& record) {
  const auto faults = static_cast<std::int64_t>(record.faults.size());
  const auto models = static_cast<std::int64_t>(record.models);
  if (record.cases.empty()) return "no case is shown";
  if (faults == 0) return "no fault in " + counted(models, "model");
  return fmt::format("{} in {} of {}", counted(faults, "distinct fault"), record.models_at_fault,
                     counted(models, "model"));
}

std::string campaign_as_text(const CampaignRecord& record, const CampaignStyle& style) {
  std::string text = painted(campaign_headline(record), Ink::strong, style.colour) + "\n" + counts_of(record) + "\n";
  if (record.again) text += hanging("", told_again(record), style.width);
  for (std::size_t i = 0; i < record.faults.size(); ++i) text += "\n" + fault_as_text(record.faults[i], i + 1, style);
  std::string rest;
  for (const CaseRecord& shown : record.cases) {
    if (!needs_a_look(shown, style)) continue;
    const std::string line =
        printable(title_of(shown.order)) + (shown.reason.empty() ? "" : ": " + printable(shown.reason, 300));
    rest += hanging(fmt::format("  {:<13}", state_word(shown)), line, style.width);
  }
  if (!rest.empty()) text += "\n" + rest;
  return text + predictions_as_text(record, style.width);
}

std::string campaign_as_markdown(const CampaignRecord& record, const CampaignStyle& style) {
  std::string text = "## " + campaign_headline(record) + "\n\n" + counts_of(record) + "\n";
  if (record.again) text += "\n" + told_again(record) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const DistinctFault& fault : record.faults)
    rows.push_back({markdown_text(cause_of(fault)), std::to_string(fault.models.size()), std::to_string(fault.cases),
                    markdown_text(fault.first.known_id), markdown_code(*fault.models.begin()),
                    markdown_text(fault.first.message)});
  if (!rows.empty())
    text += "\n" + markdown_table({"Fault", "Models", "Cases", "Known", "First model", "What"}, rows, {0, 3, 4, 5});
  rows.clear();
  for (const CaseRecord& shown : record.cases)
    if (needs_a_look(shown, style))
      rows.push_back(
          {markdown_code(title_of(shown.order)), std::string(state_word(shown)), markdown_text(shown.reason)});
  if (!rows.empty()) text += "\n" + markdown_table({"Case", "State", "Why"}, rows, {0, 1, 2});
  return text + predictions_as_markdown(record);
}

}  // namespace culprit
