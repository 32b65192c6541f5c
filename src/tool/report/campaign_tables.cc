#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "report/campaign_parts.h"
#include "report/campaign_report.h"
#include "report/csv_cells.h"

namespace culprit {
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

/// Text inside of XML 1.0: `printable` leaves no control characters in it.
std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char sign : printable(text)) {
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

/// What became of a test case, inside of its element.
std::string junit_result(const CampaignRecord& record, const CaseRecord& shown) {
  const auto element = [](const char* name, const std::string& message) {
    return fmt::format("      <{} message=\"{}\"/>\n", name, xml_text(message));
  };
  if (!shown.entry.status) return element("skipped", "it has not run yet");
  switch (*shown.entry.status) {
    case OutcomeStatus::fault:
      return fmt::format("      <failure message=\"{}\">{}</failure>\n", xml_text(causes_of(record, shown)),
                         xml_text(signatures_of(record, shown)));
    case OutcomeStatus::failed:
      return element("error", shown.reason);
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

  void add(const CampaignRecord& record, const CaseRecord& shown) {
    const std::string result = junit_result(record, shown);
    ++tests;
    if (shown.entry.status == OutcomeStatus::fault) ++failures;
    if (shown.entry.status == OutcomeStatus::failed) ++errors;
    if (result.find("<skipped") != std::string::npos) ++skipped;
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
  std::string text = "job,model,target,optimizer,recipe,data,runtime,state,status,seconds,faults,signatures,reason\n";
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
                                         csv_text(shown.reason)};
    text += join(cells, ",") + "\n";
  }
  return text;
}

std::string campaign_as_junit(const CampaignRecord& record) {
  std::map<std::string, JunitSuite> suites;
  for (const CaseRecord& shown : record.cases) suites[suite_of(shown.order)].add(record, shown);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"culprit\">\n";
  for (const auto& [name, suite] : suites) text += suite.text(name);
  return text + "</testsuites>\n";
}

}  // namespace culprit
