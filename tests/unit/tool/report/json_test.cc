#include "report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "record/report_schema.h"
#include "sample_reports.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using nlohmann::json;
using ::testing::HasSubstr;

json parsed(const Report& report) { return json::parse(to_json(report)); }

std::filesystem::path source_root() { return CULPRIT_SOURCE; }

/// tests/schema/validate.py with Debian's python3-jsonschema; its exit status.
int validate(const std::string& flags, const std::filesystem::path& report) {
  const auto root = std::filesystem::weakly_canonical(source_root());
  const std::string command = "/usr/bin/python3 '" + (root / "tests/schema/validate.py").string() + "' " + flags +
                              " '" + (root / "docs/report.schema.json").string() + "' '" + report.string() + "'";
  return std::system(command.c_str());
}

TEST(Json, IsValidAndCorruptedReportsAreNot) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "culprit_json_test_report.json";
  std::ofstream(path) << to_json(full_report());
  EXPECT_EQ(validate("--corrupt", path), 0) << "scripts/setup brings python3-jsonschema";
  std::filesystem::remove(path);
}

TEST(Json, AnEmptyReportIsValidToo) {
  Report report;
  report.tool_version = "0.1.0";
  const auto path = std::filesystem::path(::testing::TempDir()) / "culprit_json_test_empty.json";
  std::ofstream(path) << to_json(report);
  EXPECT_EQ(validate("", path), 0);
  std::filesystem::remove(path);
}

TEST(Json, NumbersThatJsonDoesNotHaveAreWords) {
  Report report = full_report();
  auto& m = report.models[0].variants[3].measurements["Plus214_Output_0"];
  m.max_abs = std::numeric_limits<double>::infinity();
  m.max_rel = std::numeric_limits<double>::quiet_NaN();
  m.cosine = -std::numeric_limits<double>::infinity();
  m.atol = 0.1;
  const json written = parsed(report)["models"][0]["variants"][3]["measurements"]["Plus214_Output_0"];
  EXPECT_EQ(written["max_abs"], "inf");
  EXPECT_EQ(written["max_rel"], "nan");
  EXPECT_EQ(written["cosine"], "-inf");
  EXPECT_EQ(written["atol"], 0.1);
}

TEST(Json, DecisionsAreWrittenWhole) {
  Report report = full_report();
  VariantRecord& variant = report.models[0].variants[3];
  const WorstSample worst{{7, "label 0", "label 1", 0.25}, "x.npy #7"};
  variant.decision = worst;
  variant.deployed = Deployed{};
  variant.deployed->level = "all";
  variant.deployed->decision = worst;
  VariantDecisions& decisions = variant.decisions.emplace();
  decisions.level = "all";
  decisions.decisions = {.task = "classification",
                         .samples = 2000,
                         .changed = 3,
                         .ties = 1,
                         .metrics = {{"top1_agreement", {0.99, 0.98, 1}}},
                         .labelled = 5,
                         .reference_against_labels = {},
                         .variant_against_labels = {},
                         .worst = {}};
  decisions.decisions.variant_against_labels["top1"] = {0.5, 0.4, 0.6};
  decisions.decisions.undecided = 7;
  decisions.decisions.empty = 8;
  decisions.worst = {worst};
  decisions.failures = 2;
  decisions.by_draw = 4;
  decisions.is_more_than_rounding = true;
  decisions.message = "3 of 2000 are other ones";
  const json j = parsed(report)["models"][0]["variants"][3], &d = j["decisions"];
  const json shown = {
      {"number", 7}, {"sample", "x.npy #7"}, {"reference", "label 0"}, {"variant", "label 1"}, {"margin", 0.25}};
  EXPECT_EQ(j["decision"], shown);
  EXPECT_EQ(j["deployed"]["decision"], shown);
  EXPECT_EQ(d["worst"], json({shown}));
  EXPECT_TRUE(d["level"] == "all" && d["task"] == "classification" && d["samples"] == 2000 && d["changed"] == 3);
  EXPECT_TRUE(d["ties"] == 1 && d["changed_by_draw"] == 4 && d["more_than_rounding"] == true && d["failures"] == 2);
  EXPECT_TRUE(d["undecided"] == 7 && d["empty"] == 8);
  EXPECT_EQ(d["metrics"]["top1_agreement"], json({{"value", 0.99}, {"low", 0.98}, {"high", 1.0}}));
  EXPECT_EQ(d["against_labels"]["labelled"], 5);
  EXPECT_EQ(d["against_labels"]["variant"]["top1"]["value"], 0.5);
  EXPECT_EQ(d["message"], "3 of 2000 are other ones");
  const auto path = std::filesystem::path(::testing::TempDir()) / "culprit_json_test_decisions.json";
  std::ofstream(path) << to_json(report);
  EXPECT_EQ(validate("", path), 0);
  std::filesystem::remove(path);
}

