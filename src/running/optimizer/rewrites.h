#pragma once
// Single rewrites: one application of one pass at one place. A recipe can be told to stop after some of them or to
// leave some out, and to say where it went. Zeller's bisection over transformations, as LLVM's -opt-bisect-limit and
// XLA's pass fuel do it, but over the whole recipe and all its rounds, and without a change to the optimizer.

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// Tells where a pass was applied, by the first output of the node that it was given, which outlives renumbering. A
/// pass over the full graph has no node, and `output` is "".
struct RewriteSite {
  std::string pass;
  std::string output;
  auto operator<=>(const RewriteSite&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

/// One visit: a call of the pass's transformation on a node that its predicate matched, or of a whole pass over the
/// full graph. It may turn out to change nothing.
struct RewriteVisit {
  RewriteSite site;
  std::string op_type;              ///< of the node: "Conv"; "" for a pass over the full graph
  std::vector<std::string> inputs;  ///< of the node
  bool only_asked = false;          ///< no visit: the predicate is asked about the node; no pass: it has answered
  bool operator==(const RewriteVisit&) const = default;
};

/// Which visits a recipe may make. Without a budget and without skips the recipe runs as it always does.
struct RewriteLimits {
  std::optional<std::uint64_t> budget =
      {};                              ///< visits, counted over the whole recipe and all its rounds; none: no limit
  std::vector<RewriteSite> skip = {};  ///< never visited, and not counted
  bool trace = false;                  ///< `visits` are wanted
  bool trace_predicates = false;       ///< and what predicates are asked about: thousands of times what visits are

  [[nodiscard]] bool limits_nothing() const { return !budget && skip.empty() && !trace && !trace_predicates; }
  bool operator==(const RewriteLimits&) const = default;
};

/// Told of each visit before it is made, if visits are wanted: what is heard last is what a crash came of.
using OnVisit = std::function<void(const RewriteVisit&)>;

/// What a limited recipe did.
struct RewriteTrace {
  std::uint64_t count = 0;           ///< visits that were made
  std::vector<RewriteVisit> visits;  ///< in order, if they were asked for; at most `most_traced`
  /// What a predicate was asked about and did not answer, if that was asked for.
  std::optional<RewriteVisit> asking = {};
  static constexpr std::size_t most_traced = 100'000;
};

}  // namespace culprit
