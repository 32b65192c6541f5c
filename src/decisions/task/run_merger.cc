#include "task/run_merger.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr std::uint64_t part_length = 4096;

}  // namespace

bool stands_before(const MatchRecord& a, const MatchRecord& b) {
  if (a.label != b.label) return a.label < b.label;
  if (std::isnan(a.score) || std::isnan(b.score)) return !std::isnan(a.score) && std::isnan(b.score);
  return a.score > b.score;
}

RunMerger::RunMerger(const AveragePrecision& from) : spill_(from.spill_.get()) {
  for (const auto& run : from.runs_) sources_.push_back({run, {}, 0});
  Source recent;
  recent.part = from.recent_;
  std::ranges::stable_sort(recent.part, stands_before);
  sources_.push_back(std::move(recent));
}

bool RunMerger::is_behind(std::size_t a, std::size_t b) const {
  const MatchRecord &first = sources_[a].part[sources_[a].at], &second = sources_[b].part[sources_[b].at];
  if (stands_before(first, second)) return false;
  return stands_before(second, first) || a > b;
}

Result<bool> RunMerger::fill(Source& source) {
  if (source.at < source.part.size()) return true;
  if (source.rest.count == 0) return false;
  source.part.resize(std::min(part_length, source.rest.count));
  source.at = 0;
  const std::size_t bytes = source.part.size() * sizeof(MatchRecord);
  auto read = spill_->read(source.rest.offset, {reinterpret_cast<char*>(source.part.data()), bytes});
  if (!read) return tl::unexpected(read.error());
  source.rest.offset += bytes;
  source.rest.count -= source.part.size();
  return true;
}

Result<void> RunMerger::next(std::optional<MatchRecord>& into) {
  const auto behind = [this](std::size_t a, std::size_t b) { return is_behind(a, b); };
  const auto push = [&](std::size_t number) -> Result<void> {
    auto filled = fill(sources_[number]);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return {};
    heap_.push_back(number);
    std::ranges::push_heap(heap_, behind);
    return {};
  };
  for (std::size_t number = 0; !is_started_ && number < sources_.size(); ++number)
    if (auto done = push(number); !done) return done;
  is_started_ = true;
  into.reset();
  if (heap_.empty()) return {};
  std::ranges::pop_heap(heap_, behind);
  const std::size_t number = heap_.back();
  heap_.pop_back();
  into = sources_[number].part[sources_[number].at++];
  return push(number);
}

}  // namespace culprit
