#include "search/flaky.h"

#include <fmt/format.h>

#include <cmath>

namespace culprit {
namespace {

constexpr double one_side = 0.025;  // of the 5 % that are left
constexpr int halvings = 60;

/// Of `asked` runs, each of which is so with probability `p`: that it is so in `yes` or more.
double at_least(std::size_t yes, std::size_t asked, double p) {
  const auto n = static_cast<double>(asked);
  double sum = 0;
  for (std::size_t k = yes; k <= asked; ++k) {
    const auto x = static_cast<double>(k);
    const double ways = std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1);
    sum += std::exp(ways + x * std::log(p) + (n - x) * std::log1p(-p));
  }
  return sum;
}

/// The `p` at which `at_least` is `wanted`: it grows with p.
double share_where(std::size_t yes, std::size_t asked, double wanted) {
  double low = 0, high = 1;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (at_least(yes, asked, middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Votes ask(const std::function<bool()>& predicate, std::size_t times) {
  Votes votes;
  while (votes.asked < times) {
    if (predicate()) ++votes.yes;
    ++votes.asked;
    if (votes.yes > 0 && votes.yes < votes.asked) break;
  }
  return votes;
}

Share likely_share(std::size_t yes, std::size_t asked) {
  return {yes == 0 ? 0.0 : share_where(yes, asked, one_side),
          yes >= asked ? 1.0 : share_where(yes + 1, asked, 1 - one_side)};
}

std::string share_text(std::size_t yes, std::size_t asked) {
  const Share share = likely_share(yes, asked);
  return fmt::format("in {:.0f} % to {:.0f} % of runs, at 95 % confidence", 100 * share.least, 100 * share.most);
}

}  // namespace culprit
