#include "search/flaky.h"

namespace culprit {

Votes ask(const std::function<bool()>& predicate, std::size_t times) {
  Votes votes;
  while (votes.asked < times) {
    if (predicate()) ++votes.yes;
    ++votes.asked;
    if (votes.yes > 0 && votes.yes < votes.asked) break;
  }
  return votes;
}

}  // namespace culprit
