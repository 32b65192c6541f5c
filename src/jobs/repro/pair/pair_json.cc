#include <cmath>
#include <nlohmann/json.hpp>

#include "record/enum_names.h"
#include "repro/pair/pair_facts.h"

namespace culprit {
namespace {

using PairJson = nlohmann::ordered_json;

PairJson finite_or_null(double value) { return std::isfinite(value) ? PairJson(value) : PairJson(nullptr); }

PairJson layer_to_json(const LayerRef& layer) {
  if (layer.number < 0) return nullptr;
  return {{"name", layer.name}, {"type", layer.type}};
}

PairJson fault_to_json(const ConversionFault& fault) {
  PairJson group = PairJson::array();
  for (const LayerRef& layer : fault.group) group.push_back(layer_to_json(layer));
  return {{"id", fault.id},
          {"class", name_of(fault.kind)},
          {"evidence", fault.evidence.kind},
          {"message", fault.evidence.message},
          {"source", layer_to_json(fault.source)},
          {"group", std::move(group)},
          {"target", layer_to_json(fault.target.node)},
          {"tensor", fault.target.tensor},
          {"attribute", fault.target.attribute},
          {"repair", fault.repair.edit},
          {"right", fault.repair.right},
          {"wrong", fault.repair.wrong},
          {"confirmed", fault.confirmed}};
}

/// `side`: "source" or "target".
PairJson file_to_json(const std::optional<CutFile>& cut, const std::string& file, const std::string& side) {
  if (!cut) return nullptr;
  PairJson inputs = PairJson::object();
  for (std::size_t i = 0; i < cut->inputs.size(); ++i) inputs["input_" + std::to_string(i)] = cut->inputs[i].name;
  return {{"file", file},         {"format", cut->format}, {"inputs_file", "inputs_" + side + ".npz"},
          {"inputs", inputs},     {"output", cut->output}, {"nodes", cut->nodes},
          {"layers", cut->layers}};
}

PairJson border_to_json(const CutBorder& border) {
  return {{"source", border.source},
          {"target", border.target},
          {"source_input", border.source_input},
          {"target_input", border.target_input},
          {"order", border.order},
          {"axes", border.axes},
          {"source_shape", border.in_source.shape()},
          {"target_shape", border.in_target.shape()}};
}

PairJson difference_to_json(const PairFacts& facts) {
  const Measurement& m = facts.cut->measurement;
  PairJson furthest = nullptr;
  if (facts.furthest)
    furthest = {{"at", facts.furthest->at},
                {"right", finite_or_null(facts.furthest->right)},
                {"wrong", finite_or_null(facts.furthest->wrong)}};
  return {{"max_abs", finite_or_null(m.max_abs)},
          {"mismatched", m.mismatched},
          {"beyond_tolerance", m.beyond_tolerance},
          {"elements", m.elements},
          {"note", m.note},
          {"furthest", furthest},
          {"fails", facts.cut->fails}};
}

}  // namespace

std::string to_json(const PairFacts& facts) {
  const CutPair& cut = *facts.cut;
  PairJson borders = PairJson::array();
  for (const CutBorder& border : cut.borders) borders.push_back(border_to_json(border));
  const PairJson json = {{"schema", pair_repro_schema},
                         {"tool_version", facts.tool_version},
                         {"fault", fault_to_json(facts.fault)},
                         {"source_model", facts.source_model},
                         {"target_model", facts.target_model},
                         {"source", file_to_json(cut.source, facts.source_file, "source")},
                         {"no_source", cut.no_source},
                         {"target", file_to_json(cut.target, facts.target_file, "target")},
                         {"inputs", std::move(borders)},
                         {"output", border_to_json(cut.output)},
                         {"expected_file", "expected.npz"},
                         {"limit",
                          {{"is_strict", facts.limit.is_strict},
                           {"atol", finite_or_null(facts.limit.atol)},
                           {"rtol", finite_or_null(facts.limit.rtol)},
                           {"floor", finite_or_null(facts.limit.floor)}}},
                         {"difference", difference_to_json(facts)},
                         {"sample", cut.sample}};
  return json.dump(1, ' ', false, PairJson::error_handler_t::replace) + "\n";
}

}  // namespace culprit
