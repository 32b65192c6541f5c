#pragma once
// The first bad step of a sequence, by halving. Pure.

#include <cstddef>
#include <functional>
#include <optional>

namespace culprit {

struct BisectResult {
  std::size_t first_bad = 0;  ///< N: N is bad, N-1 is good, both were asked
  std::size_t checks = 0;
};

/// `bad(n)` for n in [good, bad_end]; `good` must be good and `bad_end` bad, else nullopt. Each n is asked at most
/// once. With a predicate that is not monotone some N with (N-1 good, N bad) is still found.
std::optional<BisectResult> bisect(std::size_t good, std::size_t bad_end, const std::function<bool(std::size_t)>& bad);

}  // namespace culprit
