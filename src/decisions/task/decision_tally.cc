#include "task/decision_tally.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr std::size_t longest_words = 200;  // bytes

/// Not cut within a character.
std::string cut(const std::string& words) {
  std::size_t size = std::min(words.size(), longest_words);
  constexpr unsigned char kind = 0xc0, behind_the_first = 0x80;
  while (size > 0 && size < words.size() && (static_cast<unsigned char>(words[size]) & kind) == behind_the_first)
    --size;
  return words.substr(0, size);
}

}  // namespace

void DecisionTally::add(std::int64_t sample, const DecisionChange& change) {
  ++samples_;
  undecided_ += change.is_undecided ? 1 : 0;
  empty_ += change.is_empty ? 1 : 0;
  if (change.changed) changed_.push_back(sample);
  if (!change.changed && !(change.margin > 0)) return;
  worst_.push_back({sample, cut(change.reference), cut(change.variant), change.margin});
  keep_worst();
}

/// The largest margin first; of equal ones the smaller number.
void DecisionTally::keep_worst() {
  std::ranges::stable_sort(worst_, [](const WorstDecision& a, const WorstDecision& b) {
    return a.margin != b.margin ? a.margin > b.margin : a.sample < b.sample;
  });
  if (worst_.size() > most_worst) worst_.resize(most_worst);
}

void DecisionTally::merge(const DecisionTally& later) {
  samples_ += later.samples_;
  undecided_ += later.undecided_;
  empty_ += later.empty_;
  changed_.insert(changed_.end(), later.changed_.begin(), later.changed_.end());
  worst_.insert(worst_.end(), later.worst_.begin(), later.worst_.end());
  keep_worst();
}

void DecisionTally::write(StateWriter& state) const {
  state.add(samples_).add(undecided_).add(empty_).add_all(changed_).add(static_cast<std::uint64_t>(worst_.size()));
  for (const WorstDecision& one : worst_)
    state.add(one.sample).add(one.margin).add(std::string_view(one.reference)).add(std::string_view(one.variant));
}

DecisionTally DecisionTally::read(StateReader& state) {
  DecisionTally tally;
  for (std::int64_t* count : {&tally.samples_, &tally.undecided_, &tally.empty_}) *count = state.count();
  state.all_to(tally.changed_);
  const auto worst = state.next<std::uint64_t>();
  if (worst > most_worst) state.refuse();
  for (std::uint64_t i = 0; i < worst && state.is_good(); ++i) {
    WorstDecision one;
    one.sample = state.next<std::int64_t>();
    one.margin = state.next<double>();
    one.reference = state.text();
    one.variant = state.text();
    tally.worst_.push_back(std::move(one));
  }
  return tally;
}

void DecisionTally::fill(DecisionRecord& record) const {
  record.samples = samples_;
  record.undecided = undecided_;
  record.empty = empty_;
  record.changed = static_cast<std::int64_t>(changed_.size());
  record.worst = worst_;
}

}  // namespace culprit
