#pragma once
// What a process may use, and how it ended.

#include <cstdint>
#include <string>

namespace culprit {

struct Limits {
  double cpu_seconds = 120;  ///< a process that used more (or slept as long) is timed out
  std::uint64_t memory_bytes =
      0;  ///< of address space, or of resident memory where sanitizers or CUDA map much; 0: no limit
};

/// How an attempt ended.
enum class Ending { ok, threw, crashed, exited, timed_out, out_of_memory };

/// What is known of why, where a library said so in a code and not only in words.
enum class FailureCause { unknown, no_kernel };

struct Failure {
  Ending ending = Ending::ok;
  std::string message;  ///< the exception's text, or "killed by SIGSEGV", "ended with exit status 0 before it was done"
  std::string last_words;  ///< the end of stdout and stderr, made printable
  bool machine =
      false;  ///< the machine's doing (a full disk, a missing program, no more processes): says nothing about the model
  bool skipped = false;  ///< not tried, or not to its end, because the time that was given is spent
  /// The machine may have done it: killed by somebody else, or time went by in which it hardly worked. Whoever blames
  /// it asks first whether the original ends so, too (executor/dispatcher.h).
  bool doubtful = false;
  double limit = 0;  ///< seconds; of what is timed_out, the limit that it was over. 0: not known
  FailureCause cause = FailureCause::unknown;
  [[nodiscard]] bool failed() const { return ending != Ending::ok; }
};

}  // namespace culprit
