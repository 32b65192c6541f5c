#include "check/decisions/judge_apart.h"

#include <algorithm>
#include <utility>

#include "check/decisions/added_samples.h"
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

void mark_decisive(Reference& reference, const ScannedVariant& scanned, const SampleSource& source,
                   std::shared_ptr<const DecisionTask> task, const std::vector<std::int64_t>& telling) {
  DecisiveSamples& decisive = reference.decisive;
  decisive.task = std::move(task);
  decisive.within_rounding = scanned.record.is_more_than_rounding;
  const auto beyond = first(scanned.beyond, most_decisive);
  std::vector<std::int64_t> numbers(beyond.begin(), beyond.end());
  numbers.insert(numbers.end(), telling.begin(), telling.end());
  for (std::size_t i = 0; i < reference.samples.size() && i < decisive.names.size(); ++i) {
    const auto is_it = [&](std::int64_t number) { return source.name(number) == decisive.names[i]; };
    const auto found = std::ranges::find_if(numbers, is_it);
    if (found == numbers.end()) continue;
    decisive.samples.insert(i);
    if (auto text = source.text(*found)) decisive.texts.emplace(i, std::move(*text));
  }
}

Result<std::string> judge_apart(Dispatcher& dispatcher, const ApartQuestion& question) {
  const auto numbers = telling_samples(question.scanned);
  if (numbers.empty()) return "";
  auto apart = reference_on(dispatcher, question.like, question.source, numbers, question.name);
  if (!apart) return tl::unexpected(apart.error());
  if (apart->samples.empty()) return "";
  mark_decisive(*apart, question.scanned, question.source, question.task);
  DrawnJudge judge(dispatcher, *apart);
  std::string against;
  run_and_judge(dispatcher, judge, question.variant, job_for(*question.variant, *apart, question.folder),
                [&](const Judgement& judgement, const RunOutcome&) {
                  if (is_fault(judgement.verdict, apart->options.strict)) against = judgement.message;
                });
  if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
  return against;
}

}  // namespace culprit
