#pragma once
// How the program ends: what each exit code means is in docs/architecture.md.

#include "base/error.h"

namespace culprit {

namespace exit_code {
inline constexpr int nothing_wrong = 0, fault = 1, usage = 2, cannot_judge = 3, internal = 4, interrupted = 130;
}

/// For an error that ends the whole command: what was named wrongly or is not there is wrong usage, whatever flag names
/// it; a file that is there and is not what it should be leaves the question open.
constexpr int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::not_found:
      return exit_code::usage;
    case ErrorKind::bad_input:
    case ErrorKind::unsupported:
    case ErrorKind::no_kernel:
    case ErrorKind::io:  // the machine failed (a full disk, no more processes), which says nothing about a model
      return exit_code::cannot_judge;
    case ErrorKind::interrupted:
      return exit_code::interrupted;
    case ErrorKind::internal:
      return exit_code::internal;
  }
  return exit_code::internal;
}

}  // namespace culprit
