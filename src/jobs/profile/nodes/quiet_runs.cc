#include "profile/nodes/quiet_runs.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "statistics/quantile.h"

namespace culprit {
namespace {

double waited_share(double seconds, double waited) { return waited > 0 ? waited / (seconds + waited) : 0; }

}  // namespace

QuietRuns quiet_runs(const std::vector<double>& seconds, const std::vector<double>& waited, std::size_t least) {
  QuietRuns runs;
  runs.keep.assign(seconds.size(), true);
  runs.quiet = static_cast<std::int64_t>(seconds.size());
  if (waited.size() != seconds.size()) return runs;
  std::vector<double> shares;
  for (std::size_t i = 0; i < seconds.size(); ++i) shares.push_back(waited_share(seconds[i], waited[i]));
  runs.quiet = std::ranges::count_if(shares, [](double share) { return share < quiet_share; });
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t run) { return shares[run]; });
  const std::size_t kept = std::min(order.size(), std::max(static_cast<std::size_t>(runs.quiet), least));
  for (std::size_t i = kept; i < order.size(); ++i) runs.keep[order[i]] = false;
  if (static_cast<std::size_t>(runs.quiet) >= kept) return runs;
  std::vector<double> waits;
  for (std::size_t i = 0; i < kept; ++i) waits.push_back(waited[order[i]]);
  runs.waited_seconds = median(std::move(waits));
  return runs;
}

}  // namespace culprit
