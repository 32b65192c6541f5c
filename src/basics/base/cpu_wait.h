#pragma once
// How long did this thread wait for a CPU that others held? A run of 5 ms takes 70 ms on a busy machine, and 65 of them
// tell nothing of the model.

#include <string_view>

namespace culprit {

/// Tells how long the thread that made it waited for a CPU. proc(5), /proc/thread-self/schedstat: Linux counts it to
/// the nanosecond, at the moment when the thread gets its CPU back.
class CpuWait {
 public:
  CpuWait();
  ~CpuWait();
  CpuWait(const CpuWait&) = delete;
  CpuWait& operator=(const CpuWait&) = delete;
  /// Since the thread was started; 0 where the system does not tell.
  [[nodiscard]] double seconds() const;

 private:
  int file_;
};

/// Reads the wait in a line "122444 26294250 2": nanoseconds on a CPU, nanoseconds of waiting, turns. It is 0 for any
/// other text.
double waited_seconds(std::string_view schedstat);

/// `seconds` by the clock less those that were waited meanwhile. All of them where it waited for longer than that: then
/// it was not meanwhile.
double seconds_less_wait(double seconds, double waited);

}  // namespace culprit
