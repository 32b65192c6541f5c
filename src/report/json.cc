#include "report/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinities, and a bare token would break every strict reader.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

// What need not exist (an id, a file, a hash) is null where it does not; texts are "" instead.
Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

template <class Value>
Json object_of(const std::map<std::string, Value>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}

template <class Item, class ToJson>
Json array_of(const std::vector<Item>& items, ToJson to_json) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(to_json(item));
  return array;
}

Json warnings_of(const std::vector<Warning>& warnings) {
  return array_of(warnings, [](const Warning& w) { return Json{{"code", w.code}, {"message", w.message}}; });
}

Json measurement_of(const Measurement& m) {
  return {{"max_abs", number(m.max_abs)},
          {"max_rel", number(m.max_rel)},
          {"max_ulp", m.max_ulp},
          {"cosine", number(m.cosine)},
          {"nonfinite_mismatch", m.nonfinite_mismatch},
          {"mismatched", m.mismatched},
          {"beyond_floor", m.beyond_floor},
          {"beyond_tolerance", m.beyond_tolerance},
          {"ties", m.ties},
          {"elements", m.elements},
          {"atol", number(m.atol)},
          {"rtol", number(m.rtol)},
          {"floor", number(m.floor)},
          {"note", m.note}};
}

Json measurements_of(const Measurements& measurements) {
  Json object = Json::object();
  for (const auto& [output, measurement] : measurements) object[output] = measurement_of(measurement);
  return object;
}

Json facts_of(const ModelFacts& facts) {
  return {{"path", facts.path},
          {"sha256", facts.sha256},
          {"bytes", facts.bytes},
          {"nodes", facts.nodes},
          {"initializers", facts.initializers},
          {"ir_version", facts.ir_version},
          {"opsets", object_of(facts.opsets)},
          {"inputs", facts.inputs},
          {"outputs", facts.outputs}};
}

Json data_of(const DataFacts& data) {
  return {{"source", data.source},
          {"samples", data.samples},
          {"seed", data.seed},
          {"dims", object_of(data.dims)},
          {"other_dims", object_of(data.other_dims)},
          {"choices", data.choices},
          {"directed", data.directed},
          {"directions", data.directions}};
}

Json control_of(const ControlRecord& control) {
  return {{"name", control.name},
          {"verdict", name_of(control.verdict)},
          {"message", control.message},
          {"measurements", measurements_of(control.measurements)}};
}

Json recipe_of(const Recipe& recipe) {
  return {{"optimizer", recipe.optimizer}, {"passes", recipe.passes}, {"repeat", name_of(recipe.repeat)}};
}

Json evidence_of(const Evidence& evidence) {
  if (evidence.stage.empty()) return nullptr;
  return {{"stage", evidence.stage}, {"ending", evidence.ending}};
}

Json deployed_of(const std::optional<Deployed>& deployed) {
  if (!deployed) return nullptr;
  return {{"level", deployed->level},
          {"samples", deployed->samples},
          {"verdict", name_of(deployed->verdict)},
          {"message", deployed->message},
          {"evidence", evidence_of(deployed->evidence)},
          {"confirmed", or_null(deployed->confirmed)},
          {"measurements", measurements_of(deployed->measurements)}};
}

Json variant_of(const VariantRecord& v) {
  return {{"id", v.id},
          {"runtime", v.runtime},
          {"recipe", recipe_of(v.recipe)},
          {"is_bundle", v.is_bundle},
          {"contract", name_of(v.contract)},
          {"verdict", name_of(v.verdict)},
          {"same_as", or_null(v.same_as)},
          {"message", v.message},
          {"fingerprint", or_null(v.fingerprint)},
          {"file", or_null(v.file)},
          {"nodes_before", v.nodes_before},
          {"nodes", v.nodes},
          {"ops_changed", object_of(v.ops_changed)},
          {"evidence", evidence_of(v.evidence)},
          {"measurements", measurements_of(v.measurements)},
          {"inner", measurements_of(v.inner)},
          {"deployed", deployed_of(v.deployed)},
          {"confirmed", or_null(v.confirmed)},
          {"warnings", warnings_of(v.warnings)},
          {"seconds", {{"optimize", number(v.seconds_optimize)}, {"run", number(v.seconds_run)}}},
          {"last_words", v.last_words}};
}

Json cell_of(const AttributionCell& cell) {
  return {{"model", cell.model},          {"runner", cell.runner},   {"version", cell.version},
          {"level", or_null(cell.level)}, {"outcome", cell.outcome}, {"max_abs", number(cell.max_abs)},
          {"message", cell.message}};
}

Json known_of(const std::optional<KnownAs>& known) {
  if (!known) return nullptr;
  return {{"id", known->id}, {"note", known->note}};
}

