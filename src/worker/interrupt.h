#pragma once
// The part of the signal handling that only pools see.

namespace culprit {

/// Becomes readable, and stays so, at the first SIGINT or SIGTERM; -1 before watch_interrupts was called.
int interrupt_fd();

}  // namespace culprit
