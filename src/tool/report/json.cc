#include "report/json.h"

#include <nlohmann/json.hpp>

#include "record/report_schema.h"
#include "report/compare_json.h"
#include "report/decisions_json.h"
#include "report/diagnosis_json.h"
#include "report/evaluation_json.h"
#include "report/json_parts.h"
#include "report/json_place.h"
#include "report/profile_json.h"

namespace culprit {
namespace {

Json control_of(const ControlRecord& control) {
  return {{"name", name_of(control.name)},
          {"verdict", name_of(control.verdict)},
          {"message", control.message},
          {"measurements", measurements_of(control.measurements)}};
}

Json recipe_of(const Recipe& recipe) {
  Json json = {{"optimizer", recipe.optimizer}, {"passes", recipe.passes}, {"repeat", name_of(recipe.repeat)}};
  if (is_of_program(recipe)) {
    json["command"] = recipe.command;
    json["network"] = recipe.may_use_network;
  }
  if (!runs_in_session(recipe)) return json;
  json["level"] = recipe.level;
  json["disabled"] = recipe.disabled;
  return json;
}

Json evidence_of(const Evidence& evidence) {
  if (evidence.stage == EvidenceStage::none) return nullptr;
  return {{"stage", name_of(evidence.stage)}, {"ending", name_of(evidence.ending)}};
}

Json deployed_of(const std::optional<Deployed>& deployed) {
  if (!deployed) return nullptr;
  return {{"level", deployed->level},
          {"samples", deployed->samples},
          {"verdict", name_of(deployed->verdict)},
          {"message", deployed->message},
          {"evidence", evidence_of(deployed->evidence)},
          {"confirmed", or_null(deployed->confirmed)},
          {"decision", deployed->decision ? worst_sample_of(*deployed->decision) : Json(nullptr)},
          {"measurements", measurements_of(deployed->measurements)}};
}

Json variant_of(const VariantRecord& v) {
  return {{"id", v.id},
          {"runtime", v.runtime},
          {"recipe", recipe_of(v.recipe)},
          {"is_bundle", v.is_bundle},
          {"contract", name_of(v.contract)},
          {"verdict", name_of(v.verdict)},
          {"same_as", or_null(same_as_text(v))},
          {"message", v.message},
          {"fingerprint", or_null(v.fingerprint)},
          {"file", or_null(v.file)},
          {"nodes_before", v.nodes_before},
          {"nodes", v.nodes},
          {"ops_changed", object_of(v.ops_changed)},
          {"evidence", evidence_of(v.evidence)},
          {"measurements", measurements_of(v.measurements)},
          {"decision", v.decision ? worst_sample_of(*v.decision) : Json(nullptr)},
          {"inner", measurements_of(v.inner)},
          {"deployed", deployed_of(v.deployed)},
          {"decisions", decisions_of(v.decisions)},
          {"confirmed", or_null(v.confirmed)},
          {"warnings", warnings_of(v.warnings)},
          {"seconds", {{"optimize", number(v.seconds_optimize)}, {"run", number(v.seconds_run)}}},
          {"last_words", v.last_words}};
}

Json piece_of(const RewritePiece& piece) {
  return {{"what", piece.what},
          {"output", piece.output},
          {"confirmed", piece.confirmed},
          {"diff", piece.diff},
          {"diff_left_out", piece.diff_left_out}};
}

Json rewrite_of(const RewriteRecord& rewrite) {
  return {{"pass", rewrite.pass},
          {"output", rewrite.output},
          {"op_type", rewrite.op_type},
          {"number", rewrite.number},
          {"of", rewrite.of},
          {"confirmed", rewrite.confirmed},
          {"diff", rewrite.diff},
          {"diff_left_out", rewrite.diff_left_out},
          {"pieces", rewrite.pieces},
          {"bad_pieces", array_of(rewrite.bad_pieces, piece_of)},
          {"pieces_message", rewrite.pieces_message}};
}

Json reduction_of(const ReductionRecord& reduced) {
  return {{"nodes_before", reduced.nodes_before},
          {"nodes", reduced.nodes},
          {"checks", reduced.checks},
          {"seconds", number(reduced.seconds)},
          {"message", reduced.message}};
}

Json cell_of(const AttributionCell& cell) {
  return {{"model", cell.model},     {"runner", cell.runner},
          {"version", cell.version}, {"level", or_null(cell.level)},
          {"outcome", cell.outcome}, {"max_abs", number(cell.max_abs)},
          {"message", cell.message}, {"precision", or_null(cell.precision)}};
}

Json known_of(const std::optional<KnownAs>& known) {
  if (!known) return nullptr;
  return {{"id", known->id}, {"note", known->note}};
}

Json divergence_of(const std::optional<DivergenceRecord>& first) {
  if (!first) return nullptr;
  return {{"original", first->original},
          {"variant", first->variant},
          {"nodes_original", nodes_of(first->nodes_original)},
          {"nodes_variant", nodes_of(first->nodes_variant)},
          {"error", number(first->error)},
          {"floor", number(first->floor)},
          {"state", first->state},
          {"coverage", number(first->coverage)},
          {"runs", first->runs},
          {"message", first->message}};
}

Json fault_of(const FaultRecord& fault) {
  return {{"id", fault.id},
          {"verdict", name_of(fault.verdict)},
          {"culprits", fault.culprits},
          {"kind", name_of(fault.kind)},
          {"control", fault.control ? Json(name_of(*fault.control)) : Json(nullptr)},
          {"attribution", name_of(fault.attribution)},
          {"signature", fault.signature},
          {"variants", fault.variants},
          {"message", fault.message},
          {"workaround", fault.workaround},
          {"to_disable", fault.to_disable},
          {"to_run", fault.to_run},
          {"rewrites", array_of(fault.rewrites, rewrite_of)},
          {"rewrites_message", fault.rewrites_message},
          {"rewrites_asked", fault.rewrites_asked},
          {"rewrites_seconds", number(fault.rewrites_seconds)},
          {"repro", or_null(fault.repro)},
          {"reduced", fault.reduced ? reduction_of(*fault.reduced) : Json()},
          {"reduced_fingerprint", or_null(fault.reduced_fingerprint)},
          {"known", known_of(fault.known)},
          {"attribution_evidence", array_of(fault.attribution_evidence, cell_of)},
          {"first_divergence", divergence_of(fault.first_divergence)},
          {"first_divergence_message", fault.first_divergence_message}};
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
        {"abs", number(floor.abs)},     {"rel", number(floor.rel)}, {"deviation", number(floor.deviation)},
        {"rms", number(floor.rms)},     {"eps", number(floor.eps)}, {"step", number(floor.step)},
        {"samples", floor.samples},     {"scales", floor.scales},   {"draws", floor.draws},
        {"discarded", floor.discarded}, {"ties", floor.ties},       {"stepped", floor.stepped}};
  }
  return object;
}

