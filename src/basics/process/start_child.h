#pragma once
// The two ways in which a child begins that is then watched and buried (process/child.h). Commands of users have a way
// of their own: process/shell_commands.h.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "process/child.h"

namespace culprit {

constexpr int channel_fd = 3;  ///< where a program that was started has its end of the channel

/// Starts a program in a session of its own: stdin is /dev/null, stdout and stderr are a log file in `scratch`,
/// `channel_fd` is its end of the channel, and nothing else is inherited. It has to tie itself to us
/// (process/limit_itself.h). An error says why it could not be started.
Result<Child> start_program(const std::filesystem::path& program, std::vector<std::string> arguments,
                            const std::filesystem::path& scratch);

/// Runs `body` in a fork of this process, in a process group of its own, with a channel to us, within `limits`, which
/// are watched from now on. It dies with us, and ends when the body returns or throws.
Result<Child> start_fork(const std::function<void(Channel&)>& body, const std::filesystem::path& scratch,
                         const Limits& limits);

}  // namespace culprit
