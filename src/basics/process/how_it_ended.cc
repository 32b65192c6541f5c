#include "process/how_it_ended.h"

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t most_of_message = 2000;  // characters

std::string name_of_signal(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

bool says_out_of_memory(const std::string& text) {
  static constexpr std::array signs{"bad_alloc",     "Failed to allocate", "failed to allocate",
                                    "out of memory", "Out of memory",      "Cannot allocate memory"};
  for (const char* sign : signs)
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

}  // namespace

Failure failure_of_status(int wait_status, const std::optional<Failure>& killed_for) {
  if (WIFEXITED(wait_status))
    return {Ending::exited,
            "ended with exit status " + std::to_string(WEXITSTATUS(wait_status)) + " before it was done", ""};
  const int number = WTERMSIG(wait_status);
  if (number == SIGKILL && killed_for) return *killed_for;
  if (number == SIGKILL)
    return {Ending::out_of_memory,
            "killed by SIGKILL, but not by culprit: the system probably ran out of memory",
            "",
            false,
            false,
            /*doubtful=*/true};
  if (number == SIGXCPU) return {Ending::timed_out, "killed by SIGXCPU: over its limit of CPU time", ""};
  return {Ending::crashed, "killed by " + name_of_signal(number), ""};
}

Failure failure_of_text(const std::string& text) {
  return {says_out_of_memory(text) ? Ending::out_of_memory : Ending::threw, printable(text, most_of_message), ""};
}

Failure failure_of_machine(const std::string& message) {
  return {Ending::exited, printable(message, most_of_message), "", true};
}

Failure failure_of_exception() {
  try {
    throw;
  } catch (const MachineFailed& exception) {
    return failure_of_machine(exception.what());
  } catch (const std::bad_alloc& exception) {
    return {Ending::out_of_memory, exception.what(), ""};
  } catch (const std::exception& exception) {
    return failure_of_text(exception.what());
  } catch (...) {
    return {Ending::threw, "an exception that is no std::exception", ""};
  }
}

std::string with_doing(const std::string& message, const std::string& doing) {
  return doing.empty() ? message : message + " (while " + doing + ")";
}

}  // namespace culprit
