#pragma once
// A campaign, shown: text for people, and forms that other programs read. Untrusted text is made printable here.

#include <filesystem>
#include <string>

#include "campaign/campaign_record.h"

namespace culprit {

/// What is shown of it.
struct CampaignStyle {
  bool colour = false;
  int width = 80;
  bool all_cases = false;                 ///< also those that are ok
  std::filesystem::path run_folder = {};  ///< in which repros lie
};

/// The causes first, each once over all models; then the cases that need a look.
std::string campaign_as_text(const CampaignRecord& record, const CampaignStyle& style);
/// The same as Markdown, to paste into an issue.
std::string campaign_as_markdown(const CampaignRecord& record, const CampaignStyle& style);
/// Schema culprit.campaign/1.
std::string campaign_as_json(const CampaignRecord& record, const std::string& tool_version);
/// A line for each case, with the signatures of its faults.
std::string campaign_as_csv(const CampaignRecord& record);
/// JUnit's XML: a test suite for each optimizer, a test case for each case. Repros are named as they lie in
/// `run_folder`.
std::string campaign_as_junit(const CampaignRecord& record, const std::filesystem::path& run_folder);
/// SARIF 2.1.0 (OASIS): a rule is who broke it, a result is a cause in a model, its place the value that is wrong.
std::string campaign_as_sarif(const CampaignRecord& record, const std::string& tool_version);

/// "3 distinct faults in 41 of 120 models".
std::string campaign_headline(const CampaignRecord& record);

}  // namespace culprit
