#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "base/shell_words.h"
#include "base/text.h"
#include "report/campaign_parts.h"
#include "report/campaign_report.h"
#include "report/csv_cells.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

std::string signatures_of(const CampaignRecord& record, const CaseRecord& shown) {
  std::vector<std::string> signatures;
  signatures.reserve(shown.faults.size());
  for (const std::size_t place : shown.faults) signatures.push_back(record.faults[place].first.key.signature);
  return join(signatures, "; ");
}

std::string causes_of(const CampaignRecord& record, const CaseRecord& shown) {
  std::vector<std::string> causes;
  causes.reserve(shown.faults.size());
  for (const std::size_t place : shown.faults) causes.push_back(cause_of(record.faults[place]));
  return join(causes, "; ");
}

/// Text inside of XML 1.0: `printable` leaves no control characters in it, and the two others that XML has not go here.
std::string xml_text(const std::string& text) {
  std::string escaped;
  const std::string shown = printable(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char sign = shown[i];
    const std::string_view from_here = std::string_view(shown).substr(i, 3);
    if (from_here == "\xEF\xBF\xBE" || from_here == "\xEF\xBF\xBF") {
      escaped += '?';
      i += 2;
      continue;
    }
    switch (sign) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += sign;
    }
  }
  return escaped;
}

/// "wrong by fuse: output 'y' differs by 0.5; ...": what a server shows in its list.
std::string told_shortly(const CampaignRecord& record, const CaseRecord& shown) {
  std::vector<std::string> told;
  for (const std::size_t place : shown.faults) {
    const DistinctFault& fault = record.faults[place];
    told.push_back(cause_of(fault) + (fault.first.message.empty() ? "" : ": " + fault.first.message));
  }
  return told.empty() ? "a fault of which its report says nothing" : join(told, "; ");
}

/// What a server shows of one failure: a line for each thing that is known, and the commands that repeat it.
std::string told_at_length(const CampaignRecord& record, const CaseRecord& shown, const fs::path& run_folder) {
  std::string text = "\n";
  const auto line = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += xml_text(name + value) + "\n";
  };
  for (const std::size_t place : shown.faults) {
    const DistinctFault& fault = record.faults[place];
    line("", cause_of(fault));
    const std::string& first = fault.first_order.model;  // whose words these are
    const std::string of_other = first == shown.order.model ? ": " : ", in " + first + ": ";
    line("what" + of_other, fault.first.message);
    line("where" + of_other, fault.first.place);
    line("signature: ", fault.first.key.signature);
    const std::string repro = repro_of(fault, run_folder);
    if (!repro.empty()) line("repro" + of_other, "culprit replay " + shell_quoted(repro));
  }
  if (record.again)
    line("judged again with ", fmt::format("--atol {:g} --rtol {:g}; the other lines are those of the run",
                                           record.again->tolerance.atol, record.again->tolerance.rtol));
  line("again, from the folder of the campaign: ", command_of(shown.order));
  return text;
}

/// What became of a test case, inside of its element.
std::string junit_result(const CampaignRecord& record, const CaseRecord& shown, const fs::path& run_folder) {
  const auto element = [](const char* name, const std::string& message) {
    return fmt::format("      <{} message=\"{}\"/>\n", name, xml_text(message));
  };
  if (!shown.entry.status) return element("skipped", "it has not run yet");
  switch (*shown.entry.status) {
    case OutcomeStatus::fault:
      return fmt::format("      <failure type=\"fault\" message=\"{}\">{}</failure>\n",
                         xml_text(told_shortly(record, shown)), told_at_length(record, shown, run_folder));
    case OutcomeStatus::failed:
      return fmt::format("      <error type=\"failed\" message=\"{}\">{}</error>\n", xml_text(shown.reason),
                         told_at_length(record, shown, run_folder));
    case OutcomeStatus::inconclusive:
      return element("skipped", shown.reason.empty() ? "nobody could judge it" : shown.reason);
    case OutcomeStatus::known:
    case OutcomeStatus::ok:
      return "";
  }
  return "";
}

struct JunitSuite {
  std::int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  std::string cases;

  void add(const CampaignRecord& record, const CaseRecord& shown, const fs::path& run_folder) {
    const std::string result = junit_result(record, shown, run_folder);
    ++tests;
    if (shown.entry.status == OutcomeStatus::fault) ++failures;
    if (shown.entry.status == OutcomeStatus::failed) ++errors;
    if (!shown.entry.status || shown.entry.status == OutcomeStatus::inconclusive) ++skipped;
    seconds += shown.entry.seconds;
    const std::string start =
        fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"", xml_text(title_of(shown.order)),
                    xml_text(shown.order.model), shown.entry.seconds);
    cases += start + (result.empty() ? "/>\n" : ">\n" + result + "    </testcase>\n");
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return fmt::format(
               "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
               xml_text(name), tests, failures, errors, skipped, seconds) +
           cases + "  </testsuite>\n";
  }
};

std::string suite_of(const CaseOrder& order) {
  const std::string job(name_of(order.job));
  return order.optimizer.empty() ? job : job + " " + order.optimizer;
}

}  // namespace

std::string campaign_as_csv(const CampaignRecord& record) {
  std::string text =
      "job,model,target,optimizer,recipe,data,runtime,state,status,seconds,faults,signatures,reason,key,flags\n";
  for (const CaseRecord& shown : record.cases) {
    const CaseOrder& order = shown.order;
    const std::vector<std::string> cells{csv_text(std::string(name_of(order.job))),
                                         csv_text(order.model),
                                         csv_text(order.target),
                                         csv_text(order.optimizer),
                                         csv_text(order.recipe),
                                         csv_text(order.data),
                                         csv_text(order.runtime),
                                         csv_text(std::string(name_of(shown.entry.state))),
                                         shown.entry.status ? std::string(name_of(*shown.entry.status)) : "",
                                         csv_number(shown.entry.seconds),
                                         csv_text(causes_of(record, shown)),
                                         csv_text(signatures_of(record, shown)),
                                         csv_text(shown.reason),
                                         shown.entry.planned.key.hex(),
                                         csv_text(typed_flags(order))};
    text += join(cells, ",") + "\n";
  }
  return text;
}

std::string campaign_as_junit(const CampaignRecord& record, const fs::path& run_folder) {
  std::map<std::string, JunitSuite> suites;
  for (const CaseRecord& shown : record.cases) suites[suite_of(shown.order)].add(record, shown, run_folder);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
      fmt::format("<testsuites name=\"culprit\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", record.cases.size(),
                  record.cases_in(OutcomeStatus::fault), record.cases_in(OutcomeStatus::failed));
  for (const auto& [name, suite] : suites) text += suite.text(name);
  return text + "</testsuites>\n";
}

}  // namespace culprit
