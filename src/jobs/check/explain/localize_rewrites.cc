#include "check/explain/localize_rewrites.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "base/text.h"
#include "check/explain/file_trial.h"
#include "check/explain/localize_pieces.h"
#include "model/node_diff.h"

namespace culprit {
namespace {

constexpr double seconds_of_timeouts = 60;  // that the search for one fault may wait for what times out
constexpr std::size_t fewest_questions = 8;
constexpr double believed = 0.05;  // the chance that is taken of believing a right answer that is right by chance
constexpr std::size_t most_doubts = 8;

/// The variant that shows a fault best: of its culprits alone, else the first.
std::optional<std::size_t> number_of(const FaultRecord& fault, const JudgedVariants& variants,
                                     const std::vector<std::string>& ids) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty() || !holds(fault.variants, ids[i])) continue;
    const PlannedVariant& plan = variants.all()[i].plan;
    if (plan.rewrites.limits_nothing() && plan.recipe.passes == fault.culprits) return i;
    if (!first) first = i;
  }
  return first;
}

bool flickers(const VariantResult& result) { return result.confirmed < result.asked; }

/// How often it came, of all times that it was tried.
double rate_of(const VariantResult& result) { return (1.0 + result.confirmed) / (1.0 + result.asked); }

std::string told_of_flicker(const VariantResult& result, const RewriteSearchOptions& options) {
  return fmt::format(
      "the failure flickers: it came in {} of {} runs, and what did not show it in {} runs was taken to be right, "
      "which chance alone gives in {:.0f} % of cases",
      1 + result.confirmed, 1 + result.asked, 1 + options.doubts,
      100 * std::pow(1 - rate_of(result), 1 + static_cast<double>(options.doubts)));
}

/// What the model that this variant stands for was refused for before it was run.
bool is_refused_unrun(const Variant& variant) {
  const EvidenceStage stage = variant.result ? variant.result->judgement.evidence.stage : EvidenceStage::none;
  return variant.outcome.failure.failed() || stage == EvidenceStage::optimize || stage == EvidenceStage::checker ||
         stage == EvidenceStage::interface;
}

}  // namespace

Result<void> RewriteLocalization::explain(std::vector<FaultRecord>& faults, const std::vector<std::string>& ids) {
  for (FaultRecord& fault : faults) {
    if (fault.kind == FaultKind::control) {
      const bool wanders = fault.control == ControlName::optimizer_repeat;
      fault.rewrites_message = wanders ? "not searched: the same passes make other models"
                                       : "it fails without any rewrite, so none is to blame";
      continue;
    }
    const auto failing = number_of(fault, variants_, ids);
    if (!failing) continue;
    const Stopwatch watch;
    if (auto ok = explain(fault, *failing); !ok) return ok;
    fault.rewrites_seconds = watch.seconds();
  }
  return {};
}

RewriteSearchOptions RewriteLocalization::options_for(const FaultRecord& fault, const VariantResult& result) const {
  RewriteSearchOptions options;
  options.confirmations = reference_.options.confirmations > 0 ? 1 : 0;
  if (fault.verdict == Verdict::timed_out) {
    const double questions = seconds_of_timeouts / std::max(reference_.options.limits.cpu_seconds, 0.01);
    options.most_asked = std::min(options.most_asked, static_cast<std::size_t>(questions));
  }
  if (flickers(result)) {
    const double times = std::ceil(std::log(believed) / std::log(1 - rate_of(result)));
    options.doubts = std::min(most_doubts, static_cast<std::size_t>(std::max(times, 2.0)) - 1);
    options.confirmations = 4;
  }
  return options;
}

