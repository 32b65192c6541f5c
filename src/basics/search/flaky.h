#pragma once
// Asking a predicate that may flicker several times.

#include <cstddef>
#include <functional>
#include <string>

namespace culprit {

struct Votes {
  std::size_t yes = 0;
  std::size_t asked = 0;
  [[nodiscard]] bool always() const { return asked > 0 && yes == asked; }
  [[nodiscard]] bool never() const { return yes == 0; }
};

/// Asks at most `times`; stops early once both answers were seen, because then it is known to flicker.
Votes ask(const std::function<bool()>& predicate, std::size_t times);

/// A share of all runs, between 0 and 1.
struct Share {
  double least = 0, most = 1;
};

/// How often it is really so where it was so in `yes` of `asked` independent runs: the interval of Clopper and Pearson
/// (Biometrika 26, 1934), which holds the true share in at least 95 of 100 cases.
Share likely_share(std::size_t yes, std::size_t asked);

/// "in 9 % to 99 % of runs, at 95 % confidence".
std::string share_text(std::size_t yes, std::size_t asked);

}  // namespace culprit
