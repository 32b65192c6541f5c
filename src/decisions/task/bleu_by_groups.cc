#include "task/bleu_by_groups.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

constexpr double percent = 100;

}  // namespace

void BleuByGroups::add(std::int64_t sample, std::string_view sentence, std::span<const std::string> references) {
  const std::size_t group = group_of(sample);
  groups_[group].add(sentence, references);
  ++texts_[group];
}

void BleuByGroups::write(StateWriter& state) const {
  for (std::size_t group = 0; group < sample_groups; ++group) {
    for (const std::int64_t count : groups_[group].counts()) state.add(count);
    state.add(texts_[group]);
  }
}

void BleuByGroups::merge(StateReader& state) {
  for (std::size_t group = 0; group < sample_groups; ++group) {
    auto counts = CorpusBleu{}.counts();
    for (std::int64_t& count : counts) count = state.count();
    groups_[group].merge(CorpusBleu::of(counts));
    texts_[group] += state.count();
  }
}

std::optional<Estimate> BleuByGroups::score(std::uint64_t seed) const {
  CorpusBleu all;
  std::uint32_t there = 0;
  std::size_t texts = 0;
  for (std::size_t group = 0; group < sample_groups; ++group) {
    all.merge(groups_[group]);
    texts += static_cast<std::size_t>(texts_[group]);
    if (texts_[group] > 0) there |= std::uint32_t{1} << group;
  }
  if (!all.score()) return std::nullopt;
  const Estimate within = over_draws(there, seed, texts, [&](const GroupWeights& weights) {
    auto score = weighted_sum(groups_, weights).score();
    if (score) score = std::min(*score / percent, 1.0);  // exp and log may miss a last bit
    return score;
  });
  return Estimate{percent * within.value, percent * within.low, percent * within.high};
}

}  // namespace culprit
