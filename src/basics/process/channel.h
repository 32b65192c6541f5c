#pragma once
// Messages on a socket, each behind its length in four little-endian bytes. Nothing waits but `send_now` and `wait`;
// nothing raises SIGPIPE; a length over the cap breaks the channel before anything of that size is stored.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "process/file_descriptor.h"

namespace culprit {

class Channel {
 public:
  static constexpr std::size_t largest_message = 16u << 20;  ///< bytes of one message

  Channel() = default;
  explicit Channel(Fd socket);  ///< makes it non-blocking

  [[nodiscard]] int fd() const { return socket_.get(); }
  void receive();                       ///< takes what has come
  std::optional<std::string> next();    ///< the next whole message that was received
  void send(std::string_view message);  ///< sends what the socket takes, keeps the rest for `flush`
  void flush();
  [[nodiscard]] bool unsent() const { return !outgoing_.empty(); }
  /// The other side closed, or broke the rules. Whole messages that came before can still be had with `next`.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool broken() const { return broken_; }  ///< it broke the rules
  void close();

  bool send_now(std::string_view message);  ///< waits until all is sent; false: the channel ended
  bool wait();                              ///< waits until something can be received; false: nothing more will come

 private:
  Fd socket_;
  std::string incoming_;
  std::string outgoing_;
  bool ended_ = false;
  bool deaf_ = false;  ///< the other side takes no more; what it said may still be waiting
  bool broken_ = false;
};

struct ChannelPair {
  Channel ours;
  Fd theirs;  ///< close-on-exec as well
};
Result<ChannelPair> make_channel();

}  // namespace culprit