Result<void> RewriteLocalization::explain(FaultRecord& fault, std::size_t failing) {
  const RecipeAnswer sought = answer_of(variants_, variants_.all()[failing]);
  if (sought.state != RecipeAnswer::State::fails) return {};
  if (dispatcher_.must_skip("the rewrites of " + fault.id)) {
    fault.rewrites_message = "not searched: the time of --budget is spent";
    return {};
  }
  const VariantResult& result = *variants_.failing(variants_.all()[failing]);
  if (!result.inner.empty() && !is_fault(verdict_of(result.judgement.measurements), reference_.options.strict)) {
    fault.rewrites_message =
        "not searched: it shows in values inside only, which are not compared for parts of a pass list";
    return {};
  }
  const Recipe& recipe = variants_.all()[failing].plan.recipe;
  if (runs_in_session(recipe) || is_of_program(recipe)) return explain_step(fault, failing, sought);
  const RewriteSearchOptions options = options_for(fault, result);
  if (options.most_asked < fewest_questions) {
    fault.rewrites_message =
        fmt::format("not searched: every question may take {:g} s; a --timeout of {:g} s allows it",
                    reference_.options.limits.cpu_seconds, seconds_of_timeouts / fewest_questions);
    return {};
  }
  const auto search = find_bad_rewrites(
      [&](const RewriteLimits& limits, std::size_t again) { return ask(failing, sought, limits, again); }, options);
  if (!search) return tl::unexpected(search.error());
  std::vector<RewriteSite> left_out;
  for (const BadRewrite& bad : search->found) {
    if (bad.otherwise.empty()) {
      auto record = record_of(bad, failing, sought, left_out);
      if (!record) return tl::unexpected(record.error());
      fault.rewrites.push_back(std::move(*record));
    }
    left_out.push_back(bad.visit.site);
  }
  fault.rewrites_message = flickers(result) ? told_of_flicker(result, options) : search->message;
  fault.rewrites_asked = static_cast<std::int64_t>(search->asked);
  return {};
}

/// A runtime's steps, and a program's, cannot be stopped half-way: what they changed in all is cut into pieces, of
/// which some are wrong.
Result<void> RewriteLocalization::explain_step(FaultRecord& fault, std::size_t failing, const RecipeAnswer& sought) {
  const Variant& variant = variants_.all()[failing];
  const auto before = load_model(variants_.round_trip().outcome.file);
  const auto after = load_model(variant.outcome.file);
  if (!before || !after) {
    fault.rewrites_message = "not searched: the runtime saved no model that could be compared";
    return {};
  }
  RewriteRecord record;
  record.pass = printable(join(fault.culprits, " + "), 200);
  record.number = record.of = 1;
  const VariantResult& result = *variants_.failing(variant);
  record.confirmed = fmt::format("{}/{}", result.confirmed, result.asked);
  NodeDiff diff = node_diff(*before->proto, *after->proto, 40);
  record.diff = std::move(diff.lines);
  record.diff_left_out = static_cast<std::int64_t>(diff.more);
  PieceLocalization pieces(variants_, dispatcher_, reference_, failing, sought);
  if (auto ok = pieces.explain(*before->proto, *after->proto, record); !ok) return ok;
  fault.rewrites.push_back(std::move(record));
  return {};
}

Result<RewriteAnswer> RewriteLocalization::ask(std::size_t failing, const RecipeAnswer& sought,
                                               const RewriteLimits& limits, std::size_t again) {
  // Nothing at all is the round trip, and what that does is never a rewrite's doing.
  if (limits.budget == 0 && again == 0) return answer(variants_.round_trip(), sought);
  if (dispatcher_.spent()) {
    return RewriteAnswer{RewriteAnswer::State::ended, {}, {}, "the time of --budget is spent"};
  }
  const auto number = number_for(failing, limits, again);
  if (!number) return tl::unexpected(number.error());
  return again > 0 ? run_afresh(*number, sought) : answer(variants_.all()[*number], sought);
}

Result<std::size_t> RewriteLocalization::number_for(std::size_t failing, const RewriteLimits& limits,
                                                    std::size_t again) {
  const auto known = std::ranges::find_if(
      asked_, [&](const Asked& one) { return one.failing == failing && one.again == again && one.limits == limits; });
  if (known != asked_.end()) return known->variant;
  PlannedVariant trial = variants_.all()[failing].plan;
  trial.is_for_search = true;
  trial.is_bundle = false;
  trial.rewrites = limits;
  auto number = variants_.add({std::move(trial)});
  if (!number) return number;
  if (variants_.fails_deployed(variants_.all()[failing])) {
    if (auto ok = variants_.deploy_on_all({&variants_.all()[*number]}); !ok) return tl::unexpected(ok.error());
  }
  asked_.push_back({failing, limits, again, *number});
  return number;
}

