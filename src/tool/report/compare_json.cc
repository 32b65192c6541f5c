#include "report/compare_json.h"

#include "record/report_schema.h"
#include "report/decisions_json.h"
#include "report/json_parts.h"

namespace culprit {
namespace {

Json json_of(const ComparedValue& value) {
  const bool is_mapped = !value.b.empty();
  const bool was_read = is_mapped && value.state != ValueState::not_read && value.state != ValueState::gone;
  return {{"a", value.a},
          {"b", or_null(value.b)},
          {"node_a", json_of(value.node_a)},
          {"node_b", json_of(value.node_b)},
          {"by", is_mapped ? Json(name_of(value.by)) : Json(nullptr)},
          {"state", name_of(value.state)},
          {"measurement", was_read ? measurement_of(value.measurement) : Json(nullptr)},
          {"alone", value.alone ? number(*value.alone) : Json(nullptr)}};
}

Json json_of(const MapCoverage& c) {
  return {{"percent", number(c.percent())},
          {"values", c.values},
          {"mapped", c.mapped},
          {"by_binding", c.by_binding},
          {"by_computation", c.by_computation},
          {"by_name", c.by_name},
          {"by_position", c.by_position},
          {"fused", c.fused},
          {"gone", c.gone},
          {"in_subgraphs", c.in_subgraphs},
          {"own_values", c.own_values}};
}

Json json_of(const CaptureFacts& c) {
  return {{"values", c.values}, {"not_read", c.not_read}, {"samples", c.samples},
          {"runs", c.runs},     {"halved", c.halved},     {"message", c.message}};
}

Json json_of(const std::optional<FirstDivergence>& first) {
  if (!first) return nullptr;
  return {{"a", first->a},
          {"b", first->b},
          {"nodes_a", nodes_of(first->nodes_a)},
          {"nodes_b", nodes_of(first->nodes_b)},
          {"error", number(first->error)},
          {"floor", number(first->floor)},
          {"message", first->message}};
}

Json pairs_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  return array_of(pairs, [](const auto& pair) { return Json{{"a", pair.first}, {"b", pair.second}}; });
}

}  // namespace

std::string to_json(const CompareReport& report) {
  const Json root = {{"schema", compare_schema},
                     {"tool", {{"name", "culprit"}, {"version", report.tool_version}}},
                     {"command", report.command},
                     {"environment", environment_of(report.environment)},
                     {"a", json_of(report.a)},
                     {"b", json_of(report.b)},
                     {"data", data_of(report.data)},
                     {"warnings", warnings_of(report.warnings)},
                     {"status", name_of(report.status)},
                     {"message", report.message},
                     {"reference_level", report.reference_level},
                     {"inputs", pairs_of(report.inputs)},
                     {"outputs", pairs_of(report.outputs)},
                     {"unbound", report.unbound},
                     {"verdict", name_of(report.verdict)},
                     {"measurements", measurements_of(report.measurements)},
                     {"remade", measurements_of(report.remade)},
                     {"coverage", json_of(report.coverage)},
                     {"capture", json_of(report.capture)},
                     {"values", array_of(report.values, [](const ComparedValue& value) { return json_of(value); })},
                     {"first_divergence", json_of(report.first_divergence)},
                     {"decisions", decisions_of(report.decisions)},
                     {"repros", report.repros},
                     {"seconds", number(report.seconds)},
                     {"peak_bytes", report.peak_bytes}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
