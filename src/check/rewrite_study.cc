#include "check/rewrite_study.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/text.h"
#include "model/node_diff.h"

namespace culprit {
namespace {

/// The attempt that shows a fault best: of its culprits alone, else the first.
std::optional<std::size_t> attempt_of(const FaultRecord& fault, const Study& study,
                                      const std::vector<std::string>& ids) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty() || !holds(fault.variants, ids[i])) continue;
    if (study.attempts()[i].plan.recipe.passes == fault.culprits) return i;
    if (!first) first = i;
  }
  return first;
}

/// "" where the rewrites can be searched.
std::string why_not(const FaultRecord& fault) {
  if (fault.kind == FaultKind::control) return "it fails without any rewrite, so none is to blame";
  if (fault.verdict == Verdict::timed_out || fault.verdict == Verdict::out_of_memory)
    return "not searched: every question would take as long, or as much, as the limit allows";
  return "";
}

}  // namespace

Result<void> RewriteStudy::explain(std::vector<FaultRecord>& faults, const std::vector<std::string>& ids) {
  for (FaultRecord& fault : faults) {
    fault.rewrites_message = why_not(fault);
    if (!fault.rewrites_message.empty()) continue;
    const auto failing = attempt_of(fault, study_, ids);
    if (!failing) continue;
    if (auto ok = explain(fault, *failing); !ok) return ok;
  }
  return {};
}

Result<void> RewriteStudy::explain(FaultRecord& fault, std::size_t failing) {
  const Showing sought = showing_of(study_, study_.attempts()[failing]);
  if (sought.state != Showing::State::fails) return {};
  const RewriteOracle oracle = [&](const RewriteLimits& limits, std::size_t again) {
    return ask(failing, sought, limits, again);
  };
  const auto search = find_bad_rewrites(oracle);
  if (!search) return tl::unexpected(search.error());
  std::vector<RewriteSite> left_out;
  for (const BadRewrite& bad : search->found) {
    fault.rewrites.push_back(record_of(bad, failing, left_out));
    left_out.push_back(bad.visit.site);
  }
  fault.rewrites_message = search->message;
  fault.rewrites_asked = static_cast<std::int64_t>(search->asked);
  return {};
}

Result<RewriteAnswer> RewriteStudy::ask(std::size_t failing, const Showing& sought, const RewriteLimits& limits,
                                        std::size_t again) {
  const auto number = attempt_for(failing, limits);
  if (!number) return tl::unexpected(number.error());
  return again > 0 ? this->again(*number, sought) : answer(study_.attempts()[*number], sought);
}

Result<std::size_t> RewriteStudy::attempt_for(std::size_t failing, const RewriteLimits& limits) {
  const auto known =
      std::ranges::find_if(asked_, [&](const Asked& one) { return one.failing == failing && one.limits == limits; });
  if (known != asked_.end()) return known->attempt;
  PlannedVariant trial = study_.attempts()[failing].plan;
  trial.is_trial = true;
  trial.is_bundle = false;
  trial.rewrites = limits;
  const std::size_t number = study_.add({std::move(trial)});
  if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
  asked_.push_back({failing, limits, number});
  return number;
}

RewriteAnswer RewriteStudy::answer(const Attempt& attempt, const Showing& sought) const {
  RewriteAnswer answer;
  const VariantOutcome& made = attempt.outcome.skipped_by_scan ? study_.round_trip().outcome : attempt.outcome;
  if (!made.failure.failed()) answer.fingerprint = made.fingerprint;
  answer.trace = attempt.outcome.rewrites;
  const Showing shown = showing_of(study_, attempt);
  if (shown.state == Showing::State::clean) {
    answer.state = RewriteAnswer::State::right;
  } else if (shown == sought) {
    answer.state = RewriteAnswer::State::fails;
  } else {
    const Finding* finding = attempt.finding.get();
    answer.message =
        shown.state == Showing::State::fails || finding == nullptr ? shown.failure : finding->judgement.message;
  }
  return answer;
}

/// Once more in fresh processes, on either side.
Result<RewriteAnswer> RewriteStudy::again(std::size_t number, const Showing& sought) {
  RewriteAnswer first = answer(study_.attempts()[number], sought);
  if (first.state == RewriteAnswer::State::fails) {
    study_.confirm(number);
    if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
    return answer(study_.attempts()[number], sought);
  }
  if (first.state != RewriteAnswer::State::right) return first;
  study_.verify(number, file_of(study_.attempts()[number]), [&](const Judgement& judgement, const std::string&) {
    if (is_fault(judgement.verdict, basis_.options.strict)) first.state = RewriteAnswer::State::unknown;
  });
  if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
  return first;
}

std::filesystem::path RewriteStudy::file_of(const Attempt& attempt) const {
  if (attempt.same_as == "original") return basis_.model.path;
  return attempt.same_as == "round_trip" ? study_.round_trip().outcome.file : attempt.outcome.file;
}

RewriteRecord RewriteStudy::record_of(const BadRewrite& bad, std::size_t failing,
                                      const std::vector<RewriteSite>& before) const {
  RewriteRecord record;
  record.pass = bad.visit.site.pass;
  record.output = printable(bad.visit.site.output, 200);
  record.op_type = printable(bad.visit.op_type, 100);
  record.number = static_cast<std::int64_t>(bad.number);
  record.of = static_cast<std::int64_t>(bad.of);
  record.confirmed = std::to_string(bad.held) + "/" + std::to_string(bad.asked);
  const auto made_with = [&](std::uint64_t budget) -> Result<Model> {
    for (const Asked& one : asked_) {
      const Attempt& attempt = study_.attempts()[one.attempt];
      if (one.failing != failing || one.limits.budget != budget || one.limits.skip != before) continue;
      return load_model(file_of(attempt));
    }
    return fail(ErrorKind::not_found, "it was not asked for");
  };
  const auto good = made_with(bad.number - 1);
  const auto broken = made_with(bad.number);
  if (!good || !broken) return record;  // the optimizer crashed: there is nothing to compare
  NodeDiff diff = node_diff(*good->proto, *broken->proto);
  record.diff = std::move(diff.lines);
  record.diff_left_out = static_cast<std::int64_t>(diff.more);
  return record;
}

}  // namespace culprit
