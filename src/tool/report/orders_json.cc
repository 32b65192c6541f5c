#include "report/orders_json.h"

#include "record/report_schema.h"
#include "report/json_parts.h"

namespace culprit {
namespace {

Json json_of(const std::optional<MovedStep>& moved) {
  if (!moved) return nullptr;
  return {{"step", moved->step}, {"after", or_null(moved->after)}};
}

Json json_of(const OrderResult& result) {
  return {{"id", result.id},
          {"orders", result.orders},
          {"example", result.example},
          {"inversions", result.inversions},
          {"moved", json_of(result.moved)},
          {"fingerprint", or_null(result.fingerprint)},
          {"nodes", result.fingerprint.empty() ? Json(nullptr) : Json(result.nodes)},
          {"verdict", name_of(result.verdict)},
          {"level", or_null(result.level)},
          {"message", result.message},
          {"file", or_null(result.file)},
          {"right", result.is_right},
          {"wrong", result.is_wrong},
          {"same_bits", result.same_bits ? Json(*result.same_bits) : Json(nullptr)}};
}

Json json_of(const SwappedSteps& swap) {
  return {{"before", swap.before},
          {"after", swap.after},
          {"tried", swap.tried},
          {"changed", swap.changed},
          {"result", or_null(swap.result)},
          {"swapped", or_null(swap.swapped)}};
}

Json best_of(const TriedOrders& tried) { return tried.best ? Json(tried.results[*tried.best].id) : Json(nullptr); }

}  // namespace

std::string to_json(const OrdersReport& report) {
  const ModelReport& model = report.model;
  const Json root = {
      {"schema", orders_schema},
      {"tool", {{"name", "culprit"}, {"version", report.tool_version}}},
      {"command", report.command},
      {"environment", tested_in(report.environment)},
      {"model", json_of(model.model)},
      {"data", data_of(model.data)},
      {"baseline", {{"status", name_of(model.baseline.status)}, {"message", model.baseline.message}}},
      {"warnings", warnings_of(model.warnings)},
      {"error", or_null(model.error)},
      {"skipped", model.skipped},
      {"optimizer", report.optimizer},
      {"steps", report.steps},
      {"is_bundle", report.is_bundle},
      {"seed", report.seed},
      {"orders", report.orders},
      {"all_orders", report.all_orders},
      {"results", array_of(report.tried.results, [](const OrderResult& result) { return json_of(result); })},
      {"swaps", array_of(report.tried.swaps, [](const SwappedSteps& swap) { return json_of(swap); })},
      {"best", best_of(report.tried)},
      {"output", or_null(report.out)},
      {"why_not_written", report.why_not},
      {"verified_on", report.verified_on},
      {"seconds", number(report.seconds)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
