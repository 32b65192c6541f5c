#include "check/decisions/data_set_decisions.h"

#include <algorithm>
#include <utility>

#include "check/decisions/added_samples.h"
#include "check/decisions/judge_apart.h"
#include "check/explain/explain_recipe.h"
#include "task/decision_warnings.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

/// What can be run of it on its own; null where it is the original, or was not made.
RunnablePtr runnable_of(const Variant& variant, const Reference& reference) {
  if (runs_in_session(variant.plan.recipe)) return runnable_in_session(variant.plan.recipe, reference);
  const bool is_other = variant.is_made && variant.same_as != SameAs::original && !variant.outcome.failure.failed() &&
                        !variant.outcome.file.empty() && variant.plan.contract != Contract::partition;
  if (!is_other || !bind_to(reference, variant.outcome.interface, variant.plan.contract)) return nullptr;
  return runnable(variant.outcome.file, variant.outcome.interface, variant.plan.contract, reference);
}

}  // namespace

DataSetDecisions::DataSetDecisions(Dispatcher& dispatcher, const CheckOptions& options, const CheckTools& tools,
                                   ModelReport& report)
    : dispatcher_(dispatcher),
      options_(options),
      tools_(tools),
      report_(report),
      scan_(dispatcher, *tools.data_set, options.deploy_level, tools.folder / "outputs" / "decisions",
            [&tools](std::int64_t done, std::int64_t total) {
              if (tools.progress)
                tools.progress(static_cast<std::size_t>(done), static_cast<std::size_t>(total), "samples, decisions");
            }) {}

Result<void> DataSetDecisions::not_judged(const Error& error) {
  return decisions_not_judged(error).map([this](Warning&& warning) { report_.warnings.push_back(std::move(warning)); });
}

Result<Reference> DataSetDecisions::begin(const MadeVariants& variants, const Recipe& recipe, Reference reference) {
  for (std::size_t i = 0; i < variants.all().size(); ++i) {
    const Variant& variant = variants.all()[i];
    if (!is_of(variant, recipe) || variants.import().failure.failed()) continue;
    if (variant.outcome.fingerprint == variants.import().original && !runs_in_session(recipe)) return reference;
    const RunnablePtr made = runnable_of(variant, reference);
    if (made == nullptr || dispatcher_.must_skip("decisions on the whole data set")) return reference;
    auto scanned = scan_.choose_task(reference).and_then([&] { return scan_.scan(reference, *made); });
    if (!scanned) {
      if (auto ok = not_judged(scanned.error()); !ok) return tl::unexpected(ok.error());
      return reference;
    }
    found_[i] = scanned->record;
    const DecisionRecord& decisions = scanned->record.decisions;
    for (const auto& warnings :
         {decision_warnings(decisions, "the original", "the variant"), label_warnings(decisions)})
      report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
    return add_samples(*scanned, std::move(reference));
  }
  return reference;
}

Result<Reference> DataSetDecisions::add_samples(const ScannedVariant& scanned, Reference reference) {
  std::vector<std::int64_t> numbers = telling_samples(scanned);
  for (const auto& more : {scanned.worst, tools_.data_set->telling})
    for (const std::int64_t number : more)
      if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  if (numbers.empty()) return reference;
  auto placed = with_samples(dispatcher_, std::move(reference), tools_.data_set->source, numbers, "of-the-data-set");
  if (!placed) return tl::unexpected(placed.error());
  mark_decisive(*placed, scanned, tools_.data_set->source, scan_.task(), tools_.data_set->telling);
  tell_added(*placed, report_.data);
  return std::move(placed->reference);
}

Result<std::string> DataSetDecisions::verify(const MadeVariants& variants, std::size_t safe,
                                             const Reference& reference) {
  const Variant& variant = variants.all()[safe];
  const RunnablePtr made = runnable_of(variant, reference);
  if (made == nullptr || scan_.task() == nullptr || found_.contains(safe)) return "";
  if (dispatcher_.must_skip("decisions of the safe list on the whole data set")) return "";
  auto scanned = scan_.scan(reference, *made);
  if (!scanned) {
    if (auto ok = not_judged(scanned.error()); !ok) return tl::unexpected(ok.error());
    return "";
  }
  found_[safe] = scanned->record;
  auto against = judge_apart(dispatcher_, {reference, tools_.data_set->source, *scanned, scan_.task(), made,
                                           "of-the-safe-recipe", tools_.folder / "outputs" / "safe-apart"});
  if (against && !against->empty()) against_safe_ = telling_samples(*scanned);
  return against;
}

}  // namespace culprit
