#include "search/ddmin.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace culprit {
namespace {

/// Asks for each subset once, and for no more than `limit` of them.
class Oracle {
 public:
  Oracle(const FailsWith& fails, std::size_t limit) : fails_(fails), limit_(limit) {}

  bool fails(const Subset& subset) {
    if (const auto known = answers_.find(subset); known != answers_.end()) return known->second;
    if (answers_.size() >= limit_) {
      exhausted_ = true;
      return false;  // not reproduced is the safe answer: what is kept was seen to fail
    }
    return answers_[subset] = fails_(subset);
  }
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::size_t checks() const { return answers_.size(); }

 private:
  const FailsWith& fails_;
  std::size_t limit_;
  bool exhausted_ = false;
  std::map<Subset, bool> answers_;
};

/// Piece `i` of `n` nearly equal ones: [first, last).
struct Piece {
  std::size_t first;
  std::size_t last;
};
Piece piece(const Subset& whole, std::size_t i, std::size_t n) {
  return {whole.size() * i / n, whole.size() * (i + 1) / n};
}

Subset inside(const Subset& whole, Piece part) {
  return {whole.begin() + static_cast<std::ptrdiff_t>(part.first),
          whole.begin() + static_cast<std::ptrdiff_t>(part.last)};
}

Subset without(const Subset& whole, Piece part) {
  Subset rest = inside(whole, {0, part.first});
  rest.insert(rest.end(), whole.begin() + static_cast<std::ptrdiff_t>(part.last), whole.end());
  return rest;
}

std::optional<Subset> failing_piece(Oracle& oracle, const Subset& whole, std::size_t n) {
  for (std::size_t i = 0; i < n && !oracle.exhausted(); ++i) {
    Subset part = inside(whole, piece(whole, i, n));
    if (oracle.fails(part)) return part;
  }
  return std::nullopt;
}

std::optional<Subset> failing_complement(Oracle& oracle, const Subset& whole, std::size_t n) {
  for (std::size_t i = 0; i < n && !oracle.exhausted(); ++i) {
    Subset rest = without(whole, piece(whole, i, n));
    if (oracle.fails(rest)) return rest;
  }
  return std::nullopt;
}

/// The paper's ddmin2: at granularity n try pieces, then complements, then finer pieces. `failing` fails.
Subset minimize(Oracle& oracle, Subset failing) {
  std::size_t n = 2;
  while (failing.size() >= 2 && !oracle.exhausted()) {
    if (auto part = failing_piece(oracle, failing, n)) {
      failing = std::move(*part);
      n = 2;
    } else if (auto rest = failing_complement(oracle, failing, n)) {
      failing = std::move(*rest);
      n = std::max<std::size_t>(n - 1, 2);
    } else if (n < failing.size()) {
      n = std::min(failing.size(), 2 * n);
    } else {
      break;
    }
  }
  return failing;
}

}  // namespace

DdminResult ddmin(std::size_t count, const FailsWith& fails, std::size_t max_checks) {
  Oracle oracle(fails, max_checks);
  Subset whole(count);
  std::iota(whole.begin(), whole.end(), std::size_t{0});
  DdminResult result;
  result.reproduced = oracle.fails(whole);
  if (result.reproduced) result.minimal = minimize(oracle, std::move(whole));
  // A failure that needs a single element may need none: the empty list is asked last, because it seldom fails.
  if (result.minimal.size() == 1 && oracle.fails({})) result.minimal.clear();
  result.checks = oracle.checks();
  result.complete = !oracle.exhausted();
  return result;
}

}  // namespace culprit
