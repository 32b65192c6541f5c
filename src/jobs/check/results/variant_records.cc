#include "check/results/variant_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "check/variants/output_bits.h"
#include "model/lost_types.h"
#include "search/flaky.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// What a pass may leave behind by itself, so that only the very same words are the round trip's. All other warnings
/// tell of the whole model, and their numbers may differ from variant to variant.
constexpr std::array<std::string_view, 3> left_behind = {"unused_initializer", "duplicate_initializer", "dead_node"};

bool told_by(const std::vector<Warning>& told, const Warning& warning) {
  const bool exact = std::ranges::find(left_behind, warning.code) != left_behind.end();
  return std::ranges::any_of(told, [&](const Warning& other) {
    return other.code == warning.code && (!exact || other.message == warning.message);
  });
}

constexpr std::string_view finite_instead_code = "variant_is_finite_where_model_is_not";

std::string relative_to(const fs::path& folder, const fs::path& file) {
  return file.empty() ? "" : file.lexically_relative(folder).generic_string();
}

void add_result(VariantRecord& record, const VariantResult& result) {
  record.measurements = result.judgement.measurements;
  record.inner = result.inner;
  record.evidence = result.judgement.evidence;
  record.decision = result.judgement.decision;
  record.message = result.judgement.message;
  record.seconds_run = result.judgement.seconds_run;
  record.last_words = result.judgement.last_words;
  if (result.asked > 0) record.confirmed = fmt::format("{}/{}", result.confirmed, result.asked);
  if (result.asked > 0 && result.confirmed == 0) {
    record.message = "not seen again in a fresh process: " + record.message;
  }
}

std::optional<Deployed> deployed_of(const VariantResult& result, const DeployLevel& deploy_level) {
  if (!result.deployed) return std::nullopt;
  const VariantResult& there = *result.deployed;
  Deployed record;
  record.level = deploy_level.level();
  record.samples = static_cast<std::int64_t>(there.samples);
  record.verdict = verdict_of(there);
  record.message = there.judgement.message;
  record.measurements = there.judgement.measurements;
  record.evidence = there.judgement.evidence;
  record.decision = there.judgement.decision;
  if (there.asked > 0) record.confirmed = fmt::format("{}/{}", there.confirmed, there.asked);
  if (there.asked > 0 && there.confirmed == 0) record.message = "not seen again in a fresh process: " + record.message;
  return record;
}

/// A session that is right, whose saved file is not.
void add_saved(VariantRecord& record, const VariantResult& result, bool strict) {
  if (!result.saved || !is_fault(result.saved->judgement.verdict, strict)) return;
  record.warnings.push_back(
      {"saved_file_fails",
       "the session is right, but the file that the runtime saved of it, loaded with optimizations "
       "off, is not: " +
           std::string(name_of(result.saved->judgement.verdict)) + ": " + result.saved->judgement.message});
}

/// What the confirmations of a failure say of the optimizer and the runtime.
void add_doubts(VariantRecord& record, const VariantResult& result) {
  if (result.confirmed > 0 && result.confirmed < result.asked) {
    record.warnings.push_back(
        {"flaky",
         fmt::format("seen again in only {}/{} fresh processes: it shows {}", result.confirmed, result.asked,
                     share_text(static_cast<std::size_t>(result.confirmed), static_cast<std::size_t>(result.asked)))});
  }
  if (result.remade_differently) {
    record.warnings.push_back(
        {"optimizer_not_repeatable", "a fresh optimizer process made another model from the same passes"});
  }
}

/// Where nothing else is wrong.
void add_finite_instead(VariantRecord& record, const Judgement& judgement) {
  const bool is_told =
      std::ranges::any_of(record.warnings, [](const Warning& warning) { return warning.code == finite_instead_code; });
  if (is_told || judgement.finite_instead.empty() || judgement.verdict == Verdict::diverged) return;
  record.warnings.push_back({std::string(finite_instead_code), judgement.finite_instead});
}

/// Nodes of what the recipe gives; where its passes match nothing that is the round trip's.
std::int64_t nodes_of(const Variant& variant, const JudgedVariants& variants) {
  const VariantOutcome& made = variant.outcome.skipped_by_scan ? variants.round_trip().outcome : variant.outcome;
  return made.failure.failed() ? 0 : made.facts.nodes;
}

std::string fingerprint_of(const Variant& variant, const JudgedVariants& variants) {
  const VariantOutcome& made = variant.outcome.skipped_by_scan ? variants.round_trip().outcome : variant.outcome;
  return made.failure.failed() ? "" : made.fingerprint.hex();
}

/// What is as the original, or as a round trip that is, gives what that gave.
std::string output_bits_of(const Variant& variant, const JudgedVariants& variants, const std::string& of_original) {
  if (variant.same_as == SameAs::none) return variant.result ? variant.result->output_bits : "";
  const VariantResult* trip = variants.round_trip().result.get();
  return variant.same_as == SameAs::round_trip && trip != nullptr ? trip->output_bits : of_original;
}

