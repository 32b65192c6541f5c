#pragma once
// How long work is told to end early: a function that it asks between its steps, handed down by whoever started it.

#include <functional>

#include "base/error.h"

namespace culprit {

/// Is this to end? Once true it stays true. Empty: never.
using Stop = std::function<bool()>;

inline bool is_stopped(const Stop& stop) { return stop && stop(); }

/// Elements between two questions: some milliseconds of work.
inline constexpr std::size_t stop_block = std::size_t{1} << 18;

/// Asks the same within a loop over elements, at the beginning of each block.
inline bool is_stopped_at(std::size_t element, const Stop& stop) {
  return element % stop_block == 0 && is_stopped(stop);
}

/// What work that was ended returns: ErrorKind::interrupted.
inline tl::unexpected<Error> ended_early() { return fail(ErrorKind::interrupted, "interrupted"); }

}  // namespace culprit
