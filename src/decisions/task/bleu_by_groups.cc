#include "task/bleu_by_groups.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

constexpr double percent = 100;

}  // namespace

void BleuByGroups::add(std::int64_t sample, std::string_view sentence, std::span<const std::string> references) {
  Group& group = groups_[group_of(sample)];
  group.corpus.add(sentence, references);
  ++group.texts;
}

void BleuByGroups::write(StateWriter& state) const {
  for (const Group& group : groups_) {
    for (const std::int64_t count : group.corpus.counts()) state.add(count);
    state.add(group.texts);
  }
}

void BleuByGroups::merge(StateReader& state) {
  for (Group& group : groups_) {
    auto counts = CorpusBleu{}.counts();
    for (std::int64_t& count : counts) count = state.count();
    group.corpus.merge(CorpusBleu::of(counts));
    group.texts += state.count();
  }
}

std::optional<Estimate> BleuByGroups::score(std::uint64_t seed) const {
  CorpusBleu all;
  std::uint32_t there = 0;
  std::int64_t texts = 0;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    all.merge(groups_[group].corpus);
    texts += groups_[group].texts;
    if (groups_[group].texts > 0) there |= std::uint32_t{1} << group;
  }
  const auto share = [](double score) { return std::min(score / percent, 1.0); };  // exp and log may miss a last bit
  const auto score = all.score();
  if (!score) return std::nullopt;
  std::vector<double> drawn;
  for (const GroupWeights& weights : draw_groups(there, seed)) {
    CorpusBleu some;
    for (std::size_t group = 0; group < groups_.size(); ++group) some.merge(groups_[group].corpus, weights[group]);
    if (const auto one = some.score()) drawn.push_back(share(*one));
  }
  const Estimate within = around_draws(share(*score), std::move(drawn), static_cast<std::size_t>(texts));
  return Estimate{percent * within.value, percent * within.low, percent * within.high};
}

}  // namespace culprit
