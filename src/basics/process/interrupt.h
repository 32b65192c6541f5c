#pragma once
// Ctrl-C: remembered, and told to whoever waits.

namespace culprit {

/// From the first SIGINT or SIGTERM after this call on, `interrupt_requested` is true and every waiting pool wakes.
void watch_interrupts();
bool interrupt_requested();

/// Becomes readable, and stays so, at the first SIGINT or SIGTERM; -1 before watch_interrupts was called.
int interrupt_fd();

}  // namespace culprit
