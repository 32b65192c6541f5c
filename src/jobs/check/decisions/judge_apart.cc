#include "check/decisions/judge_apart.h"

#include <algorithm>
#include <utility>

#include "trial/drawn_judge.h"

namespace culprit {
namespace {

constexpr std::size_t most_decisive = 4, most_failed = 2;

std::span<const std::int64_t> first(const std::vector<std::int64_t>& numbers, std::size_t count) {
  return std::span(numbers).first(std::min(count, numbers.size()));
}

}  // namespace

std::vector<std::int64_t> telling_samples(const ScannedVariant& scanned) {
  const auto decisive = first(scanned.beyond, most_decisive);
  std::vector<std::int64_t> numbers(decisive.begin(), decisive.end());
  for (const std::int64_t number : first(scanned.failed, most_failed))
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  return numbers;
}

void mark_decisive(PlacedSamples& placed, const ScannedVariant& scanned, const SampleSource& source,
                   std::shared_ptr<const DecisionTask> task, const std::vector<std::int64_t>& telling) {
  DecisiveSamples& decisive = placed.reference.decisive;
  decisive.task = std::move(task);
  decisive.within_rounding = scanned.record.is_more_than_rounding;
  const auto beyond = first(scanned.beyond, most_decisive);
  std::vector<std::int64_t> numbers(beyond.begin(), beyond.end());
  numbers.insert(numbers.end(), telling.begin(), telling.end());
  for (const std::int64_t number : numbers) {
    const auto found = placed.places.find(number);
    if (found == placed.places.end()) continue;
    decisive.samples.insert(found->second);
    if (auto text = source.text(number)) decisive.texts.emplace(found->second, std::move(*text));
  }
}

Result<std::string> judge_apart(Dispatcher& dispatcher, const ApartQuestion& question) {
  const auto numbers = telling_samples(question.scanned);
  if (numbers.empty()) return "";
  auto apart = reference_on(dispatcher, question.like, question.source, numbers, question.name);
  if (!apart) return tl::unexpected(apart.error());
  if (apart->reference.samples.empty()) return "";
  mark_decisive(*apart, question.scanned, question.source, question.task);
  const Reference& reference = apart->reference;
  DrawnJudge judge(dispatcher, reference);
  std::string against;
  run_and_judge(dispatcher, judge, question.variant, job_for(*question.variant, reference, question.folder),
                [&](const Judgement& judgement, const RunOutcome&) {
                  if (is_fault(judgement.verdict, reference.options.strict)) against = judgement.message;
                });
  if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
  return against;
}

}  // namespace culprit
