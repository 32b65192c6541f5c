#include "check/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

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

void add_finding(VariantRecord& record, const Finding& finding) {
  record.measurements = finding.judgement.measurements;
  record.inner = finding.inner;
  record.evidence = finding.judgement.evidence;
  record.message = finding.judgement.message;
  record.seconds_run = finding.judgement.seconds_run;
  record.last_words = finding.judgement.last_words;
  if (finding.asked > 0) record.confirmed = fmt::format("{}/{}", finding.confirmed, finding.asked);
  if (finding.asked > 0 && finding.confirmed == 0) {
    record.message = "not seen again in a fresh process: " + record.message;
  }
}

std::optional<Deployed> deployed_of(const Finding& finding, const Deployment& deployment) {
  if (!finding.deployed) return std::nullopt;
  const Finding& there = *finding.deployed;
  Deployed record;
  record.level = deployment.level();
  record.samples = static_cast<std::int64_t>(there.samples);
  record.verdict = verdict_of(there);
  record.message = there.judgement.message;
  record.measurements = there.judgement.measurements;
  record.evidence = there.judgement.evidence;
  if (there.asked > 0) record.confirmed = fmt::format("{}/{}", there.confirmed, there.asked);
  if (there.asked > 0 && there.confirmed == 0) record.message = "not seen again in a fresh process: " + record.message;
  return record;
}

/// What the confirmations of a finding say of the optimizer and the runtime.
void add_doubts(VariantRecord& record, const Finding& finding) {
  if (finding.confirmed > 0 && finding.confirmed < finding.asked) {
    record.warnings.push_back(
        {"flaky", fmt::format("seen again in only {}/{} fresh processes: it shows {}", finding.confirmed, finding.asked,
                              share_text(static_cast<std::size_t>(finding.confirmed),
                                         static_cast<std::size_t>(finding.asked)))});
  }
  if (finding.remade_differently) {
    record.warnings.push_back(
        {"optimizer_not_repeatable", "a fresh optimizer process made another model from the same recipe"});
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
std::int64_t nodes_of(const Attempt& attempt, const Study& study) {
  const VariantOutcome& made = attempt.outcome.skipped_by_scan ? study.round_trip().outcome : attempt.outcome;
  return made.failure.failed() ? 0 : made.facts.nodes;
}

std::string fingerprint_of(const Attempt& attempt, const Study& study) {
  const VariantOutcome& made = attempt.outcome.skipped_by_scan ? study.round_trip().outcome : attempt.outcome;
  return made.failure.failed() ? "" : made.fingerprint.hex();
}

std::string planned_message(const Attempt& attempt, const std::string& message) {
  if (attempt.plan.reason.empty()) return message;
  return attempt.plan.reason + (message.empty() ? "" : ": " + message);
}

VariantRecord record_of(const Attempt& attempt, const Study& study, const Basis& basis) {
  const VariantOutcome& outcome = attempt.outcome;
  VariantRecord record;
  record.runtime = basis.runtime;
  record.recipe = attempt.plan.recipe;
  record.is_bundle = attempt.plan.is_bundle;
  record.contract = attempt.plan.contract;
  record.verdict = study.verdict_on(attempt);
  record.same_as = attempt.same_as;
  record.fingerprint = fingerprint_of(attempt, study);
  record.file = relative_to(basis.folder, outcome.file);
  record.nodes_before = basis.model.facts.nodes;
  record.nodes = nodes_of(attempt, study);
  record.ops_changed = outcome.ops_changed;
  record.seconds_optimize = outcome.seconds;
  const auto told = round_trip_warnings(study);
  std::ranges::copy_if(outcome.warnings, std::back_inserter(record.warnings),
                       [&](const Warning& warning) { return !told_by(told, warning); });
  if (attempt.finding) {
    add_finding(record, *attempt.finding);
    add_doubts(record, *attempt.finding);
    record.deployed = deployed_of(*attempt.finding, study.deployment());
    add_finite_instead(record, attempt.finding->judgement);
    if (attempt.finding->deployed) add_finite_instead(record, attempt.finding->deployed->judgement);
    if (attempt.finding->deployed) add_doubts(record, *attempt.finding->deployed);
    if (attempt.finding->deployed) record.last_words += attempt.finding->deployed->judgement.last_words;
  }
  if (study.follows_round_trip(attempt)) {
    std::string& message = study.fails_deployed(attempt) ? record.deployed->message : record.message;
    message += " (as the round trip alone does)";
  }
  record.message = planned_message(attempt, record.message);
  return record;
}

/// "V07"
std::string variant_id(std::size_t number, std::size_t of) {
  return fmt::format("V{:0{}}", number, std::max<std::size_t>(2, std::to_string(of).size()));
}

}  // namespace

std::vector<std::string> variant_ids(const Study& study) {
  const auto& attempts = study.attempts();
  const auto of = std::ranges::count_if(attempts, [](const Attempt& attempt) { return !attempt.plan.is_trial; });
  std::vector<std::string> ids;
  ids.reserve(attempts.size());
  std::size_t number = 0;
  for (const Attempt& attempt : attempts) {
    ids.push_back(attempt.plan.is_trial ? "" : variant_id(++number, static_cast<std::size_t>(of)));
  }
  return ids;
}

std::vector<VariantRecord> variant_records(const Study& study, const Basis& basis) {
  std::vector<VariantRecord> records;
  std::map<const Finding*, std::string> first;
  const std::vector<std::string> ids = variant_ids(study);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Attempt& attempt = study.attempts()[i];
    if (ids[i].empty()) continue;
    VariantRecord record = record_of(attempt, study, basis);
    record.id = ids[i];
    if (attempt.finding) {
      const auto [at, is_first] = first.emplace(attempt.finding.get(), record.id);
      if (!is_first) record.same_as = at->second;
    }
    records.push_back(std::move(record));
  }
  return records;
}

ControlRecord round_trip_record(const Study& study) {
  ControlRecord record;
  record.name = "round_trip";
  const bool imported = !study.import().failure.failed();
  const Finding* finding = imported ? study.round_trip().finding.get() : &study.import_finding();
  record.verdict = Verdict::unchanged;
  if (finding == nullptr) return record;
  const bool vanished = finding->asked > 0 && finding->confirmed == 0;
  record.verdict = vanished ? Verdict::inconclusive : finding->judgement.verdict;
  record.measurements = finding->judgement.measurements;
  record.message = finding->judgement.message;
  if (finding->asked > 0) record.message += fmt::format(" (confirmed {}/{})", finding->confirmed, finding->asked);
  return record;
}

std::vector<Warning> round_trip_warnings(const Study& study) {
  if (study.import().failure.failed()) return {};
  std::vector<Warning> warnings = study.round_trip().outcome.warnings;
  const Finding* as_exported = study.as_exported();
  if (as_exported == nullptr || as_exported == study.round_trip().finding.get()) return warnings;
  for (Warning& warning : warnings) {
    const bool is_right =
        verdict_of(*as_exported) == Verdict::equivalent || verdict_of(*as_exported) == Verdict::deviates;
    if (warning.code == types_lost && is_right)
      warning.message += "; the runtime infers it: the exported model loads, runs and gives the same values";
  }
  return warnings;
}

}  // namespace culprit
