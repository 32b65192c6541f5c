#pragma once
// culprit worker: not for people. The pool starts it (`--fd N`), and doctor asks it about a runtime library (`--probe
// PATH`). With `--run FILE` it does one job by itself, under a program that looks at it; with `--limits THREADS`
// it measures what the CPUs can do at most.

#include <string>
#include <vector>

namespace culprit {

/// `arguments` after the word "worker". Returns the exit status.
int run_worker(const std::vector<std::string>& arguments);

}  // namespace culprit