RewriteAnswer RewriteLocalization::answer(const Variant& variant, const RecipeAnswer& sought) const {
  RewriteAnswer answer;
  const VariantOutcome& made = variant.outcome.skipped_by_scan ? variants_.round_trip().outcome : variant.outcome;
  if (!made.failure.failed()) answer.fingerprint = made.fingerprint;
  answer.trace = variant.outcome.rewrites;
  const bool is_round_trip = &variant == &variants_.round_trip() || variant.same_as == SameAs::round_trip;
  const RecipeAnswer shown = answer_of(variants_, variant);
  if (shown.state == RecipeAnswer::State::clean || is_round_trip || variants_.follows_round_trip(variant)) {
    answer.state = RewriteAnswer::State::right;
  } else if (shown == sought) {
    answer.state = RewriteAnswer::State::fails;
  } else {
    const VariantResult* result = variant.result.get();
    const bool says_nothing = result == nullptr || result->judgement.message.empty();
    answer.message = says_nothing ? shown.failure : result->judgement.message;
  }
  return answer;
}

/// It was made afresh; what was run was perhaps another's. So it is run again, in a fresh process.
Result<RewriteAnswer> RewriteLocalization::run_afresh(std::size_t number, const RecipeAnswer& sought) {
  RewriteAnswer fresh = answer(variants_.all()[number], sought);
  const bool hides_behind_trip =
      fresh.state == RewriteAnswer::State::right && variants_.is_faulty(variants_.round_trip());
  if (is_refused_unrun(variants_.all()[number]) || hides_behind_trip) return fresh;
  const auto shown = show_file(variants_, reference_, number, file_of(variants_, reference_, variants_.all()[number]));
  if (!shown) return tl::unexpected(shown.error());
  if (shown->state == RecipeAnswer::State::clean) {
    fresh.state = RewriteAnswer::State::right;
  } else if (*shown == sought) {
    fresh.state = RewriteAnswer::State::fails;
  } else {
    fresh.state = RewriteAnswer::State::unknown;
    fresh.message = shown->failure;
  }
  return fresh;
}

Result<Model> RewriteLocalization::made_with(std::uint64_t budget, std::size_t failing,
                                             const std::vector<RewriteSite>& skip) const {
  if (budget == 0) return load_model(file_of(variants_, reference_, variants_.round_trip()));
  for (const Asked& one : asked_) {
    if (one.failing != failing || one.limits.budget != budget || one.limits.skip != skip) continue;
    return load_model(file_of(variants_, reference_, variants_.all()[one.variant]));
  }
  return fail(ErrorKind::not_found, "it was not asked for");
}

Result<RewriteRecord> RewriteLocalization::record_of(const BadRewrite& bad, std::size_t failing,
                                                     const RecipeAnswer& sought,
                                                     const std::vector<RewriteSite>& before) {
  RewriteRecord record;
  record.pass = printable(bad.visit.site.pass, 100);
  record.output = printable(bad.visit.site.output);
  record.op_type = printable(bad.visit.op_type, 100);
  record.number = static_cast<std::int64_t>(bad.number);
  record.of = static_cast<std::int64_t>(bad.of);
  record.confirmed = std::to_string(bad.held) + "/" + std::to_string(bad.asked);
  const auto good = made_with(bad.number - 1, failing, before);
  const auto broken = made_with(bad.number, failing, before);
  if (!good || !broken) return record;  // the optimizer crashed: there is nothing to compare
  NodeDiff diff = node_diff(*good->proto, *broken->proto, 40, bad.visit.site.output);
  record.diff = std::move(diff.lines);
  record.diff_left_out = static_cast<std::int64_t>(diff.more);
  if (!bad.visit.site.output.empty()) return record;
  PieceLocalization pieces(variants_, dispatcher_, reference_, failing, sought);
  if (auto ok = pieces.explain(*good->proto, *broken->proto, record); !ok) return tl::unexpected(ok.error());
  return record;
}

}  // namespace culprit
