#include "search/flaky.h"

#include <fmt/format.h>

#include <boost/math/distributions/binomial.hpp>

namespace culprit {
namespace {

constexpr double one_side = 0.025;  // of the 5 % that are left

using Runs = boost::math::binomial_distribution<double>;

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
  if (asked == 0) return {};
  const auto runs = static_cast<double>(asked), those = static_cast<double>(yes);
  return {Runs::find_lower_bound_on_p(runs, those, one_side), Runs::find_upper_bound_on_p(runs, those, one_side)};
}

std::string share_text(std::size_t yes, std::size_t asked) {
  const Share share = likely_share(yes, asked);
  return fmt::format("in {:.0f} % to {:.0f} % of runs, at 95 % confidence", 100 * share.least, 100 * share.most);
}

}  // namespace culprit
