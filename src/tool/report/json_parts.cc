#include "report/json_parts.h"

#include <cmath>

namespace culprit {

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json warnings_of(const std::vector<Warning>& warnings) {
  return array_of(warnings, [](const Warning& w) { return Json{{"code", w.code}, {"message", w.message}}; });
}

Json shared_of(const SharedError& shared) {
  if (shared.kind == SharedError::Kind::none) return nullptr;
  return {{"kind", shared.kind == SharedError::Kind::ratio ? "ratio" : "offset"},
          {"off", number(shared.off)},
          {"explained", number(shared.explained)},
          {"elements", shared.elements}};
}

/// What a tolerance must reach so that it lets all errors pass.
Json errors_of(const ErrorsBySize& errors) {
  const auto corner = [](const SizedError& error) { return Json::array({number(error.size), number(error.off)}); };
  return {{"corners", array_of(errors.corners, corner)}, {"slack", number(errors.slack)}};
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
          {"finite_instead", m.finite_instead},
          {"elements", m.elements},
          {"atol", number(m.atol)},
          {"rtol", number(m.rtol)},
          {"floor", number(m.floor)},
          {"worst", number(m.worst)},
          {"times", number(m.times)},
          {"by_share", m.by_share},
          {"shared", shared_of(m.shared)},
          {"errors", errors_of(m.beyond)},
          {"unit", m.unit > 0 ? Json(number(m.unit)) : Json(nullptr)},
          {"note", m.note}};
}

Json measurements_of(const Measurements& measurements) {
  Json object = Json::object();
  for (const auto& [output, measurement] : measurements) object[output] = measurement_of(measurement);
  return object;
}

Json json_of(const ModelFacts& facts) {
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
  Json directions = Json::array();
  for (const Direction& direction : data.directions) directions.push_back(text_of(direction));
  return {{"source", name_of(data.source)},
          {"samples", data.samples},
          {"seed", data.seed},
          {"dims", object_of(data.dims)},
          {"other_dims", object_of(data.other_dims)},
          {"choices", data.choices},
          {"directed", data.directed},
          {"directions", std::move(directions)}};
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

Json tested_in(const Environment& environment) {
  Json json = environment_of(environment);
  const OptimizerRecord& tested = environment.optimizer;
  json["optimizer"] = {{"name", tested.name}, {"version", tested.version}, {"steps", tested.steps}};
  return json;
}

Json json_of(const NodeRef& node) {
  if (node.index < 0) return nullptr;
  return {{"name", node.name}, {"op", node.op}, {"index", node.index}, {"output", node.output}};
}

Json nodes_of(const std::vector<NodeRef>& nodes) {
  return array_of(nodes, [](const NodeRef& node) { return json_of(node); });
}

}  // namespace culprit
