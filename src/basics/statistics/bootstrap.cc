#include "statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "statistics/quantile.h"

namespace culprit {
namespace {

constexpr std::size_t usual_draws = 1000, fewest_draws = 200, full_draws_up_to = 10000;

std::size_t draws_for(const BootstrapOptions& options, std::size_t values) {
  if (options.draws > 0) return options.draws;
  if (values <= full_draws_up_to) return usual_draws;
  return std::max(fewest_draws, usual_draws * full_draws_up_to / values);
}

/// Calls `take(place)` as often as there are values, each time with a place by chance. Two from one random number: the
/// upper half of 32 bits times the count (D. Lemire 2019); a place is preferred by at most count / 2^32.
template <class Take>
void draw(Random& random, std::size_t values, const Take& take) {
  for (std::size_t i = 0; i < values; i += 2) {
    const std::uint64_t bits = random.next();
    take(static_cast<std::size_t>(((bits & 0xffffffff) * values) >> 32));
    if (i + 1 < values) take(static_cast<std::size_t>(((bits >> 32) * values) >> 32));
  }
}

}  // namespace

Interval middle_of(std::vector<double> drawn, double confidence) {
  std::erase_if(drawn, [](double value) { return std::isnan(value); });
  if (drawn.empty()) return {};
  std::ranges::sort(drawn);
  return {quantile_of_sorted(drawn, (1 - confidence) / 2), quantile_of_sorted(drawn, (1 + confidence) / 2)};
}

Interval bootstrap_mean(std::span<const float> values, const BootstrapOptions& options) {
  if (values.empty()) return {};
  if (std::ranges::adjacent_find(values, std::ranges::not_equal_to()) == values.end())
    return {values.front(), values.front()};
  Random random(options.seed, "bootstrap_mean");
  std::vector<double> means(draws_for(options, values.size()));
  for (double& mean : means) {
    double sum = 0;
    draw(random, values.size(), [&](std::size_t place) { sum += static_cast<double>(values[place]); });
    mean = sum / static_cast<double>(values.size());
  }
  return middle_of(std::move(means), options.confidence);
}

Interval bootstrap_ratio(std::span<const float> above, std::span<const float> below, const BootstrapOptions& options) {
  const std::size_t values = std::min(above.size(), below.size());
  if (values == 0) return {};
  Random random(options.seed, "bootstrap_ratio");
  std::vector<double> ratios;
  for (std::size_t i = 0, draws = draws_for(options, values); i < draws; ++i) {
    double over = 0, under = 0;
    draw(random, values, [&](std::size_t place) {
      over += static_cast<double>(above[place]);
      under += static_cast<double>(below[place]);
    });
    if (under != 0) ratios.push_back(over / under);
  }
  return middle_of(std::move(ratios), options.confidence);
}

}  // namespace culprit