Json fault_of(const FaultRecord& fault) {
  return {{"id", fault.id},
          {"verdict", name_of(fault.verdict)},
          {"culprits", fault.culprits},
          {"kind", name_of(fault.kind)},
          {"attribution", name_of(fault.attribution)},
          {"signature", fault.signature},
          {"variants", fault.variants},
          {"message", fault.message},
          {"workaround", fault.workaround},
          {"repro", or_null(fault.repro)},
          {"reduced_fingerprint", or_null(fault.reduced_fingerprint)},
          {"known", known_of(fault.known)},
          {"attribution_evidence", array_of(fault.attribution_evidence, cell_of)}};
}

Json baseline_of(const Baseline& baseline) {
  const auto weak = [](const WeakOutput& w) { return Json{{"output", w.output}, {"reason", w.reason}}; };
  return {{"status", name_of(baseline.status)},
          {"reference_level", baseline.reference_level},
          {"message", baseline.message},
          {"weak", array_of(baseline.weak, weak)}};
}

Json noise_floor_of(const std::map<std::string, NoiseFloor>& floors) {
  Json object = Json::object();
  for (const auto& [output, floor] : floors) {
    object[output] = {
        {"abs", number(floor.abs)}, {"rel", number(floor.rel)},     {"deviation", number(floor.deviation)},
        {"rms", number(floor.rms)}, {"eps", number(floor.eps)},     {"step", number(floor.step)},
        {"draws", floor.draws},     {"discarded", floor.discarded}, {"ties", floor.ties}};
  }
  return object;
}

Json safe_recipe_of(const std::optional<SafeRecipe>& safe) {
  if (!safe) return nullptr;
  const auto left_out = [](const LeftOut& l) { return Json{{"pass", l.pass}, {"reason", l.reason}}; };
  return {{"passes", safe->recipe.passes},
          {"repeat", name_of(safe->recipe.repeat)},
          {"left_out", array_of(safe->left_out, left_out)},
          {"verified", safe->verified ? Json{{"samples", safe->samples}, {"levels", safe->levels}} : Json(nullptr)},
          {"message", safe->message}};
}

Json spent_of(const Spent& spent) {
  return {{"runs", number(spent.runs)}, {"loads", number(spent.loads)}, {"optimize", number(spent.optimize)}};
}

Json model_of(const ModelReport& report) {
  return {
      {"model", facts_of(report.model)},
      {"data", data_of(report.data)},
      {"warnings", warnings_of(report.warnings)},
      {"baseline", baseline_of(report.baseline)},
      {"controls", array_of(report.controls, control_of)},
      {"noise_floor", noise_floor_of(report.noise_floor)},
      {"variants", array_of(report.variants, variant_of)},
      {"faults", array_of(report.faults, fault_of)},
      {"safe_recipe", safe_recipe_of(report.safe_recipe)},
      {"error", or_null(report.error)},
      {"seconds", number(report.seconds)},
      {"skipped", report.skipped},
      {"memory",
       {{"parent", report.memory.parent}, {"optimizer", report.memory.optimizer}, {"runner", report.memory.runner}}},
      {"spent", spent_of(report.spent)}};
}

Json environment_of(const Environment& e) {
  return {{"onnx_optimizer", e.onnx_optimizer},
          {"onnx", e.onnx},
          {"onnxruntime", e.onnxruntime},
          {"provider", e.provider},
          {"threads", e.threads},
          {"cpu", e.cpu},
          {"cores", e.cores},
          {"os", e.os}};
}

Json counts_of(const Counts& counts) {
  return {{"imports", counts.imports},
          {"sessions", counts.sessions},
          {"runs", counts.runs},
          {"processes", counts.processes}};
}

Json summary_of(const Summary& s) {
  return {{"models", s.models},
          {"not_judged", s.not_judged},
          {"not_reached", s.not_reached},
          {"variants", s.variants},
          {"distinct_variants", s.distinct_variants},
          {"faults", s.faults},
          {"known_faults", s.known_faults},
          {"by_verdict", object_of(s.by_verdict)},
          {"counts", counts_of(s.counts)},
          {"seconds", number(s.seconds)},
          {"spent", spent_of(s.spent)}};
}

}  // namespace

std::string to_json(const Report& report) {
  const Json root = {{"schema", report_schema},
                     {"tool", {{"name", "culprit"}, {"version", report.tool_version}}},
                     {"command", report.command},
                     {"environment", environment_of(report.environment)},
                     {"models", array_of(report.models, model_of)},
                     {"summary", summary_of(report.summary)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_report(std::string_view text) {
  const Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return root.is_object() && root.contains("schema") && root["schema"] == report_schema;
}

}  // namespace culprit