Json safe_recipe_of(const std::optional<SafeRecipe>& safe) {
  if (!safe) return nullptr;
  const auto left_out = [](const LeftOut& l) { return Json{{"pass", l.pass}, {"reason", l.reason}}; };
  return {{"passes", safe->recipe.passes},
          {"repeat", name_of(safe->recipe.repeat)},
          {"level", or_null(safe->recipe.level)},
          {"disabled", safe->recipe.disabled},
          {"left_out", array_of(safe->left_out, left_out)},
          {"verified", safe->verified ? Json{{"samples", safe->samples}, {"levels", safe->levels}} : Json(nullptr)},
          {"message", safe->message}};
}

Json given_of(const std::optional<GivenRecord>& given) {
  if (!given) return nullptr;
  return {{"model", json_of(given->model)},
          {"fingerprint", or_null(given->fingerprint)},
          {"made_by", given->made_by ? recipe_of(*given->made_by) : Json(nullptr)},
          {"tried", given->tried},
          {"message", given->message},
          {"diff", given->diff},
          {"diff_left_out", given->diff_left_out},
          {"not_reached", or_null(given->not_reached)}};
}

Json spent_of(const Spent& spent) {
  return {{"runs", number(spent.runs)}, {"loads", number(spent.loads)}, {"optimize", number(spent.optimize)}};
}

Json witness_of(const WitnessRecord& witness) {
  return {{"runner", witness.runner},           {"version", witness.version},     {"outcome", witness.outcome},
          {"max_abs", number(witness.max_abs)}, {"set_aside", witness.set_aside}, {"message", witness.message}};
}

Json witnesses_of(const std::optional<WitnessesRecord>& witnesses) {
  if (!witnesses) return nullptr;
  return {{"asked", array_of(witnesses->asked, witness_of)},
          {"first_node", witnesses->first_node ? nodes_of({*witnesses->first_node}).front() : Json()},
          {"trusted", witnesses->is_trusted}};
}

Json counts_of(const Counts& counts) {
  return {{"imports", counts.imports},
          {"sessions", counts.sessions},
          {"runs", counts.runs},
          {"processes", counts.processes}};
}

Json phase_of(const PhaseRecord& phase) {
  Json spent = spent_of(phase.spent);
  spent["here"] = number(phase.seconds_here);
  return {{"phase", name_of(phase.phase)},
          {"seconds", number(phase.seconds)},
          {"spent", std::move(spent)},
          {"counts", counts_of(phase.counts)}};
}

Json model_of(const ModelReport& report) {
  return {
      {"model", json_of(report.model)},
      {"outcome", name_of(outcome_of(report))},
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
      {"spent", spent_of(report.spent)},
      {"step_word", report.step_word},
      {"given", given_of(report.given)},
      {"witnesses", witnesses_of(report.witnesses)},
      {"phases", array_of(report.phases, phase_of)}};
}

Json summary_of(const Summary& s) {
  Json by_verdict = Json::object();
  for (const auto& [verdict, count] : s.by_verdict) by_verdict[std::string(name_of(verdict))] = count;
  return {{"models", s.models},
          {"not_judged", s.not_judged},
          {"not_reached", s.not_reached},
          {"variants", s.variants},
          {"distinct_variants", s.distinct_variants},
          {"faults", s.faults},
          {"known_faults", s.known_faults},
          {"by_verdict", by_verdict},
          {"counts", counts_of(s.counts)},
          {"seconds", number(s.seconds)},
          {"spent", spent_of(s.spent)}};
}

}  // namespace

std::string to_json(const Report& report) {
  const Json root = {{"schema", report_schema},
                     {"tool", {{"name", "culprit"}, {"version", report.tool_version}}},
                     {"command", report.command},
                     {"environment", tested_in(report.environment)},
                     {"models", array_of(report.models, model_of)},
                     {"summary", summary_of(report.summary)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
