#include "check/decisions/data_set_decisions.h"

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "check/decisions/added_samples.h"
#include "check/explain/explain_recipe.h"
#include "trial/drawn_judge.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

constexpr std::size_t most_decisive = 4, most_failed = 2;  // samples that are added

/// What can be run of it on its own; null where it is the original, or was not made.
RunnablePtr runnable_of(const Variant& variant, const Reference& reference) {
  if (runs_in_session(variant.plan.recipe)) return runnable_in_session(variant.plan.recipe, reference);
  const bool is_other = variant.is_made && variant.same_as != SameAs::original && !variant.outcome.failure.failed() &&
                        !variant.outcome.file.empty() && variant.plan.contract != Contract::partition;
  if (!is_other || !bind_to(reference, variant.outcome.interface, variant.plan.contract)) return nullptr;
  return runnable(variant.outcome.file, variant.outcome.interface, variant.plan.contract, reference);
}

std::vector<std::int64_t> first(const std::vector<std::int64_t>& numbers, std::size_t count) {
  return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(std::min(count, numbers.size()))};
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

Result<Reference> DataSetDecisions::begin(const Variants& variants, const Recipe& recipe, Reference reference) {
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
    return add_samples(*scanned, std::move(reference));
  }
  return reference;
}

Result<Reference> DataSetDecisions::add_samples(const ScannedVariant& scanned, Reference reference) {
  std::vector<std::int64_t> numbers = first(scanned.beyond, most_decisive);
  const std::size_t decisive = numbers.size();
  for (const auto& more : {first(scanned.failed, most_failed), scanned.worst})
    for (const std::int64_t number : more)
      if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  if (numbers.empty()) return reference;
  auto added = reference_on(dispatcher_, reference, tools_.data_set->source, numbers, "of-the-data-set");
  if (!added) return added;
  added->decisive.task = scan_.task();
  added->decisive.within_rounding = scanned.record.is_more_than_rounding;
  for (std::size_t i = 0; i < added->samples.size(); ++i) {
    const std::string& name = added->decisive.names[i];
    const auto is_it = [&](std::int64_t number) { return tools_.data_set->source.name(number) == name; };
    if (std::ranges::any_of(first(numbers, decisive), is_it)) added->decisive.samples.insert(i);
    report_.data.choices.push_back("one more of the data set, because it shows a difference: " + printable(name, 200));
  }
  report_.data.samples += static_cast<std::int64_t>(added->samples.size());
  return joined(std::move(reference), *added);
}

Result<std::string> DataSetDecisions::verify(const Variants& variants, std::size_t safe, const Reference& reference) {
  const Variant& variant = variants.all()[safe];
  const RunnablePtr made = runnable_of(variant, reference);
  if (made == nullptr || scan_.task() == nullptr || found_.contains(safe)) return "";
  if (dispatcher_.must_skip("decisions of the safe recipe on the whole data set")) return "";
  auto scanned = scan_.scan(reference, *made);
  if (!scanned) {
    if (auto ok = not_judged(scanned.error()); !ok) return tl::unexpected(ok.error());
    return "";
  }
  found_[safe] = scanned->record;
  return judge_apart(*scanned, variant, reference);
}

/// On the samples that speak against it alone.
Result<std::string> DataSetDecisions::judge_apart(const ScannedVariant& scanned, const Variant& safe,
                                                  const Reference& reference) {
  std::vector<std::int64_t> numbers = first(scanned.beyond, most_decisive);
  const std::size_t decisive = numbers.size();
  std::ranges::copy(first(scanned.failed, most_failed), std::back_inserter(numbers));
  if (numbers.empty()) return "";
  auto apart = reference_on(dispatcher_, reference, tools_.data_set->source, numbers, "of-the-safe-recipe");
  if (!apart) return tl::unexpected(apart.error());
  if (apart->samples.empty()) return "";
  apart->decisive.task = scan_.task();
  apart->decisive.within_rounding = scanned.record.is_more_than_rounding;
  for (std::size_t i = 0; i < std::min(decisive, apart->samples.size()); ++i) apart->decisive.samples.insert(i);
  DrawnJudge judge(dispatcher_, *apart);
  const RunnablePtr made = runnable_of(safe, *apart);
  std::string against;
  run_and_judge(dispatcher_, judge, made, job_for(*made, *apart, tools_.folder / "outputs" / "safe-apart"),
                [&](const Judgement& judgement, const RunOutcome&) {
                  if (is_fault(judgement.verdict, options_.strict)) against = judgement.message;
                });
  if (auto ok = dispatcher_.drain(); !ok) return tl::unexpected(ok.error());
  return against;
}

}  // namespace culprit
