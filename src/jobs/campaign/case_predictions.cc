#include "campaign/case_predictions.h"

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text.h"

namespace culprit {
namespace {

using PredictionsJson = nlohmann::ordered_json;

std::int64_t count_in(const PredictionsJson& json, const char* key) {
  const PredictionsJson& number = field_in(json, key);
  return number.is_number_integer() ? number.get<std::int64_t>() : 0;
}

std::string variant_title(const PredictionsJson& variant) {
  const PredictionsJson& bundle = field_in(variant, "is_bundle");
  if (bundle.is_boolean() && bundle.get<bool>()) return "all default passes";
  std::vector<std::string> steps;
  for (const PredictionsJson& step : list_in(object_in(variant, "recipe"), "passes"))
    if (step.is_string()) steps.push_back(step.get<std::string>());
  constexpr std::size_t most = 3;
  if (steps.size() > most) return std::to_string(steps.size()) + " passes";
  return join(steps, " + ");
}

}  // namespace

std::vector<CasePredictions> predictions_in(const CaseOrder& order, std::string_view report) {
  std::vector<CasePredictions> all;
  if (order.job != CampaignJob::check) return all;
  const PredictionsJson json = PredictionsJson::parse(report, nullptr, false);
  for (const PredictionsJson& model : list_in(json, "models"))
    for (const PredictionsJson& variant : list_in(model, "variants")) {
      const PredictionsJson& decisions = object_in(variant, "decisions");
      if (decisions.empty()) continue;
      CasePredictions one{order,
                          variant_title(variant),
                          text_in(decisions, "task"),
                          count_in(decisions, "samples"),
                          count_in(decisions, "changed"),
                          {}};
      for (const auto& [name, metric] : object_in(decisions, "metrics").items())
        if (const PredictionsJson& value = field_in(metric, "value"); value.is_number())
          one.metrics[name] = value.get<double>();
      all.push_back(std::move(one));
    }
  return all;
}

}  // namespace culprit
