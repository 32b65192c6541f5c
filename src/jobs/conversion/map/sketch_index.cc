#include "conversion/map/sketch_index.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

std::vector<std::int64_t> counts_of(const ValueSketch& sketch) {
  std::vector<std::int64_t> counts;
  counts.reserve(sketch.by_sample.size());
  for (const SampleSketch& sample : sketch.by_sample) counts.push_back(sample.count);
  return counts;
}

}  // namespace

SketchIndex::SketchIndex(const std::vector<int>& order, const std::map<int, ValueSketch>& sketches) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto sketch = sketches.find(order[place]);
    if (sketch == sketches.end() || sketch->second.by_sample.empty()) continue;
    by_counts_[counts_of(sketch->second)].push_back(
        {sketch->second.by_sample[0].size, place, order[place], &sketch->second});
  }
  for (auto& [counts, entries] : by_counts_) std::ranges::sort(entries, {}, &Entry::size);
}

std::vector<int> SketchIndex::like(const ValueSketch& sketch, double most) const {
  std::vector<int> values;
  if (sketch.by_sample.empty() || sketch.says_nothing()) return values;
  const auto group = by_counts_.find(counts_of(sketch));
  if (group == by_counts_.end()) return values;
  // Means of absolute values are no further apart than the numbers are.
  const double size = sketch.by_sample[0].size;
  std::vector<std::pair<std::size_t, int>> found;
  for (auto entry = std::ranges::lower_bound(group->second, size * (1 - most), {}, &Entry::size);
       entry != group->second.end() && entry->size <= size * (1 + most); ++entry)
    if (may_be_same(sketch, *entry->sketch, most)) found.emplace_back(entry->place, entry->value);
  std::ranges::sort(found);
  values.reserve(found.size());
  for (const auto& [place, value] : found) values.push_back(value);
  return values;
}

}  // namespace culprit
