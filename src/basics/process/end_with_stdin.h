#pragma once
// A parent that is killed can end nobody: its pipe can.

namespace culprit {

/// The variable of the environment by which a parent asks for it; only we see it, our children do not.
inline constexpr const char* ends_with_stdin_name = "CULPRIT_ENDS_WITH_STDIN";

/// If the parent asked for it: from now on SIGTERM comes to us as soon as nobody holds the other end of our stdin any
/// more, which is a pipe. Call it before there are threads.
void end_with_stdin_if_asked();

}  // namespace culprit
