// Outcomes on the wire: made by workers, believed by nobody.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "worker/wire.h"

namespace culprit::wire {
namespace {

constexpr std::size_t most_of_text = 4096;  // characters kept of one text

bool is_time(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

void encode_hash(const Hash128& hash, Hash* wire) {
  wire->set_high(hash.high);
  wire->set_low(hash.low);
}

Hash128 decode_hash(const Hash& wire) { return {wire.high(), wire.low()}; }

void encode_value(const culprit::ValueInfo& value, ValueInfo* wire) {
  wire->set_name(value.name);
  wire->set_kind(static_cast<std::uint32_t>(value.kind));
  wire->set_dtype(static_cast<std::int32_t>(value.dtype));
  wire->set_has_shape(value.has_shape);
  for (const culprit::Dim& dim : value.dims) {
    Dim* added = wire->add_dims();
    added->set_has_value(dim.value.has_value());
    added->set_value(dim.value.value_or(0));
    added->set_name(dim.name);
  }
  for (const auto kind : value.inside) wire->add_inside(static_cast<std::uint32_t>(kind));
  wire->set_keys(static_cast<std::int32_t>(value.keys));
}

std::optional<culprit::ValueInfo> decode_value(const ValueInfo& wire) {
  using Kind = culprit::ValueInfo::Kind;
  const auto is_kind = [](std::uint32_t number) { return number <= static_cast<std::uint32_t>(Kind::unknown); };
  culprit::ValueInfo value;
  const auto type = type_numbered(wire.dtype());
  const auto keys = type_numbered(wire.keys());
  if (!type || !keys || !is_kind(wire.kind()) || !std::ranges::all_of(wire.inside(), is_kind)) return std::nullopt;
  value.name = wire.name();
  value.kind = static_cast<Kind>(wire.kind());
  for (const std::uint32_t kind : wire.inside()) value.inside.push_back(static_cast<Kind>(kind));
  value.dtype = *type;
  value.keys = *keys;
  value.has_shape = wire.has_shape();
  for (const Dim& dim : wire.dims())
    value.dims.push_back({dim.has_value() ? std::optional(dim.value()) : std::nullopt, dim.name()});
  return value;
}

template <class Repeated>
bool decode_values(const Repeated& wire, std::vector<culprit::ValueInfo>& values) {
  for (const ValueInfo& one : wire) {
    auto value = decode_value(one);
    if (!value) return false;
    values.push_back(std::move(*value));
  }
  return true;
}

template <class Repeated>
void encode_counts(const std::map<std::string, std::int64_t>& counts, Repeated* wire) {
  for (const auto& [name, count] : counts) {
    NamedCount* added = wire->Add();
    added->set_name(name);
    added->set_count(count);
  }
}

template <class Repeated>
std::map<std::string, std::int64_t> decode_counts(const Repeated& wire) {
  std::map<std::string, std::int64_t> counts;
  for (const NamedCount& one : wire) counts[one.name()] = one.count();
  return counts;
}

void encode_facts(const culprit::ModelFacts& facts, ModelFacts* wire) {
  wire->set_bytes(facts.bytes);
  wire->set_nodes(facts.nodes);
  wire->set_initializers(facts.initializers);
  wire->set_ir_version(facts.ir_version);
  encode_counts(facts.opsets, wire->mutable_opsets());
  for (const std::string& input : facts.inputs) wire->add_inputs(input);
  for (const std::string& output : facts.outputs) wire->add_outputs(output);
}

culprit::ModelFacts decode_facts(const ModelFacts& wire) {
  culprit::ModelFacts facts;
  facts.bytes = wire.bytes();
  facts.nodes = wire.nodes();
  facts.initializers = wire.initializers();
  facts.ir_version = wire.ir_version();
  facts.opsets = decode_counts(wire.opsets());
  facts.inputs.assign(wire.inputs().begin(), wire.inputs().end());
  facts.outputs.assign(wire.outputs().begin(), wire.outputs().end());
  return facts;
}

}  // namespace

std::optional<DType> type_numbered(std::int32_t number) {
  return number == static_cast<std::int32_t>(DType::undefined) ? DType::undefined : dtype_from_onnx(number);
}

Failure encode(const culprit::Failure& failure) {
  Failure wire;
  wire.set_ending(static_cast<std::uint32_t>(failure.ending));
  wire.set_message(failure.message);
  wire.set_last_words(failure.last_words);
  wire.set_machine(failure.machine);
  wire.set_doubtful(failure.doubtful);
  wire.set_limit(failure.limit);
  wire.set_cause(static_cast<std::uint32_t>(failure.cause));
  return wire;
}

std::optional<culprit::Failure> decode(const Failure& wire) {
  if (wire.ending() > static_cast<std::uint32_t>(Ending::out_of_memory)) return std::nullopt;
  if (wire.cause() > static_cast<std::uint32_t>(FailureCause::no_kernel)) return std::nullopt;
  culprit::Failure failure{static_cast<Ending>(wire.ending()), printable(wire.message(), most_of_text),
                           printable(wire.last_words(), most_of_text, false), wire.machine()};
  failure.doubtful = wire.doubtful();
  failure.limit = is_time(wire.limit()) ? wire.limit() : 0;
  failure.cause = static_cast<FailureCause>(wire.cause());
  return failure;
}

Imported encode(const ImportOutcome& outcome) {
  Imported wire;
  *wire.mutable_failure() = encode(outcome.failure);
  encode_hash(outcome.original, wire.mutable_original());
  wire.set_checker_complaint(outcome.checker_complaint);
  wire.set_seconds(outcome.seconds);
  wire.set_seconds_total(outcome.seconds_total);
  wire.set_peak_bytes(outcome.peak_bytes);
  wire.set_types_complaint(outcome.types_complaint);
  return wire;
}

std::optional<ImportOutcome> decode(const Imported& wire) {
  const auto failure = decode(wire.failure());
  if (!failure || !is_time(wire.seconds()) || !is_time(wire.seconds_total())) return std::nullopt;
  return ImportOutcome{0,
                       *failure,
                       decode_hash(wire.original()),
                       printable(wire.checker_complaint(), most_of_text),
                       wire.seconds(),
                       wire.seconds_total(),
                       wire.peak_bytes(),
                       printable(wire.types_complaint(), most_of_text)};
}

Variant encode(const VariantOutcome& outcome) {
  Variant wire;
  wire.set_recipe(outcome.recipe);
  *wire.mutable_failure() = encode(outcome.failure);
  wire.set_skipped_by_scan(outcome.skipped_by_scan);
  encode_hash(outcome.fingerprint, wire.mutable_fingerprint());
  wire.set_checker_complaint(outcome.checker_complaint);
  for (const auto& value : outcome.interface.inputs) encode_value(value, wire.mutable_interface()->add_inputs());
  for (const auto& value : outcome.interface.optional_inputs)
    encode_value(value, wire.mutable_interface()->add_optional_inputs());
  for (const auto& value : outcome.interface.outputs) encode_value(value, wire.mutable_interface()->add_outputs());
  encode_facts(outcome.facts, wire.mutable_facts());
  encode_counts(outcome.ops_changed, wire.mutable_ops_changed());
  for (const std::string& lost : outcome.lost_types) wire.add_lost_types(lost);
  for (const std::string& step : outcome.touched) wire.add_touched(step);
  for (const culprit::Warning& warning : outcome.warnings) {
    Warning* added = wire.add_warnings();
    added->set_code(warning.code);
    added->set_message(warning.message);
  }
  wire.set_seconds(outcome.seconds);
  *wire.mutable_rewrites() = encode(outcome.rewrites);
  wire.set_seconds_total(outcome.seconds_total);
  wire.set_peak_bytes(outcome.peak_bytes);
  return wire;
}

std::optional<VariantOutcome> decode(const Variant& wire, const culprit::OptimizeJob& job) {
  VariantOutcome outcome;
  const auto failure = decode(wire.failure());
  if (!failure || wire.recipe() >= job.recipes.size()) return std::nullopt;
  if (!is_time(wire.seconds()) || !is_time(wire.seconds_total())) return std::nullopt;
  outcome.recipe = wire.recipe();
  outcome.failure = *failure;
  outcome.skipped_by_scan = wire.skipped_by_scan();
  outcome.fingerprint = decode_hash(wire.fingerprint());
  outcome.checker_complaint = printable(wire.checker_complaint(), most_of_text);
  const Interface& interface = wire.interface();
  if (!decode_values(interface.inputs(), outcome.interface.inputs) ||
      !decode_values(interface.optional_inputs(), outcome.interface.optional_inputs) ||
      !decode_values(interface.outputs(), outcome.interface.outputs))
    return std::nullopt;
  outcome.facts = decode_facts(wire.facts());
  outcome.ops_changed = decode_counts(wire.ops_changed());
  for (const std::string& lost : wire.lost_types()) outcome.lost_types.push_back(printable(lost, most_of_text));
  for (const std::string& step : wire.touched()) outcome.touched.push_back(printable(step, most_of_text));
  for (const Warning& warning : wire.warnings())
    outcome.warnings.push_back({printable(warning.code(), most_of_text), printable(warning.message(), most_of_text)});
  outcome.seconds = wire.seconds();
  auto trace = decode(wire.rewrites());
  if (!trace) return std::nullopt;
  outcome.rewrites = std::move(*trace);
  outcome.seconds_total = wire.seconds_total();
  outcome.peak_bytes = wire.peak_bytes();
  const bool has_variant = !outcome.failure.failed() && !outcome.skipped_by_scan;
  if (has_variant && !job.folder.empty()) outcome.file = job.folder / (outcome.fingerprint.hex() + ".onnx");
  if (has_variant) outcome.facts.path = outcome.file.string();
  return outcome;
}

Ran encode(const RunOutcome& outcome, Level level) {
  Ran wire;
  *wire.mutable_failure() = encode(outcome.failure);
  wire.set_stage(static_cast<std::uint32_t>(outcome.stage));
  wire.set_level(static_cast<std::int32_t>(level));
  wire.set_seconds_load(outcome.seconds_load);
  wire.set_seconds_run(outcome.seconds_run);
  wire.set_peak_bytes(outcome.peak_bytes);
  wire.set_profile(outcome.profile.filename().string());
  return wire;
}

std::optional<std::filesystem::path> decode_profile(const std::string& name, const std::filesystem::path& profile_to,
                                                    bool is_due) {
  if (name.empty()) return is_due ? std::nullopt : std::optional(std::filesystem::path());
  const bool is_plain =
      name.size() < 256 && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
  if (profile_to.empty() || !is_plain || !name.starts_with(profile_to.filename().string())) return std::nullopt;
  const std::filesystem::path file = profile_to.parent_path() / name;
  std::error_code error;
  if (std::filesystem::symlink_status(file, error).type() != std::filesystem::file_type::regular) return std::nullopt;
  return file;
}

std::optional<RunOutcome> decode(const Ran& wire, const std::filesystem::path& profile_to) {
  RunOutcome outcome;
  const auto failure = decode(wire.failure());
  if (!failure || wire.stage() > static_cast<std::uint32_t>(RunOutcome::Stage::done)) return std::nullopt;
  outcome.stage = static_cast<RunOutcome::Stage>(wire.stage());
  if (failure->failed() == (outcome.stage == RunOutcome::Stage::done)) return std::nullopt;
  if (!is_time(wire.seconds_load()) || !is_time(wire.seconds_run())) return std::nullopt;
  outcome.failure = *failure;
  outcome.level = name_of(static_cast<Level>(wire.level()));
  outcome.seconds_load = wire.seconds_load();
  outcome.seconds_run = wire.seconds_run();
  outcome.peak_bytes = wire.peak_bytes();
  const bool is_due = !profile_to.empty() && outcome.stage == RunOutcome::Stage::done;
  const auto profile = decode_profile(wire.profile(), profile_to, is_due);
  if (!profile) return std::nullopt;
  outcome.profile = *profile;
  return outcome;
}

}  // namespace culprit::wire
