#include "search/bisect.h"

namespace culprit {

std::optional<BisectResult> bisect(std::size_t good, std::size_t bad_end, const std::function<bool(std::size_t)>& bad) {
  if (good >= bad_end || bad(good) || !bad(bad_end)) return std::nullopt;
  std::size_t checks = 2;
  std::size_t bad_now = bad_end;
  while (bad_now - good > 1) {  // good is good and bad_now is bad, whatever lies between
    const std::size_t middle = good + (bad_now - good) / 2;
    ++checks;
    (bad(middle) ? bad_now : good) = middle;
  }
  return BisectResult{bad_now, checks};
}

}  // namespace culprit
