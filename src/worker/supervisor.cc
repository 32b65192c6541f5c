#include "worker/supervisor.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "worker/limits.h"

namespace culprit {

Supervisor::Supervisor(Channel& parent, std::filesystem::path scratch, const Limits& limits)
    : parent_(parent), scratch_(std::move(scratch)), limits_(limits) {
  listen();
}

Result<Child> Supervisor::fork(const std::function<void(Channel&)>& body) {
  auto log = LogFile::create(scratch_);
  if (!log) return tl::unexpected(log.error());
  auto pair = make_channel();
  if (!pair) return tl::unexpected(pair.error());
  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return fail(ErrorKind::io, std::string("cannot fork: ") + std::strerror(errno));
  if (pid == 0) {
    ::setpgid(0, 0);
    tie_to_parent(self);
    parent_.close();  // else the pool would not see this worker end while a fork lives
    ::dup2(log->fd(), STDOUT_FILENO);
    ::dup2(log->fd(), STDERR_FILENO);
    limit_process(limits_);
    Channel channel(std::move(pair->theirs));
    try {
      body(channel);
    } catch (...) {
      ::_exit(2);
    }
    ::_exit(0);
  }
  ::setpgid(pid, pid);  // also here: whoever comes first
  Child child(pid, std::move(pair->ours), std::move(*log), false);
  child.watch(limits_);
  wire::FromWorker message;
  message.mutable_forked();
  say(message);
  return child;
}

void Supervisor::wait(const std::vector<Child*>& children) {
  int milliseconds = -1;
  for (const Child* child : children)
    milliseconds = milliseconds < 0 ? child->milliseconds() : std::min(milliseconds, child->milliseconds());
  wait_for(children, {parent_.fd()}, milliseconds);
  listen();
  for (Child* child : children) child->check_limits();
}

void Supervisor::listen() {
  parent_.receive();
  while (const auto bytes = parent_.next()) {
    const auto message = wire::parse<wire::ToWorker>(*bytes);
    if (message && message->has_share()) share_ = std::max<std::size_t>(1, message->share().forks());
  }
}

void Supervisor::say(const wire::FromWorker& message) { parent_.send_now(message.SerializeAsString()); }

void Supervisor::doing(const std::string& what) {
  wire::FromWorker message;
  message.mutable_doing()->set_what(what);
  say(message);
}

}  // namespace culprit
