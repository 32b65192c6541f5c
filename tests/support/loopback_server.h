#pragma once
// A server on this machine that answers as a test wants: rightly, wrongly, half, or never.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/lower_case.h"

namespace culprit {

struct AskedOf {
  std::string path;                            ///< "/model.onnx"
  std::map<std::string, std::string> headers;  ///< names in lower case
};

/// Bytes of an answer, head and body; then the connection is closed, or held without a word.
struct RawAnswer {
  std::string bytes;
  bool stalls = false;
};

inline RawAnswer answer_of(const std::string& status, const std::string& body, const std::string& headers = "") {
  return {"HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
          headers + "\r\n" + body};
}

class LoopbackServer {
 public:
  using Handler = std::function<RawAnswer(const AskedOf&)>;
  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)) {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(socket_, 16);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    is_ending_ = true;
    ::shutdown(socket_, SHUT_RDWR);
    acceptor_.join();
    ::close(socket_);
    for (std::thread& thread : threads_) thread.join();
  }
  [[nodiscard]] std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  /// All that was asked so far.
  [[nodiscard]] std::vector<AskedOf> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void accept_all() {
    while (!is_ending_) {
      const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection >= 0) threads_.emplace_back([this, connection] { serve(connection); });
    }
  }

  void serve(int connection) {
    std::string text;
    char piece[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::recv(connection, piece, sizeof(piece), 0);
      if (size <= 0) break;
      text.append(piece, static_cast<std::size_t>(size));
    }
    const AskedOf asked = read_of(text);
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back(asked);
    }
    const RawAnswer answer = handler_(asked);
    for (std::size_t sent = 0; sent < answer.bytes.size();) {
      const ssize_t size = ::send(connection, answer.bytes.data() + sent, answer.bytes.size() - sent, MSG_NOSIGNAL);
      if (size <= 0) break;
      sent += static_cast<std::size_t>(size);
    }
    while (answer.stalls && !is_ending_ && ::recv(connection, piece, 1, MSG_DONTWAIT) != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::close(connection);
  }

  static AskedOf read_of(std::string_view text) {
    AskedOf asked;
    const std::size_t begin = text.find(' ') + 1;
    asked.path = text.substr(begin, text.find(' ', begin) - begin);
    for (std::size_t at = text.find("\r\n"); at != std::string_view::npos;) {
      const std::size_t end = text.find("\r\n", at + 2);
      const std::string_view line = text.substr(at + 2, end - at - 2);
      if (const std::size_t colon = line.find(": "); colon != std::string_view::npos)
        asked.headers[lower_case(std::string(line.substr(0, colon)))] = line.substr(colon + 2);
      at = end;
    }
    return asked;
  }

  Handler handler_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<bool> is_ending_{false};
  mutable std::mutex mutex_;
  std::vector<AskedOf> asked_;
  std::vector<std::thread> threads_;  // the acceptor's alone, until it has ended
  std::thread acceptor_;
};

}  // namespace culprit
