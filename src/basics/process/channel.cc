#include "process/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace culprit {
namespace {

constexpr std::size_t prefix = 4;

std::uint32_t length_of(std::string_view bytes) {
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < prefix; ++i)
    length |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return length;
}

bool poll_for(int fd, short events) {
  pollfd one{fd, events, 0};
  int ready = 0;
  do ready = ::poll(&one, 1, -1);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

bool would_block_now() { return errno == EAGAIN || errno == EWOULDBLOCK; }

}  // namespace

Channel::Channel(Fd socket) : socket_(std::move(socket)) {
  ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
}

void Channel::receive() {
  std::array<char, 65536> piece;
  // Never more than one largest message and a piece is held: who sends faster than we read, waits.
  while (!ended_ && incoming_.size() < largest_message + prefix) {
    const ssize_t got = ::recv(socket_.get(), piece.data(), piece.size(), 0);
    if (got > 0) {
      incoming_.append(piece.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EINTR && !would_block_now())) {
      ended_ = true;
    } else if (errno != EINTR) {
      return;
    }
  }
}

std::optional<std::string> Channel::next() {
  if (broken_ || incoming_.size() < prefix) return std::nullopt;
  const std::size_t length = length_of(incoming_);
  if (length > largest_message) {
    broken_ = ended_ = true;
    return std::nullopt;
  }
  if (incoming_.size() < prefix + length) return std::nullopt;
  std::string message = incoming_.substr(prefix, length);
  incoming_.erase(0, prefix + length);
  return message;
}

void Channel::send(std::string_view message) {
  if (ended_ || deaf_) return;
  if (message.size() > largest_message) {
    broken_ = ended_ = true;
    return;
  }
  for (std::size_t i = 0; i < prefix; ++i) outgoing_ += static_cast<char>((message.size() >> (8 * i)) & 0xff);
  outgoing_ += message;
  flush();
}

void Channel::flush() {
  std::size_t done = 0;
  while (done < outgoing_.size()) {
    const ssize_t sent = ::send(socket_.get(), outgoing_.data() + done, outgoing_.size() - done, MSG_NOSIGNAL);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
    } else if (would_block_now()) {
      break;
    } else if (errno != EINTR) {
      deaf_ = true;  // not ended: what it sent before it closed is still to be received
      done = outgoing_.size();
    }
  }
  outgoing_.erase(0, done);
}

void Channel::close() {
  socket_.close();
  ended_ = true;
}

bool Channel::send_now(std::string_view message) {
  send(message);
  while (unsent() && poll_for(socket_.get(), POLLOUT)) flush();
  return !ended_ && !deaf_;
}

bool Channel::wait() {
  if (ended_) return false;
  poll_for(socket_.get(), POLLIN);
  receive();
  return !ended_ || incoming_.size() >= prefix;
}

Result<ChannelPair> make_channel() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorKind::io, std::string("cannot make a socket pair: ") + std::strerror(errno));
  return ChannelPair{Channel(Fd(ends[0])), Fd(ends[1])};
}

}  // namespace culprit
