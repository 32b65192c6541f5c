#include "process/child.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include "process/how_it_ended.h"
#include "process/process_table.h"

namespace culprit {

Child::Child(pid_t pid, Channel channel, LogFile log, bool leads_session)
    : pid_(pid), leads_session_(leads_session), channel_(std::move(channel)), log_(std::move(log)) {}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      leads_session_(other.leads_session_),
      channel_(std::move(other.channel_)),
      log_(std::move(other.log_)),
      watch_(other.watch_),
      condemned_(std::move(other.condemned_)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  bury();
  pid_ = std::exchange(other.pid_, -1);
  leads_session_ = other.leads_session_;
  channel_ = std::move(other.channel_);
  log_ = std::move(other.log_);
  watch_ = other.watch_;
  condemned_ = std::move(other.condemned_);
  return *this;
}

Child::~Child() { bury(); }

void Child::check_limits() {
  log_.keep_small();
  if (!watch_ || condemned_) return;
  if (auto failure = watch_->over_limit()) condemn(std::move(*failure));
}

int Child::milliseconds() const {
  constexpr int seldom = 250;  // a death that a grandchild hides by holding the socket is seen at the next look
  return watch_ ? watch_->milliseconds() : seldom;
}

bool Child::has_ended() {
  siginfo_t info{};
  const bool told = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
  return told && info.si_pid == pid_;
}

bool Child::over() {
  if (condemned_ || channel_.ended()) return true;
  if (!has_ended()) return false;
  channel_.receive();  // what it said just before
  return true;
}

void Child::condemn(Failure reason) {
  if (!condemned_) condemned_ = std::move(reason);
}

/// Between the closing of its socket and its end lies a moment, in which a SIGKILL of ours could not be told from
/// another's.
void Child::let_it_end() {
  constexpr int most_tries = 200;  // of 5 ms: one second
  const bool ending = channel_.ended() && !channel_.broken() && !condemned_;
  for (int i = 0; i < most_tries && ending && !has_ended(); ++i) ::poll(nullptr, 0, i < 10 ? 1 : 5);
}

Failure Child::bury() {
  if (pid_ <= 0) return {};
  let_it_end();
  const auto reason = condemned_.value_or(Failure{Ending::crashed, "closed its connection before it was done", ""});
  const bool ended = has_ended();
  kill_children(pid_);
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // where it has not made its own group yet
  if (leads_session_) kill_session(pid_);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  channel_.close();
  // Who waits for a child of its own ends as soon as that is killed, and still it was us.
  const bool was_made_to_end = condemned_ && !ended && WIFEXITED(status);
  Failure failure = was_made_to_end ? reason : failure_of_status(status, ended ? std::nullopt : std::optional(reason));
  failure.last_words = log_.last_words();
  return failure;
}

void wait_for(const std::vector<Child*>& children, const std::vector<int>& others, int milliseconds) {
  std::vector<pollfd> fds;
  for (Child* child : children) {
    const int fd = child->channel().ended() ? -1 : child->channel().fd();
    fds.push_back({fd, static_cast<short>(child->channel().unsent() ? POLLIN | POLLOUT : POLLIN), 0});
  }
  for (const int fd : others) fds.push_back({fd, POLLIN, 0});
  if (::poll(fds.data(), fds.size(), milliseconds) <= 0) return;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if ((fds[i].revents & POLLOUT) != 0) children[i]->channel().flush();
    if ((fds[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) children[i]->channel().receive();
  }
}

}  // namespace culprit
