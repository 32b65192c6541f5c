#include "worker/supervisor.h"

#include <algorithm>

#include "process/start_child.h"

namespace culprit {

Supervisor::Supervisor(Channel& parent, std::filesystem::path scratch, const Limits& limits)
    : parent_(parent), scratch_(std::move(scratch)), limits_(limits) {
  listen();
}

Result<Child> Supervisor::fork(const std::function<void(Channel&)>& body, pid_t helper) {
  auto child = start_fork(
      [&](Channel& channel) {
        parent_.close();  // else the pool would not see this worker end while a fork lives
        body(channel);
      },
      scratch_, limits_);
  if (!child) return child;
  if (helper > 0) child->watch(limits_, helper);
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
