#pragma once
// What work costs: seconds of workers, and how often each thing was done.

#include <cstdint>

namespace culprit {

/// Seconds that workers spent, all of them together: what is not `runs` is not inference.
struct Spent {
  double runs = 0;      ///< in the runtime's run
  double loads = 0;     ///< making sessions
  double optimize = 0;  ///< reading, hashing, checking and importing the model; making, checking and writing variants
  Spent& operator+=(const Spent& other);
  Spent& operator-=(const Spent& other);
};

struct Counts {
  std::int64_t imports = 0, sessions = 0, runs = 0, processes = 0;
  Counts& operator+=(const Counts& other);
  Counts& operator-=(const Counts& other);
};

/// The largest resident size that a process of its kind had, in bytes; forks count what they share. 0: there was none
/// that lived to tell.
struct Memory {
  std::uint64_t parent = 0;
  std::uint64_t optimizer = 0;  ///< workers that import, and their forks
  std::uint64_t runner = 0;     ///< workers that hold a session
};

}  // namespace culprit
