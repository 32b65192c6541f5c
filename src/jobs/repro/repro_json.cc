#include "repro/repro_json.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/shell_words.h"
#include "base/text.h"
#include "repro/pair/pair_repro.h"

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

// --- written ------------------------------------------------------------------------------------------------------

Json number(double value) {  // JSON has no NaN and no infinities
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json or_null(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json values_of(const std::vector<ReproValue>& values) {
  Json array = Json::array();
  for (const ReproValue& value : values)
    array.push_back({{"name", value.name}, {"file", value.file}, {"form", value.form}});
  return array;
}

Json limits_of(const std::map<std::string, ReproLimit>& limits) {
  Json object = Json::object();
  for (const auto& [label, limit] : limits) {
    object[label] = {{"atol", number(limit.atol)},
                     {"rtol", number(limit.rtol)},
                     {"floor", number(limit.floor)},
                     {"ties", limit.ties}};
  }
  return object;
}

Json measurements_of(const Measurements& measurements) {
  Json object = Json::object();
  for (const auto& [label, m] : measurements) {
    object[label] = {{"max_abs", number(m.max_abs)},
                     {"max_rel", number(m.max_rel)},
                     {"nonfinite_mismatch", m.nonfinite_mismatch},
                     {"beyond_floor", m.beyond_floor},
                     {"beyond_tolerance", m.beyond_tolerance},
                     {"elements", m.elements},
                     {"note", m.note}};
  }
  return object;
}

Json model_of(const ReproModel& model) {
  if (model.fingerprint.empty()) return nullptr;
  return {{"fingerprint", model.fingerprint}, {"nodes", model.nodes}};
}

Json evidence_of(const Evidence& evidence) {
  if (evidence.stage == EvidenceStage::none) return nullptr;
  return {{"stage", name_of(evidence.stage)}, {"ending", name_of(evidence.ending)}};
}

Json versions_of(const ReproVersions& versions) {
  return {{"culprit", versions.culprit},
          {"onnx_optimizer", versions.onnx_optimizer},
          {"onnx", versions.onnx},
          {"onnxruntime", versions.onnxruntime},
          {"program", versions.program}};
}

// --- read ---------------------------------------------------------------------------------------------------------

constexpr std::int64_t most_threads = 1024;  // as of --threads

/// What a reader throws; `parse_facts` alone catches it.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json& at(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw Wrong(std::string("it has no '") + key + "'");
  return object.at(key);
}

template <class Value>
Value get(const Json& object, const char* key) {
  try {
    return at(object, key).get<Value>();
  } catch (const Json::exception&) {
    throw Wrong(std::string("its '") + key + "' makes no sense");
  }
}

double number_at(const Json& object, const char* key) {
  const Json& value = at(object, key);
  if (value == "nan") return std::nan("");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (value == "inf" || value == "-inf") return value == "inf" ? infinity : -infinity;
  return get<double>(object, key);
}

std::optional<double> perhaps_at(const Json& object, const char* key) {
  return at(object, key).is_null() ? std::nullopt : std::optional(number_at(object, key));
}

/// A word of ours, read back.
template <class Word>
Word word_at(const Json& object, const char* key, std::optional<Word> (*named)(std::string_view)) {
  const auto word = named(get<std::string>(object, key));
  if (!word) throw Wrong(std::string("its '") + key + "' is unknown");
  return *word;
}

/// A plain name, for it becomes part of a path.
std::string file_at(const Json& object) {
  auto file = get<std::string>(object, "file");
  if (file.empty() || file.find('/') != std::string::npos || file == "." || file == "..")
    throw Wrong("its 'file' is no file name");
  return file;
}

std::vector<ReproValue> read_values(const Json& array) {
  if (!array.is_array()) throw Wrong("its inputs or outputs are no list");
  std::vector<ReproValue> values;
  for (const Json& entry : array)
    values.push_back({get<std::string>(entry, "name"), file_at(entry), get<std::vector<std::string>>(entry, "form")});
  return values;
}

std::map<std::string, ReproLimit> read_limits(const Json& object) {
  std::map<std::string, ReproLimit> limits;
  if (!object.is_object()) throw Wrong("its 'limits' are no object");
  for (const auto& [label, entry] : object.items())
    limits[label] = {number_at(entry, "atol"), number_at(entry, "rtol"), number_at(entry, "floor"),
                     get<std::vector<std::int64_t>>(entry, "ties")};
  return limits;
}

ReproModel read_model(const Json& entry) {
  if (entry.is_null()) return {};
  return {get<std::string>(entry, "fingerprint"), get<std::int64_t>(entry, "nodes")};
}

/// Folders that were written before there was this field name the control as the culprit.
std::optional<ControlName> read_control(const Json& root, const ReproFacts& facts) {
  if (root.contains("control") && root.at("control").is_null()) return std::nullopt;
  if (root.contains("control")) return word_at(root, "control", &control_named);
  const bool is_control = facts.kind == FaultKind::control && !facts.culprits.empty();
  return is_control ? control_named(facts.culprits.front()) : std::nullopt;
}

void read_fault(const Json& root, ReproFacts& facts) {
  facts.fault = get<std::string>(root, "fault");
  facts.source = get<std::string>(root, "source");
  facts.verdict = word_at(root, "verdict", &verdict_named);
  facts.kind = word_at(root, "kind", &fault_kind_named);
  facts.attribution = word_at(root, "attribution", &attribution_named);
  facts.culprits = get<std::vector<std::string>>(root, "culprits");
  facts.control = read_control(root, facts);
  facts.signature = get<std::string>(root, "signature");
  facts.found_signature =
      root.contains("found_signature") ? get<std::string>(root, "found_signature") : facts.signature;
  facts.message = get<std::string>(root, "message");
  if (const Json& evidence = at(root, "evidence"); !evidence.is_null())
    facts.evidence = {word_at(evidence, "stage", &evidence_stage_named),
                      word_at(evidence, "ending", &evidence_ending_named)};
  facts.confirmed = get<std::string>(root, "confirmed");
}

Recipe read_recipe(const Json& json) {
  Recipe recipe = {get<std::string>(json, "optimizer"), get<std::vector<std::string>>(json, "passes"),
                   word_at(json, "repeat", &repeat_named)};
  if (json.contains("command")) recipe.command = get<std::vector<std::string>>(json, "command");
  if (!json.contains("level")) return recipe;
  recipe.level = get<std::string>(json, "level");
  recipe.disabled = get<std::vector<std::string>>(json, "disabled");
  return recipe;
}

Json json_of(const Recipe& recipe) {
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

void read_setting(const Json& root, ReproFacts& facts) {
  facts.recipe = read_recipe(at(root, "recipe"));
  if (root.contains("packages")) facts.packages = get<std::vector<std::string>>(root, "packages");
  facts.contract = word_at(root, "contract", &contract_named);
  facts.level = get<std::string>(root, "level");
  facts.reference_level = get<std::string>(root, "reference_level");
  facts.threads = get<std::int64_t>(root, "threads");
  if (facts.threads < 1 || facts.threads > most_threads)
    throw Wrong("its 'threads' are " + std::to_string(facts.threads) + ", which is not between 1 and " +
                std::to_string(most_threads));
  facts.tolerance = {perhaps_at(at(root, "tolerance"), "atol"), perhaps_at(at(root, "tolerance"), "rtol")};
  facts.strict = get<bool>(root, "strict");
  facts.cpu_seconds = number_at(root, "cpu_seconds");
  facts.memory_bytes = get<std::uint64_t>(root, "memory_bytes");
  facts.custom_ops = get<std::vector<std::string>>(root, "custom_ops");
}

ReproFacts read(const Json& root) {
  if (!root.is_object() || !root.contains("schema")) throw Wrong("it is no JSON object with a 'schema'");
  const auto schema = get<std::string>(root, "schema");
  if (schema != repro_schema)
    throw Wrong("its schema is '" + printable(schema, 60) + "', and this version reads " + std::string(repro_schema));
  ReproFacts facts;
  read_fault(root, facts);
  read_setting(root, facts);
  facts.inputs = read_values(at(root, "inputs"));
  facts.outputs = read_values(at(root, "outputs"));
  facts.limits = read_limits(at(root, "limits"));
  const Json& versions = at(root, "versions");
  facts.versions = {get<std::string>(versions, "culprit"), get<std::string>(versions, "onnx_optimizer"),
                    get<std::string>(versions, "onnx"), get<std::string>(versions, "onnxruntime")};
  if (versions.contains("program")) facts.versions.program = get<std::string>(versions, "program");
  facts.model = read_model(at(root, "model"));
  facts.variant = read_model(at(root, "variant"));
  facts.is_reduced = get<bool>(root, "is_reduced");
  facts.is_smallest = !root.contains("is_smallest") || get<bool>(root, "is_smallest");
  return facts;
}

/// Has it the schema of a repro of another kind, of a source and a target?
bool is_of_pair(const Json& root) {
  const auto schema = root.is_object() ? root.find("schema") : root.end();
  return schema != root.end() && schema->is_string() && schema->get<std::string>() == pair_repro_schema;
}

}  // namespace

std::string to_json(const ReproFacts& facts) {
  const Json root = {{"schema", repro_schema},
                     {"fault", facts.fault},
                     {"source", facts.source},
                     {"verdict", name_of(facts.verdict)},
                     {"kind", name_of(facts.kind)},
                     {"control", facts.control ? Json(name_of(*facts.control)) : Json(nullptr)},
                     {"attribution", name_of(facts.attribution)},
                     {"culprits", facts.culprits},
                     {"signature", facts.signature},
                     {"found_signature", facts.found_signature},
                     {"message", facts.message},
                     {"evidence", evidence_of(facts.evidence)},
                     {"recipe", json_of(facts.recipe)},
                     {"packages", facts.packages},
                     {"contract", name_of(facts.contract)},
                     {"level", facts.level},
                     {"reference_level", facts.reference_level},
                     {"threads", facts.threads},
                     {"tolerance", {{"atol", or_null(facts.tolerance.atol)}, {"rtol", or_null(facts.tolerance.rtol)}}},
                     {"strict", facts.strict},
                     {"cpu_seconds", number(facts.cpu_seconds)},
                     {"memory_bytes", facts.memory_bytes},
                     {"custom_ops", facts.custom_ops},
                     {"inputs", values_of(facts.inputs)},
                     {"outputs", values_of(facts.outputs)},
                     {"limits", limits_of(facts.limits)},
                     {"measurements", measurements_of(facts.measurements)},
                     {"confirmed", facts.confirmed},
                     {"versions", versions_of(facts.versions)},
                     {"model", model_of(facts.model)},
                     {"variant", model_of(facts.variant)},
                     {"is_reduced", facts.is_reduced},
                     {"is_smallest", facts.is_smallest}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ReproFacts> parse_facts(std::string_view text, const std::string& where) {
  const std::string hint = "give a folder that culprit check wrote below repro/, with all that was in it";
  const Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    return fail(ErrorKind::bad_input, printable(where) + " is no JSON (" + human_bytes(text.size()) + ")", hint);
  if (is_of_pair(root)) {
    const auto script = std::filesystem::path(where).parent_path() / "repro.py";
    return fail(ErrorKind::bad_input,
                printable(where) + " is the repro of a pair of files, which only its own repro.py runs",
                "run `python3 " + shell_quoted(script.string()) + "`");
  }
  try {
    return read(root);
  } catch (const Wrong& wrong) {
    return fail(ErrorKind::bad_input, printable(where) + " is no repro.json: " + wrong.what(), hint);
  }
}

}  // namespace culprit
