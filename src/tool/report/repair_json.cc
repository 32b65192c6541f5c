#include "report/repair_json.h"

#include "record/report_schema.h"
#include "report/diagnosis_json_parts.h"
#include "report/json_parts.h"

namespace culprit {
namespace {

Json json_of(const RepairRound& round) {
  return {{"faults", array_of(round.faults, json_of_fault)},
          {"error_before", number(round.error_before)},
          {"error_after", number(round.error_after)},
          {"made", round.is_made},
          {"why_not", round.why_not}};
}

Json json_of(const RepairCheck& check) {
  return {{"level", check.level},
          {"status", name_of(check.status)},
          {"message", check.message},
          {"error", number(check.error)},
          {"samples", check.samples}};
}

}  // namespace

std::string to_json(const TargetRepair& repair) {
  const Json root = {{"schema", repair_schema},
                     {"tool", {{"name", "culprit"}, {"version", repair.tool_version}}},
                     {"command", repair.command},
                     {"environment", environment_of(repair.environment)},
                     {"status", name_of(repair.status)},
                     {"message", repair.message},
                     {"output", or_null(repair.out)},
                     {"output_sha256", or_null(repair.out_sha256)},
                     {"feeding", or_null(repair.feeding)},
                     {"rounds", array_of(repair.rounds, [](const RepairRound& round) { return json_of(round); })},
                     {"checks", array_of(repair.checks, [](const RepairCheck& check) { return json_of(check); })},
                     {"before", json_of_diagnosis(repair.before)},
                     {"after", repair.after ? json_of_diagnosis(*repair.after) : Json(nullptr)},
                     {"seconds", number(repair.seconds)},
                     {"peak_bytes", repair.peak_bytes}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