TEST(Json, WhatDoesNotExistIsNull) {
  const json written = parsed(full_report());
  EXPECT_EQ(written["models"][0]["variants"][3]["same_as"], nullptr);
  EXPECT_EQ(written["models"][0]["variants"][5]["same_as"], "V04");
  EXPECT_EQ(written["models"][0]["variants"][0]["fingerprint"], nullptr);
  EXPECT_EQ(written["models"][0]["error"], nullptr);
  EXPECT_THAT(written["models"][6]["error"].get<std::string>(), HasSubstr("zip archive"));
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  Report report = full_report();
  report.models[1].model.path = "bad\xff.onnx";
  EXPECT_EQ(parsed(report)["models"][1]["model"]["path"], "bad\xEF\xBF\xBD.onnx");
}

TEST(Json, KeysStandInTheOrderOfTheSchema) {
  const std::string text = to_json(full_report());
  std::size_t before = 0;
  for (const char* key : {"\"schema\"", "\"tool\"", "\"command\"", "\"environment\"", "\"models\"", "\"summary\""}) {
    const auto at = text.find(std::string("\n  ") + key);
    EXPECT_GT(at, before) << key;
    before = at == std::string::npos ? before : at;
  }
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(Json, KnowsItsOwnReports) {
  EXPECT_TRUE(is_report(to_json(full_report())));
  for (const char* other : {"", "{}", "[]", "{\"schema\": 1}", "{\"schema\": \"other/1\"}", "not json"})
    EXPECT_FALSE(is_report(other)) << other;
}

// The structured bindings below name every field of a record: one more field in record/report.h, and this no longer
// compiles until it is written, and tested, here.
TEST(Json, EveryFieldOfARecordIsWritten) {
  Report report = full_report();
  ModelReport& model = report.models[1];
  model.warnings = {{"a_code", "a message"}};
  model.skipped = {"inner values"};
  model.memory = {1, 2, 3};
  model.spent = report.summary.spent = {0.5, 0.25, 4};
  VariantRecord& v = model.variants[1];
  v.last_words = "last";
  v.warnings = {{"b_code", "b message"}};
  const json written = parsed(report);
  const json& m = written["models"][1];
  {
    const auto& [path, sha256, bytes, nodes, initializers, ir_version, opsets, inputs, outputs] = model.model;
    const json& j = m["model"];
    EXPECT_TRUE(j["path"] == path && j["sha256"] == sha256 && j["bytes"] == bytes && j["nodes"] == nodes);
    EXPECT_TRUE(j["initializers"] == initializers && j["ir_version"] == ir_version && j["opsets"] == json(opsets));
    EXPECT_TRUE(j["inputs"] == inputs && j["outputs"] == outputs);
  }
  {
    model.data.directed = 1;
    model.data.directions = {{2, "ties into 'logits' (a)"}};
    const json again = parsed(report)["models"][1]["data"];
    const auto& [source, samples, seed, dims, other_dims, choices, directed, directions] = model.data;
    EXPECT_TRUE(again["directed"] == directed && again["directions"] == json({"sample 2: ties into 'logits' (a)"}));
    const json& j = m["data"];
    EXPECT_TRUE(j["source"] == name_of(source) && j["samples"] == samples && j["seed"] == seed &&
                j["dims"] == json(dims));
    EXPECT_TRUE(j["other_dims"] == json(other_dims) && j["choices"] == json(choices));
  }
  {
    const auto& [status, reference_level, message, weak] = model.baseline;
    const json& j = m["baseline"];
    EXPECT_TRUE(j["status"] == name_of(status) && j["reference_level"] == reference_level && j["message"] == message);
    EXPECT_TRUE(j["weak"][0]["output"] == weak[0].output && j["weak"][0]["reason"] == weak[0].reason);
  }
  {
    const auto& [asked, first_node, is_trusted] = model.witnesses.value();
    const auto& [runner_name, version, outcome, max_abs, set_aside, message] = asked.at(0);
    const json& w = m["witnesses"];
    EXPECT_TRUE(w["asked"][0]["runner"] == runner_name && w["asked"][0]["version"] == version);
    EXPECT_TRUE(w["asked"][0]["outcome"] == outcome && w["asked"][0]["max_abs"] == max_abs);
    EXPECT_TRUE(w["asked"][0]["set_aside"] == set_aside && w["asked"][0]["message"] == message);
    EXPECT_TRUE(w["first_node"]["op"] == first_node->op && w["trusted"] == is_trusted);
  }
  {
    const auto& [facts, data, warnings, baseline, controls, floors, variants, faults, safe, error, seconds, skipped,
                 memory, spent, step_word, given, witnesses, phases] = model;
    const auto& [phase, phase_seconds, seconds_here, phase_spent, phase_counts] = phases.at(0);
    const json& p = m["phases"][0];
    EXPECT_TRUE(p["phase"] == name_of(phase) && p["seconds"] == phase_seconds && p["spent"]["here"] == seconds_here);
    EXPECT_TRUE(p["spent"]["runs"] == phase_spent.runs && p["counts"]["imports"] == phase_counts.imports);
    EXPECT_EQ(m["step_word"], step_word);
    EXPECT_TRUE(m["given"].is_null() && !given);
    EXPECT_TRUE(witnesses);
    const auto& [parent, optimizer_bytes, runner] = memory;
    EXPECT_TRUE(m["skipped"] == skipped && m["memory"]["parent"] == parent);
    EXPECT_TRUE(m["memory"]["optimizer"] == optimizer_bytes && m["memory"]["runner"] == runner);
    const auto& [in_runs, in_loads, in_optimize] = spent;
    EXPECT_TRUE(m["spent"]["runs"] == in_runs && m["spent"]["loads"] == in_loads);
    EXPECT_EQ(m["spent"]["optimize"], in_optimize);
    EXPECT_TRUE(m["warnings"][0]["code"] == warnings[0].code && m["warnings"][0]["message"] == warnings[0].message);
    EXPECT_TRUE(m["controls"].size() == controls.size() && m["variants"].size() == variants.size());
    const auto& [abs, rel, deviation, rms, eps, step, drawn, scales, draws, discarded, ties, stepped] = floors.at("y");
    const json& f = m["noise_floor"]["y"];
    EXPECT_TRUE(f["abs"] == abs && f["rel"] == rel && f["deviation"] == deviation && f["rms"] == rms);
    EXPECT_TRUE(f["eps"] == eps && f["step"] == step && f["draws"] == draws && f["discarded"] == discarded);
    EXPECT_TRUE(f["ties"] == ties && f["stepped"] == stepped && f["samples"] == drawn && f["scales"] == scales);
    const auto& [recipe, left_out, verified, samples, levels, message] = *safe;
    const json& s = m["safe_recipe"];
    EXPECT_TRUE(s["passes"] == recipe.passes && s["repeat"] == name_of(recipe.repeat) && s["message"] == message);
    EXPECT_TRUE(s["left_out"][0]["pass"] == left_out[0].pass && s["left_out"][0]["reason"] == left_out[0].reason);
    EXPECT_TRUE(verified && s["verified"]["samples"] == samples && s["verified"]["levels"] == levels);
    EXPECT_TRUE(m["faults"].size() == faults.size() && m["error"].is_null() && m["seconds"] == seconds);
  }
  {
    const auto& [id, runtime, recipe, is_bundle, made_as, contract, verdict, same_as, same_variant, message,
                 fingerprint, output_bits, file, nodes_before, nodes, ops_changed, evidence, measurements, decision,
                 inner, deployed, decisions, confirmed, warnings, seconds_optimize, seconds_run, last_words] = v;
    const json& j = m["variants"][1];
    EXPECT_TRUE(made_as.empty() && !j.contains("made_as") && output_bits.empty() && !j.contains("output_bits"));
    EXPECT_TRUE(j["id"] == id && j["runtime"] == runtime && j["is_bundle"] == is_bundle &&
                j["contract"] == name_of(contract));
    EXPECT_TRUE(j["verdict"] == name_of(verdict) && same_as == SameAs::none && same_variant.empty() &&
                j["same_as"].is_null() && j["message"] == message);
    EXPECT_TRUE(j["fingerprint"] == fingerprint && j["file"] == file && j["nodes_before"] == nodes_before &&
                j["nodes"] == nodes);
    EXPECT_TRUE(j["ops_changed"] == json(ops_changed) && j["measurements"].size() == measurements.size() &&
                j["confirmed"] == confirmed);
    EXPECT_TRUE(j["warnings"][0]["code"] == warnings[0].code && j["last_words"] == last_words);
    EXPECT_TRUE(j["seconds"]["optimize"] == seconds_optimize && j["seconds"]["run"] == seconds_run);
    EXPECT_TRUE(j["evidence"]["stage"] == name_of(evidence.stage) &&
                j["evidence"]["ending"] == name_of(evidence.ending));
    EXPECT_EQ(j["inner"].size(), inner.size());
    const auto& [level, samples, deployed_verdict, deployed_message, again, deployed_measurements, deployed_evidence,
                 deployed_decision] = *deployed;
    const json& d = j["deployed"];
    EXPECT_TRUE(d["level"] == level && d["samples"] == samples && d["verdict"] == name_of(deployed_verdict));
    EXPECT_TRUE(d["message"] == deployed_message && d["confirmed"] == again);
    EXPECT_EQ(d["measurements"].size(), deployed_measurements.size());
    EXPECT_EQ(d["evidence"]["stage"], name_of(deployed_evidence.stage));
    EXPECT_TRUE(d["decision"].is_null() && !deployed_decision);
    EXPECT_TRUE(j["decision"].is_null() && !decision && j["decisions"].is_null() && !decisions);
    const auto& [optimizer, passes, repeat, session_level, disabled, command, may_use_network] = recipe;
    EXPECT_TRUE(command.empty() && !may_use_network && !j["recipe"].contains("command")) << "of a program only";
    EXPECT_TRUE(session_level.empty() && disabled.empty() && !j["recipe"].contains("level")) << "of a runtime only";
    EXPECT_TRUE(j["recipe"]["optimizer"] == optimizer && j["recipe"]["passes"] == passes &&
                j["recipe"]["repeat"] == name_of(repeat));
  }
  {
    const auto& [max_abs, max_rel, max_ulp, cosine, nonfinite, mismatched, beyond_floor, beyond, ties, by_share,
                 finite_instead, elements, worst, floor, times, by_share_beyond, told, excused, atol, rtol, form, shown,
                 shared, unit, undecided, errors, note] = v.measurements.at("y");
    const json& j = m["variants"][1]["measurements"]["y"];
    EXPECT_TRUE(j["max_abs"] == max_abs && j["max_rel"] == max_rel && j["max_ulp"] == max_ulp && j["cosine"] == cosine);
    EXPECT_TRUE(j["nonfinite_mismatch"] == nonfinite && j["mismatched"] == mismatched &&
                j["beyond_tolerance"] == beyond);
    EXPECT_TRUE(j["beyond_floor"] == beyond_floor && j["ties"] == ties && j["floor"] == floor);
    EXPECT_EQ(j["finite_instead"], finite_instead);
    EXPECT_TRUE(excused == 0 && form == FormChange::none && shown.rank == 0 && !j.contains("excused"));
    EXPECT_TRUE(by_share_beyond == 0 && told == 0 && !j.contains("told")) << "it only says how many draws are needed";
    EXPECT_TRUE(j["by_share"] == by_share && j["worst"] == worst && j["times"] == times);
    EXPECT_TRUE(shared.kind == SharedError::Kind::none && j["shared"].is_null() && unit == 0 && j["unit"].is_null());
    EXPECT_TRUE(undecided == 0 && !j.contains("undecided"));
    EXPECT_TRUE(j["errors"]["slack"] == errors.slack && j["errors"]["corners"].size() == errors.corners.size());
    EXPECT_EQ(j["errors"]["corners"][0], (json{errors.corners.at(0).size, errors.corners.at(0).off}));
    EXPECT_TRUE(j["elements"] == elements && j["atol"] == atol && j["rtol"] == rtol && j["note"] == note);
  }
  {
    const auto& [id, verdict, culprits, kind, control, attribution, signature, variants, message, workaround,
                 to_disable, to_run, rewrites, rewrites_message, rewrites_asked, rewrites_seconds, repro, reduced,
                 reduced_fingerprint, known, cells, first_divergence, first_divergence_message] = model.faults[0];
    const json& j = m["faults"][0];
    EXPECT_TRUE(j["id"] == id && j["verdict"] == name_of(verdict) && j["culprits"] == culprits &&
                j["kind"] == name_of(kind) && !control && j["control"].is_null());
    EXPECT_TRUE(j["attribution"] == name_of(attribution) && j["signature"] == signature && j["variants"] == variants);
    EXPECT_TRUE(j["message"] == message && j["workaround"] == workaround && j["repro"] == repro);
    EXPECT_EQ(j["to_disable"], to_disable);
    EXPECT_EQ(j["to_run"], to_run);
    EXPECT_TRUE(j["reduced_fingerprint"] == reduced_fingerprint && j["known"]["id"] == known->id &&
                j["known"]["note"] == known->note);
    EXPECT_EQ(j["first_divergence_message"], first_divergence_message);
    EXPECT_EQ(m["faults"][1]["first_divergence_message"], "not looked for: the time was up");
    EXPECT_TRUE(m["faults"][1]["first_divergence"].is_null());
    const auto& [original, variant, nodes_original, nodes_variant, off_by, rounding, state, coverage, runs, sentence] =
        *first_divergence;
    const json& parting = j["first_divergence"];
    EXPECT_TRUE(parting["original"] == original && parting["variant"] == variant && parting["error"] == off_by &&
                parting["floor"] == rounding && parting["state"] == state && parting["coverage"] == coverage);
    EXPECT_TRUE(parting["runs"] == runs && parting["message"] == sentence &&
                parting["nodes_original"].size() == nodes_original.size());
    const auto& [node_name, node_op, node_index, node_output] = nodes_variant.at(0);
    const json& node = parting["nodes_variant"][0];
    EXPECT_TRUE(node["name"] == node_name && node["op"] == node_op && node["index"] == node_index &&
                node["output"] == node_output);
    const auto& [of_model, runner, version, level, outcome, max_abs, said, precision] = cells.at(7);
    const json& cell = j["attribution_evidence"][7];
    EXPECT_TRUE(cell["model"] == of_model && cell["runner"] == runner && cell["version"] == version &&
                cell["level"].is_null() && level.empty() && cell["outcome"] == outcome && cell["max_abs"] == max_abs &&
                cell["message"] == said && cell["precision"] == precision);
    EXPECT_TRUE(j["attribution_evidence"][0]["level"] == "off" && j["attribution_evidence"][0]["precision"].is_null());
    EXPECT_TRUE(j["reduced"]["nodes_before"] == reduced->nodes_before && j["reduced"]["nodes"] == reduced->nodes);
    EXPECT_TRUE(j["reduced"]["checks"] == reduced->checks && j["reduced"]["seconds"] == reduced->seconds &&
                j["reduced"]["message"] == reduced->message);
    EXPECT_TRUE(j["rewrites"].size() == rewrites.size() && j["rewrites_message"] == rewrites_message &&
                j["rewrites_asked"] == rewrites_asked && j["rewrites_seconds"] == rewrites_seconds);
  }
  {
    const auto& [pass, output, op_type, number, of, confirmed, diff, left_out, pieces, bad_pieces, message] =
        model.faults[0].rewrites.at(0);
    const json& j = m["faults"][0]["rewrites"][0];
    EXPECT_TRUE(j["pass"] == pass && j["output"] == output && j["op_type"] == op_type && j["number"] == number);
    EXPECT_TRUE(j["of"] == of && j["confirmed"] == confirmed && j["diff"] == diff && j["diff_left_out"] == left_out);
    EXPECT_TRUE(j["pieces"] == pieces && j["bad_pieces"].size() == bad_pieces.size() && j["pieces_message"] == message);
  }
  {
    const auto& [what, output, confirmed, diff, left_out] = model.faults[1].rewrites.at(0).bad_pieces.at(0);
    const json& j = m["faults"][1]["rewrites"][0]["bad_pieces"][0];
    EXPECT_TRUE(j["what"] == what && j["output"] == output && j["confirmed"] == confirmed && j["diff"] == diff &&
                j["diff_left_out"] == left_out);
  }
  {
    const auto& [name, verdict, message, measurements] = report.models[0].controls[0];
    const json& j = written["models"][0]["controls"][0];
    EXPECT_TRUE(j["name"] == name_of(name) && j["verdict"] == name_of(verdict) && j["message"] == message &&
                j["measurements"].empty());
  }
  {
    const auto& [onnx_optimizer, onnx, onnxruntime, provider, cpu, os, threads, cores, tested] = report.environment;
    const json& j = written["environment"];
    EXPECT_TRUE(j["optimizer"]["name"] == tested.name && j["optimizer"]["version"] == tested.version &&
                j["optimizer"]["steps"] == tested.steps);
    EXPECT_TRUE(j["onnx_optimizer"] == onnx_optimizer && j["onnx"] == onnx && j["onnxruntime"] == onnxruntime &&
                j["provider"] == provider);
    EXPECT_TRUE(j["cpu"] == cpu && j["os"] == os && j["threads"] == threads && j["cores"] == cores);
  }
  {
    const auto& [models, variants, distinct, faults, by_verdict, counts, seconds, not_judged, not_reached, spent,
                 known_faults] = report.summary;
    EXPECT_EQ(written["summary"]["known_faults"], known_faults);
    EXPECT_EQ(written["summary"]["spent"]["loads"], spent.loads);
    const json& j = written["summary"];
    EXPECT_TRUE(j["models"] == models && j["variants"] == variants && j["distinct_variants"] == distinct &&
                j["faults"] == faults);
    EXPECT_EQ(j["not_judged"], not_judged);
    EXPECT_EQ(j["not_reached"], not_reached);
    for (const auto& [verdict, count] : by_verdict) EXPECT_EQ(j["by_verdict"][name_of(verdict)], count);
    EXPECT_TRUE(j["by_verdict"].size() == by_verdict.size() && j["seconds"] == seconds);
    const auto& [imports, sessions, runs, processes] = counts;
    EXPECT_TRUE(j["counts"]["imports"] == imports && j["counts"]["sessions"] == sessions);
    EXPECT_TRUE(j["counts"]["runs"] == runs && j["counts"]["processes"] == processes);
  }
  {
    const auto& [facts, fingerprint, made_by, tried, message, diff, diff_left_out, not_reached] =
        *report.models[7].given;
    const json& j = written["models"][7]["given"];
    EXPECT_TRUE(j["model"]["path"] == facts.path && j["fingerprint"] == fingerprint && j["made_by"].is_null());
    EXPECT_TRUE(!made_by && j["tried"] == tried && j["message"] == message && j["diff"] == diff &&
                j["diff_left_out"] == diff_left_out && j["not_reached"].is_null() && not_reached.empty());
    EXPECT_EQ(written["models"][8]["given"]["made_by"]["passes"], json({"fuse_bn_into_conv"}));
  }
  const auto& [tool_version, command, environment, models, summary] = report;
  EXPECT_TRUE(written["tool"]["version"] == tool_version && written["command"] == command);
}

}  // namespace
}  // namespace culprit
