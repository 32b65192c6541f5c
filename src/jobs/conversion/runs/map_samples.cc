#include "conversion/runs/map_samples.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/as_index.h"

namespace culprit {
namespace {

constexpr std::uint64_t two_runs = 2;
constexpr std::size_t fewest_samples =
    2;  // one alone says less than it seems: two values may have the same numbers there

/// The elements of all its values in one sample, as far as their types tell; a size that is not known counts as 1.
std::uint64_t declared_bytes(const ReadSide& side) {
  std::uint64_t bytes = 0;
  for (const int value : side.shown) {
    const NetworkValue& known = side.network().values[as_index(value)];
    if (!known.has_rank || known.dtype == DType::undefined) continue;
    Shape shape = known.dims;
    for (std::int64_t& size : shape) size = std::max<std::int64_t>(size, 1);
    if (const auto count = element_count(shape)) bytes += bytes_for(known.dtype, *count);
  }
  return bytes;
}

}  // namespace

std::size_t samples_with_room(const ReadSide& source, const ReadSide& target, std::size_t most) {
  const std::uint64_t bytes = std::max({declared_bytes(source), declared_bytes(target), std::uint64_t{1}});
  const std::uint64_t room =
      two_runs * source.options.bytes_per_run / bytes;  // less than what is kept: types may be missing
  return room >= most ? most : std::min(most, std::max<std::size_t>(fewest_samples, static_cast<std::size_t>(room)));
}

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
