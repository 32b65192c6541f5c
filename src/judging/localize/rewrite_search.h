#pragma once
// Rung 3 of localization: from a recipe that fails to the single rewrites that break the model. Pure: what a limited
// recipe gives is asked of an oracle.
//
// A budget counts every visit of the recipe, over all its rounds; halving it finds a visit N with N-1 good and N bad
// (LLVM's opt-bisect, XLA's pass fuel). That proves one rewrite. It is then left out, by pass and place, and the search
// goes on, until what is left is right: so every independent bad rewrite is found, and leaving out those found is seen
// to be enough. Where the boundary lies within what says nothing (another failure shows there), the rewrites of that
// range are left out one at a time: one without which the recipe is right is proven by that. If there is none, the
// first of that range, which turns what is right into that other failure, is left out too, and the search goes on
// behind it: a recipe with two kinds of failure is told apart.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "optimizer/rewrites.h"

namespace culprit {

/// What one limited recipe gave.
struct RewriteAnswer {
  enum class State {
    right,    ///< the failure is not there
    fails,    ///< it is, with the signature that is looked for
    unknown,  ///< something else went wrong: says nothing about this failure
    ended,    ///< it was not tried, and nothing will be any more: the search ends
  };
  State state = State::unknown;
  Hash128 fingerprint;  ///< of the variant; where the optimizer crashed there is none
  RewriteTrace trace;   ///< with visits if they were asked for
  std::string message;  ///< of `unknown`: what went wrong; of `ended`: why
};

/// Makes the variant and judges it. `again` counts repetitions of the same question, which must not be answered from
/// memory. An Error ends the search (interrupted, io).
using RewriteOracle = std::function<Result<RewriteAnswer>(const RewriteLimits& limits, std::size_t again)>;

struct RewriteSearchOptions {
  std::size_t most_asked = 200;   ///< questions in all
  std::size_t most_found = 20;    ///< bad rewrites
  std::size_t most_removed = 16;  ///< rewrites that are left out in search of one
  std::size_t most_others = 4;    ///< that fail in another way, and are left out to see behind them
  std::size_t confirmations = 1;  ///< more answers on either side of each that is found
  std::size_t doubts = 0;  ///< times that `right` is asked for again before it is believed: for failures that flicker
};

struct BadRewrite {
  std::uint64_t number = 0;  ///< 1 for the first visit of the recipe, with the rewrites found before it left out
  std::uint64_t of = 0;      ///< visits of that recipe
  RewriteVisit visit;
  Hash128 before, after;    ///< fingerprints with number - 1 and with `number` visits
  bool by_removal = false;  ///< proven by leaving it out: the numbers around it say nothing
  std::size_t held = 0;     ///< times that number - 1 was right (by removal: the recipe without it) and `number` failed
  std::size_t asked = 0;    ///< of so many: less than all is a failure that flickers
  std::size_t checks = 0;   ///< questions that it took
  std::string otherwise = {};  ///< of one that fails in another way than the failure that is looked for: how; else ""
};

struct RewriteSearch {
  std::vector<BadRewrite> found;  ///< in the order in which they were found; others only before one of this failure
  bool complete = false;          ///< without those found the recipe was seen to be right
  bool flickers = false;          ///< one question was answered in two ways
  std::string message;            ///< where not complete: why; else what is to be said of those found, or nothing
  std::size_t asked = 0;
};

Result<RewriteSearch> find_bad_rewrites(const RewriteOracle& oracle, const RewriteSearchOptions& options = {});

}  // namespace culprit
