#include "report/diagnosis_json.h"

#include "record/report_schema.h"
#include "report/decisions_json.h"
#include "report/diagnosis_json_parts.h"
#include "report/json_parts.h"

namespace culprit {
namespace {

Json number_if_any(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

/// null where there is none.
Json json_of(const LayerRef& layer) {
  if (layer.number < 0 && layer.name.empty() && layer.type.empty()) return nullptr;
  return {{"name", layer.name}, {"type", layer.type}, {"number", layer.number}};
}

Json json_of(const NetworkFacts& facts) {
  return {{"path", facts.path}, {"sha256", or_null(facts.sha256)}, {"format", facts.format}, {"layers", facts.layers}};
}

Json bound_of(const std::vector<BoundOutput>& values, bool measured) {
  return array_of(values, [measured](const BoundOutput& value) {
    Json json = {{"source", value.source}, {"target", value.target}, {"order", value.order}};
    if (!value.axes.empty()) json["axes"] = value.axes;
    if (measured) json["measurement"] = measurement_of(value.measurement);
    return json;
  });
}

Json json_of(const MapRecord& map) {
  const MapCounts& counts = map.counts;
  return {{"percent", number(counts.percent())},
          {"layers", counts.layers},
          {"with_parameters", counts.with_parameters},
          {"found", counts.found},
          {"by_consumer", counts.by_consumer},
          {"not_found", counts.not_found},
          {"all_values", counts.values},
          {"values_found", counts.values_found},
          {"values", array_of(map.values, [](const MappedValue& value) {
             return Json{{"source", value.source},       {"target", value.target},
                         {"order", value.order},         {"by", value.by},
                         {"error", number(value.error)}, {"floor", number_if_any(value.floor)}};
           })}};
}

Json json_of(const MappedParameter& parameter) {
  return {{"layer", json_of(parameter.layer)},
          {"tensor", parameter.tensor},
          {"target", or_null(parameter.target)},
          {"kind", parameter.kind},
          {"order", parameter.order},
          {"mean_difference", number(parameter.mean_difference)},
          {"distance", number(parameter.distance)},
          {"wrong", parameter.wrong}};
}

Json json_of(const LayerRow& row) {
  return {{"source", json_of(row.source)},
          {"target", json_of(row.target)},
          {"found", name_of(row.found)},
          {"error", number_if_any(row.error)},
          {"error_alone", number_if_any(row.error_alone)},
          {"floor", number_if_any(row.floor)},
          {"parameter_difference", number_if_any(row.parameter_difference)},
          {"fault", or_null(row.fault)}};
}

Json json_of(const FaultEvidence& evidence) {
  Json numbers = Json::object();
  for (const auto& [name, value] : evidence.numbers) numbers[name] = number(value);
  return {{"kind", evidence.kind},
          {"numbers", std::move(numbers)},
          {"elements", array_of(evidence.elements,
                                [](const WrongElement& element) {
                                  return Json{{"source", element.source},
                                              {"target", element.target},
                                              {"right", number(element.right)},
                                              {"wrong", number(element.wrong)}};
                                })},
          {"message", evidence.message}};
}

Json json_of(const ConversionFault& fault) {
  return {{"id", fault.id},
          {"class", name_of(fault.kind)},
          {"stage", fault.stage},
          {"source", json_of(fault.source)},
          {"group", array_of(fault.group, [](const LayerRef& layer) { return json_of(layer); })},
          {"target",
           {{"node", json_of(fault.target.node)},
            {"tensor", or_null(fault.target.tensor)},
            {"attribute", or_null(fault.target.attribute)}}},
          {"evidence", json_of(fault.evidence)},
          {"repair",
           {{"edit", fault.repair.edit},
            {"right", fault.repair.right},
            {"wrong", fault.repair.wrong},
            {"error_before", number(fault.repair.error_before)},
            {"error_after", number(fault.repair.error_after)},
            {"errors_of", fault.repair.of == RepairRecord::Of::outputs ? "outputs" : "region"}}},
          {"confirmed", fault.confirmed},
          {"not_confirmed_because", fault.not_confirmed_because},
          {"repro", or_null(fault.repro)},
          {"reached", fault.is_reached}};
}

Json json_of(const StageRecord& stage) {
  return {{"file", json_of(stage.file)},
          {"name", stage.name},
          {"status", name_of(stage.status)},
          {"step", name_of(stage.step)},
          {"before", stage.before},
          {"message", stage.message},
          {"samples", array_of(stage.samples,
                               [](const SampleError& sample) {
                                 return Json{{"error", number(sample.max_abs)},
                                             {"beyond_floor", sample.is_beyond_floor},
                                             {"wrong", sample.is_wrong}};
                               })},
          {"faults", stage.faults},
          {"inherits", stage.inherits},
          {"mends", stage.mends}};
}

/// null where there is none.
Json json_of(const std::optional<KeepRecord>& keep) {
  if (!keep) return nullptr;
  return {
      {"rounding", keep->rounding},
      {"samples", keep->samples},
      {"changed_by_target", keep->changed_by_target},
      {"changed_by_rounding", keep->changed_by_rounding},
      {"layers",
       array_of(keep->layers,
                [](const LayerCost& cost) {
                  return Json{{"layer", json_of(cost.layer)}, {"error", number(cost.error)}, {"changed", cost.changed}};
                })},
      {"kept", array_of(keep->kept, [](const LayerRef& layer) { return json_of(layer); })},
      {"option", keep->option},
      {"proven", keep->is_proven},
      {"changed_left", keep->changed_left},
      {"runs", keep->runs}};
}

/// null where nobody looked at it.
Json json_of(const std::optional<FeedingRecord>& feeding) {
  if (!feeding) return nullptr;
  return {{"fits", or_null(feeding->fits)},
          {"error_as_fed", number(feeding->error_as_fed)},
          {"own_data", feeding->has_own_data},
          {"tried", array_of(feeding->tried,
                             [](const FeedingTry& one) {
                               return Json{{"way", one.way}, {"error", number(one.error)}, {"right", one.is_right}};
                             })},
          {"data", array_of(feeding->data, [](const DataTry& one) {
             return Json{{"way", one.way}, {"apart", number(one.apart)}, {"same", one.is_same}};
           })}};
}

template <class Item>
Json items_of(const std::vector<Item>& items) {
  return array_of(items, [](const Item& item) { return json_of(item); });
}

}  // namespace

Json json_of_fault(const ConversionFault& fault) { return json_of(fault); }

Json json_of_diagnosis(const Diagnosis& diagnosis) {
  return {{"schema", diagnosis_schema},
          {"tool", {{"name", "culprit"}, {"version", diagnosis.tool_version}}},
          {"command", diagnosis.command},
          {"environment", environment_of(diagnosis.environment)},
          {"source", json_of(diagnosis.source)},
          {"target", json_of(diagnosis.target)},
          {"data", data_of(diagnosis.data)},
          {"warnings", warnings_of(diagnosis.warnings)},
          {"status", name_of(diagnosis.status)},
          {"message", diagnosis.message},
          {"inputs", bound_of(diagnosis.inputs, false)},
          {"outputs", bound_of(diagnosis.outputs, true)},
          {"decisions", decisions_of(diagnosis.decisions)},
          {"stages", items_of(diagnosis.stages)},
          {"feeding", json_of(diagnosis.feeding)},
          {"keep", json_of(diagnosis.keep)},
          {"map", json_of(diagnosis.map)},
          {"parameters", items_of(diagnosis.parameters)},
          {"layers", items_of(diagnosis.layers)},
          {"faults", items_of(diagnosis.faults)},
          {"runs", diagnosis.runs},
          {"seconds", number(diagnosis.seconds)},
          {"peak_bytes", diagnosis.peak_bytes}};
}

std::string to_json(const Diagnosis& diagnosis) {
  return json_of_diagnosis(diagnosis).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
