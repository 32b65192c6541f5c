#pragma once
// What optimizers and runtimes have been seen to do to their process.

#include <string>

namespace culprit::testing {

/// segfault, abort, overflow, busy, sleep, hog, exit, throw, throw_int, bad_alloc, sigkill, print, children, close,
/// garbage, flicker. False: `name` is none of these. The last words of `print` stand on both streams, without a
/// newline.
bool misbehave(const std::string& name);

}  // namespace culprit::testing
