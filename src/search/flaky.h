#pragma once
// Asking a predicate that may flicker several times.

#include <cstddef>
#include <functional>

namespace culprit {

struct Votes {
  std::size_t yes = 0;
  std::size_t asked = 0;
  [[nodiscard]] bool always() const { return asked > 0 && yes == asked; }
  [[nodiscard]] bool never() const { return yes == 0; }
};

/// Asks at most `times`; stops early once both answers were seen, because then it is known to flicker.
Votes ask(const std::function<bool()>& predicate, std::size_t times);

}  // namespace culprit
