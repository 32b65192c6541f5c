#pragma once
// Is a process still within its limits? Looked at from outside, because what hangs or has a damaged heap cannot watch
// itself.

#include <sys/types.h>

#include <optional>

#include "base/stopwatch.h"
#include "process/failure.h"
#include "process/process_table.h"

namespace culprit {

/// Limits count from the making of the watch on, for a process with the children that it starts. A process is over its
/// limit of T CPU seconds when it used them; when T seconds went by and it used nearly none of them (it sleeps or waits
/// for something); and when 4 T went by in any case. Zero is no limit. Its memory is looked at only where the system
/// cannot limit it (memory_is_watched).
class Watch {
 public:
  /// `helper`: another process that works for it meanwhile, with its children; 0: there is none.
  Watch(pid_t pid, const Limits& limits, pid_t helper = 0);
  [[nodiscard]] std::optional<Failure> over_limit() const;
  [[nodiscard]] int milliseconds() const;  ///< how soon to look again

 private:
  [[nodiscard]] std::optional<Failure> over_time(double cpu, double wall) const;
  [[nodiscard]] std::optional<ProcessUsage> usage() const;
  pid_t pid_, helper_;
  Limits limits_;
  double cpu_at_start_ = 0;
  Stopwatch stopwatch_;
};

/// Sanitizers map terabytes: there the resident memory is watched instead of limiting the address space.
constexpr bool memory_is_watched() {
#ifdef CULPRIT_SANITIZED
  return true;
#else
  return false;
#endif
}

}  // namespace culprit
