#include "misdeeds.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace culprit::testing {
namespace {

void segfault() { ::raise(SIGSEGV); }

int deeper(int depth) {
  volatile char room[4096] = {};
  if (depth < 0) return 0;
  const int found = deeper(depth + 1);  // not the last thing it does, or it would become a loop
  return found + room[static_cast<std::size_t>(depth) % sizeof room];
}

void overflow() { deeper(0); }

void busy() {
  const std::atomic<bool> enough{false};
  while (!enough) {
  }
}

void sleep_forever() {
  while (true) ::pause();
}

/// Up to 100 GB, all of it touched.
void hog() {
  constexpr std::size_t piece_bytes = std::size_t{16} << 20;
  constexpr std::size_t page_bytes = 4096;
  std::vector<std::unique_ptr<char[]>> pieces;
  for (std::size_t all = 0; all < (std::size_t{100} << 30); all += piece_bytes) {
    pieces.push_back(std::make_unique_for_overwrite<char[]>(piece_bytes));
    for (std::size_t i = 0; i < piece_bytes; i += page_bytes) pieces.back()[i] = 1;
  }
}

void print_and_abort() {
  std::cout << "last words on stdout, ";
  std::cerr << "last words on stderr \x1b[31m";
  std::printf("no newline");
  std::abort();
}

/// Children that would live on and hold every descriptor, one of them in a process group of its own.
void leave_children() {
  for (int i = 0; i < 3; ++i) {
    if (::fork() != 0) continue;
    if (i == 2) ::setpgid(0, 0);
    sleep_forever();
  }
  ::raise(SIGSEGV);
}

void for_sockets(const std::function<void(int)>& act) {
  constexpr int many_times = 200;
  for (int fd = 3; fd < many_times; ++fd) {
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0) act(fd);
  }
}

void close_sockets() {
  for_sockets([](int fd) { ::close(fd); });
  sleep_forever();
}

void send_garbage() {
  for_sockets([](int fd) { ::send(fd, "\x10\0\0\0################", 20, MSG_NOSIGNAL); });
  sleep_forever();
}

/// Crashes every other time; remembers in the file CULPRIT_TEST_FLICKER.
void flicker() {
  const std::filesystem::path file = std::getenv("CULPRIT_TEST_FLICKER");
  if (std::filesystem::remove(file)) return;
  std::ofstream(file) << "crash the next time no more";
  std::abort();
}

/// Does `deed` the first time only; remembers in the same file.
void once(const std::function<void()>& deed) {
  const std::filesystem::path file = std::getenv("CULPRIT_TEST_FLICKER");
  if (std::filesystem::exists(file)) return;
  std::ofstream(file) << "done";
  deed();
}

/// 3 GiB of address space, hardly any of it touched.
void want() {
  constexpr std::size_t hog_size = std::size_t{3} << 30;
  static volatile char* kept = nullptr;
  const auto room = std::make_unique_for_overwrite<char[]>(hog_size);
  kept = room.get();
  kept[0] = 1;
  kept = nullptr;
}

}  // namespace

bool misbehave(const std::string& name) {
  static const std::map<std::string, std::function<void()>> deeds{
      {"segfault", segfault},
      {"abort", [] { std::abort(); }},
      {"overflow", overflow},
      {"busy", busy},
      {"sleep", sleep_forever},
      {"hog", hog},
      {"exit", [] { std::exit(0); }},
      {"throw", [] { throw std::runtime_error("an assertion\x1b[31m of the optimizer"); }},
      {"throw_int", [] { throw 42; }},
      {"bad_alloc", [] { throw std::bad_alloc(); }},
      {"sigkill", [] { ::raise(SIGKILL); }},
      {"print", print_and_abort},
      {"children", leave_children},
      {"close", close_sockets},
      {"garbage", send_garbage},
      {"flicker", flicker},
      {"killed_once", [] { once([] { ::raise(SIGKILL); }); }},
      {"busy_once", [] { once(busy); }},
      {"want", want},
  };
  const auto deed = deeds.find(name);
  if (deed == deeds.end()) return false;
  deed->second();
  return true;
}

}  // namespace culprit::testing
