#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "hub/web_address.h"
#include "record/enum_names.h"
#include "report/campaign_parts.h"
#include "report/campaign_report.h"

namespace culprit {
namespace {

using CampaignJson = nlohmann::ordered_json;

std::string written(const CampaignJson& json) {
  return json.dump(2, ' ', false, CampaignJson::error_handler_t::replace) + "\n";
}

CampaignJson json_of(const DistinctFault& fault) {
  const SeenFault& first = fault.first;
  return {{"culprits", first.key.culprits},
          {"verdict", name_of(first.key.verdict)},
          {"signature", first.key.signature},
          {"reduced_fingerprint", first.key.fingerprint},
          {"message", first.message},
          {"place", first.place},
          {"known", first.known_id.empty() ? CampaignJson() : CampaignJson(first.known_id)},
          {"models", fault.models},
          {"optimizers", fault.optimizers},
          {"cases", fault.cases},
          {"first_case", fault.first_case.hex()},
          {"repro", first.repro}};
}

CampaignJson json_of(const CaseRecord& shown) {
  const CaseOrder& order = shown.order;
  return {{"key", shown.entry.planned.key.hex()},
          {"job", name_of(order.job)},
          {"model", order.model},
          {"target", order.target},
          {"optimizer", order.optimizer},
          {"recipe", order.recipe},
          {"data", order.data},
          {"runtime", order.runtime},
          {"flags", order.flags},
          {"state", name_of(shown.entry.state)},
          {"status", shown.entry.status ? CampaignJson(name_of(*shown.entry.status)) : CampaignJson()},
          {"seconds", shown.entry.seconds},
          {"faults", shown.faults},
          {"reason", shown.reason}};
}

/// An id that a cause has in every run, whatever else is found.
std::string rule_id_of(const DistinctFault& fault) {
  constexpr std::size_t digits = 12;
  Hasher hasher;
  for (const std::string& culprit : fault.first.key.culprits) hasher.add(culprit);
  hasher.add(name_of(fault.first.key.verdict)).add(fault.first.key.signature).add(fault.first.key.fingerprint);
  return "fault-" + hasher.finish().hex().substr(0, digits);
}

CampaignJson rules_of(const CampaignRecord& record) {
  CampaignJson rules = CampaignJson::array();
  for (const DistinctFault& fault : record.faults)
    rules.push_back(
        {{"id", rule_id_of(fault)},
         {"name", cause_of(fault)},
         {"shortDescription", {{"text", cause_of(fault)}}},
         {"fullDescription", {{"text", fault.first.message.empty() ? cause_of(fault) : fault.first.message}}}});
  return rules;
}

CampaignJson result_of(const CampaignRecord& record, const CaseRecord& shown, std::size_t place) {
  const DistinctFault& fault = record.faults[place];
  // A model has no lines, and code scanning on GitHub shows no result without one.
  CampaignJson location = {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", as_address(shown.order.model)}}}, {"region", {{"startLine", 1}}}}}};
  // The value that is wrong is that of the case in which the cause was seen first.
  if (!fault.first.place.empty() && fault.first_order.model == shown.order.model)
    location["logicalLocations"] = {{{"name", fault.first.place},
                                     {"fullyQualifiedName", shown.order.model + "/" + fault.first.place},
                                     {"kind", "variable"}}};
  CampaignJson result = {{"ruleId", rule_id_of(fault)},
                         {"ruleIndex", place},
                         {"level", fault.first.known_id.empty() ? "error" : "note"},
                         {"message", {{"text", cause_of(fault) + " in " + title_of(shown.order)}}},
                         {"locations", {location}},
                         {"partialFingerprints", {{"culpritSignature/v1", fault.first.key.signature}}}};
  if (!fault.first.known_id.empty())
    result["suppressions"] = {{{"kind", "external"}, {"justification", "known as " + fault.first.known_id}}};
  return result;
}

CampaignJson json_of(const std::optional<AgainCounts>& again) {
  if (!again) return nullptr;
  return {{"atol", again->tolerance.atol},
          {"rtol", again->tolerance.rtol},
          {"freed", again->freed},
          {"not_told", again->not_told}};
}

CampaignJson json_of(const CasePredictions& one) {
  return {{"model", one.order.model}, {"optimizer", one.order.optimizer}, {"variant", one.variant}, {"task", one.task},
          {"samples", one.samples},   {"changed", one.changed},           {"metrics", one.metrics}};
}

}  // namespace

std::string campaign_as_json(const CampaignRecord& record, const std::string& tool_version) {
  CampaignJson statuses = CampaignJson::object(), states = CampaignJson::object();
  for (const OutcomeStatus status : {OutcomeStatus::fault, OutcomeStatus::known, OutcomeStatus::ok,
                                     OutcomeStatus::inconclusive, OutcomeStatus::failed})
    statuses[std::string(name_of(status))] = record.cases_in(status);
  for (const CaseState state : {CaseState::waiting, CaseState::running, CaseState::finished, CaseState::set_aside})
    states[std::string(name_of(state))] = record.cases_in(state);
  CampaignJson faults = CampaignJson::array(), cases = CampaignJson::array();
  for (const DistinctFault& fault : record.faults) faults.push_back(json_of(fault));
  for (const CaseRecord& shown : record.cases) cases.push_back(json_of(shown));
  CampaignJson predictions = CampaignJson::array();
  for (const CasePredictions& one : record.predictions) predictions.push_back(json_of(one));
  return written({{"schema", "culprit.campaign/1"},
                  {"tool", {{"name", "culprit"}, {"version", tool_version}}},
                  {"judged_again", json_of(record.again)},
                  {"models", record.models},
                  {"models_at_fault", record.models_at_fault},
                  {"by_status", statuses},
                  {"by_state", states},
                  {"faults", faults},
                  {"cases", cases},
                  {"predictions", predictions}});
}

std::string campaign_as_sarif(const CampaignRecord& record, const std::string& tool_version) {
  CampaignJson results = CampaignJson::array();
  for (const CaseRecord& shown : record.cases)
    for (const std::size_t place : shown.faults) results.push_back(result_of(record, shown, place));
  return written(
      {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs",
        {{{"tool", {{"driver", {{"name", "culprit"}, {"version", tool_version}, {"rules", rules_of(record)}}}}},
          {"results", results}}}}});
}

}  // namespace culprit
