#pragma once
// The way of the search for blame, whoever answers: measuring, or a guess of how long measuring will take.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "search/ddmin.h"

namespace culprit {

/// Do these steps alone do it? Answers are remembered by whoever gives them.
using StepsDoIt = std::function<bool(const Subset& steps)>;

struct BlameWalk {
  Subset blamed;  ///< ascending; smallest sets that do it alone
  Subset left;    ///< all others
};

/// Finds sets of `count` steps, which do it together; where the rest does it still without a smallest set, one of the
/// rest as well. `is_over`: then what was found before is given, and nothing of what is looked for.
BlameWalk blame_walk(std::size_t count, const StepsDoIt& do_it, const std::function<bool()>& is_over);

/// Questions of that walk, and of the two that it ends with, to which `is_known` has no answer, where the step `lone`
/// alone does it. `known`: what the others answer.
std::int64_t questions_ahead(std::size_t count, std::size_t lone, const std::function<bool(const Subset&)>& is_known,
                             const StepsDoIt& known);

}  // namespace culprit
