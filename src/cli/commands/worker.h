#pragma once
// culprit worker: not for people. The pool starts it (`--fd N`), and doctor asks it about a runtime library (`--probe
// PATH`).

#include <string>
#include <vector>

namespace culprit {

/// `arguments` after the word "worker". Returns the exit status.
int run_worker(const std::vector<std::string>& arguments);

/// What a probing worker says before the version.
inline constexpr const char* probe_mark = "culprit-probe-version ";

}  // namespace culprit
