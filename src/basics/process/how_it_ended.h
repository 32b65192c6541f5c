#pragma once
// How a process ended, told from its wait status, or from the words of an exception.

#include <optional>
#include <stdexcept>
#include <string>

#include "process/failure.h"

namespace culprit {

/// What a process that ended before it was done came to. `killed_for`: why we killed it, if we did.
/// SIGXCPU is timed_out. A SIGKILL that was not ours is out_of_memory: the system's usual way; it is doubtful, and the
/// message says that it is a guess.
Failure failure_of_status(int wait_status, const std::optional<Failure>& killed_for);

/// An exception's or a runtime's text: out_of_memory where it says so, else threw.
Failure failure_of_text(const std::string& text);

/// The machine's doing, not the model's: a full disk, a missing program.
Failure failure_of_machine(const std::string& message);

/// Thrown where the machine fails, deep inside of work that is somebody else's.
class MachineFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The failure of whatever exception is being handled. Call it in `catch (...)` only.
Failure failure_of_exception();

/// "killed by SIGSEGV (while checking the variant)".
std::string with_doing(const std::string& message, const std::string& doing);

}  // namespace culprit
