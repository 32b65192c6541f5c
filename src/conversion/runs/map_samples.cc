#include "conversion/runs/map_samples.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace culprit {

Result<void> choose_map_samples(ReadSide& source, ReadSide& target, const BothElements& elements,
                                const std::vector<ValueMatch>& outputs, std::size_t most) {
  std::vector<std::pair<std::int64_t, double>> apart(source.samples.size());
  PlainJudge judge(source.options.floors.tolerance);
  for (const ValueMatch& output : outputs) {
    const auto one = elements.source.of(output.source), other = elements.target.of(output.target);
    if (!one) return tl::unexpected(one.error());
    if (!other) return tl::unexpected(other.error());
    for (std::size_t i = 0; i < apart.size() && i < one->size() && i < other->size(); ++i) {
      const auto judged = judge.judge(pair_of(output, {&(*one)[i], 1}, {&(*other)[i], 1}));
      if (!judged) return tl::unexpected(judged.error());
      apart[i].first += judged->measurement.beyond_tolerance;
      apart[i].second += judged->measurement.max_abs;
    }
  }
  std::vector<std::size_t> order(apart.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return apart[a] > apart[b]; });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  source.map_samples.clear();
  target.map_samples.clear();
  for (const std::size_t sample : order) {
    source.map_samples.push_back(source.samples[sample]);
    target.map_samples.push_back(target.samples[sample]);
  }
  return {};
}

}  // namespace culprit
