#pragma once
// A child process as its parent sees it: a worker of the pool, or a fork of an optimize worker.

#include <sys/types.h>

#include <optional>
#include <vector>

#include "process/channel.h"
#include "process/failure.h"
#include "process/log_file.h"
#include "process/watch_limits.h"

namespace culprit {

/// Kills and waits for the process when it goes out of scope: no zombie, nothing left running. Move-only.
class Child {
 public:
  /// A session leader is buried with its whole session, any other child with its process group.
  Child(pid_t pid, Channel channel, LogFile log, bool leads_session);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  Channel& channel() { return channel_; }
  [[nodiscard]] LogFile& log() { return log_; }
  /// `helper`: as of Watch.
  void watch(const Limits& limits, pid_t helper = 0) { watch_.emplace(pid_, limits, helper); }
  void unwatch() { watch_.reset(); }
  /// Looks at the limits, and keeps the log small. What is over a limit is over.
  void check_limits();
  [[nodiscard]] int milliseconds() const;  ///< how soon to call check_limits again

  /// It ended, closed or broke its channel, or is over a limit. Ask before taking its messages: those that it sent just
  /// before its end are received here. Whoever asks only afterwards loses what came in between.
  [[nodiscard]] bool over();
  [[nodiscard]] bool condemned() const { return condemned_.has_value(); }
  /// Remembers why it must die, for the failure that `bury` tells.
  void condemn(Failure reason);
  /// Kills what is left, waits, and tells how it ended, with its last words.
  Failure bury();

 private:
  bool has_ended();
  void let_it_end();
  pid_t pid_ = -1;
  bool leads_session_ = false;
  Channel channel_;
  LogFile log_;
  std::optional<Watch> watch_;
  std::optional<Failure> condemned_;
};

/// Waits until one of the children has something to tell, one of the `others` has something to read, or `milliseconds`
/// are over (-1: no limit); then takes and sends what it can. `others` of -1 are passed over.
void wait_for(const std::vector<Child*>& children, const std::vector<int>& others, int milliseconds);

}  // namespace culprit
