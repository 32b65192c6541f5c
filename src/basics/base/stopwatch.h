#pragma once
// How long something took, by a clock that nobody sets.

#include <chrono>

namespace culprit {

/// A watch that runs from the moment it is made. A copy of it has begun when the original did.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace culprit
