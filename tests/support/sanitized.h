#pragma once
// Under sanitizers everything takes five to ten times as long: of long rows of cases that differ in data more than in
// code, they see some.

#include <cstddef>
#include <vector>

namespace culprit::testing {

#ifdef CULPRIT_SANITIZED
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

/// All of them; under sanitizers the first of every so many.
template <class Case>
std::vector<Case> thinned(const std::vector<Case>& all, std::size_t every) {
  std::vector<Case> some;
  for (std::size_t i = 0; i < all.size(); i += is_sanitized ? every : 1) some.push_back(all[i]);
  return some;
}

}  // namespace culprit::testing