std::string planned_message(const Variant& variant, const std::string& message) {
  if (variant.plan.reason.empty()) return message;
  return variant.plan.reason + (message.empty() ? "" : ": " + message);
}

VariantRecord record_of(const Variant& variant, const JudgedVariants& variants, const Reference& reference) {
  const VariantOutcome& outcome = variant.outcome;
  VariantRecord record;
  record.runtime = reference.runtime;
  record.recipe = variant.plan.recipe;
  record.is_bundle = variant.plan.is_bundle;
  record.made_as = variant.plan.made_as;
  record.contract = variant.plan.contract;
  record.verdict = variants.verdict_on(variant);
  record.same_as = variant.same_as;
  record.fingerprint = fingerprint_of(variant, variants);
  record.file = relative_to(reference.folder, outcome.file);
  record.nodes_before = reference.model.facts.nodes;
  record.nodes = nodes_of(variant, variants);
  record.ops_changed = outcome.ops_changed;
  record.seconds_optimize = outcome.seconds;
  const auto told = round_trip_warnings(variants);
  std::ranges::copy_if(outcome.warnings, std::back_inserter(record.warnings),
                       [&](const Warning& warning) { return !told_by(told, warning); });
  if (variant.result) {
    add_result(record, *variant.result);
    add_doubts(record, *variant.result);
    add_saved(record, *variant.result, reference.options.strict);
    record.deployed = deployed_of(*variant.result, variants.deploy_level());
    add_finite_instead(record, variant.result->judgement);
    if (variant.result->deployed) add_finite_instead(record, variant.result->deployed->judgement);
    if (variant.result->deployed) add_doubts(record, *variant.result->deployed);
    if (variant.result->deployed) record.last_words += variant.result->deployed->judgement.last_words;
  }
  if (variants.follows_round_trip(variant)) {
    std::string& message = variants.fails_deployed(variant) ? record.deployed->message : record.message;
    message += " (as the round trip alone does)";
  }
  record.message = planned_message(variant, record.message);
  return record;
}

/// "V07"
std::string variant_id(std::size_t number, std::size_t of) {
  return fmt::format("V{:0{}}", number, std::max<std::size_t>(2, std::to_string(of).size()));
}

}  // namespace

std::vector<std::string> variant_ids(const JudgedVariants& variants) {
  const auto& numbers = variants.all();
  const auto of = std::ranges::count_if(numbers, [](const Variant& variant) { return !variant.plan.is_for_search; });
  std::vector<std::string> ids;
  ids.reserve(numbers.size());
  std::size_t number = 0;
  for (const Variant& variant : numbers) {
    ids.push_back(variant.plan.is_for_search ? "" : variant_id(++number, static_cast<std::size_t>(of)));
  }
  return ids;
}

std::vector<VariantRecord> variant_records(const JudgedVariants& variants, const Reference& reference,
                                           bool tries_orders) {
  std::vector<VariantRecord> records;
  std::map<const VariantResult*, std::string> first;
  const std::vector<std::string> ids = variant_ids(variants);
  const std::string of_original = tries_orders ? bits_of_outputs(reference.outputs, {}) : "";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Variant& variant = variants.all()[i];
    if (ids[i].empty()) continue;
    VariantRecord record = record_of(variant, variants, reference);
    record.id = ids[i];
    if (tries_orders) record.output_bits = output_bits_of(variant, variants, of_original);
    if (variant.result) {
      const auto [at, is_first] = first.emplace(variant.result.get(), record.id);
      if (!is_first) record.same_as = SameAs::variant, record.same_variant = at->second;
    }
    records.push_back(std::move(record));
  }
  return records;
}

ControlRecord round_trip_record(const JudgedVariants& variants) {
  ControlRecord record;
  record.name = ControlName::round_trip;
  const bool imported = !variants.import().failure.failed();
  const VariantResult* result = imported ? variants.round_trip().result.get() : &variants.import_result();
  record.verdict = Verdict::unchanged;
  if (result == nullptr) return record;
  const bool vanished = result->asked > 0 && result->confirmed == 0;
  record.verdict = vanished ? Verdict::inconclusive : result->judgement.verdict;
  record.measurements = result->judgement.measurements;
  record.message = result->judgement.message;
  if (result->asked > 0) record.message += fmt::format(" (confirmed {}/{})", result->confirmed, result->asked);
  return record;
}

std::vector<Warning> round_trip_warnings(const JudgedVariants& variants) {
  if (variants.import().failure.failed()) return {};
  std::vector<Warning> warnings = variants.round_trip().outcome.warnings;
  const VariantResult* as_exported = variants.as_exported();
  if (as_exported == nullptr || as_exported == variants.round_trip().result.get()) return warnings;
  for (Warning& warning : warnings) {
    const bool is_right =
        verdict_of(*as_exported) == Verdict::equivalent || verdict_of(*as_exported) == Verdict::deviates;
    if (warning.code == types_lost && is_right)
      warning.message += "; the runtime infers it: the exported model loads, runs and gives the same values";
  }
  return warnings;
}

}  // namespace culprit
