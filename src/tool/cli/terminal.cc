#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr int default_width = 80, narrowest = 60, widest = 120;

int width_of(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return default_width;
  return std::clamp<int>(size.ws_col, narrowest, widest);
}

bool environment_says(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

Look look_of_standard_streams() {
  const char* term = std::getenv("TERM");
  const bool can_move = term != nullptr && std::strcmp(term, "dumb") != 0;
  const bool out_is_terminal = isatty(STDOUT_FILENO) != 0;
  Look look;
  look.colour = out_is_terminal && can_move && !environment_says("NO_COLOR");
  look.width = out_is_terminal ? width_of(STDOUT_FILENO) : default_width;
  look.progress = isatty(STDERR_FILENO) != 0 && can_move;
  look.progress_width = width_of(STDERR_FILENO);
  return look;
}

Result<void> Terminal::print(std::string_view text) {
  clear_progress();
  if (failed_) return tl::unexpected(*failed_);
  if (reader_left_) return {};
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), out_) == text.size() && std::fflush(out_) == 0;
  if (written) return {};
  if (errno == EPIPE) {
    reader_left_ = true;
    return {};
  }
  failed_ = Error{ErrorKind::io, fmt::format("cannot write the result to standard output: {}", std::strerror(errno)),
                  "make room, or give a file with -o FILE"};
  return tl::unexpected(*failed_);
}

void Terminal::complain(std::string_view text) {
  clear_progress();
  const std::string line = fmt::format("culprit: {}\n", printable(text));
  std::fwrite(line.data(), 1, line.size(), err_);
  std::fflush(err_);
}

void Terminal::progress(std::size_t done, std::size_t total, std::string_view what) {
  if (!look_.progress) return;
  const std::string line = fmt::format("[{}/{}] {} …", done, total, printable(what));
  // Carriage return, erase to the end of the line; one column is left free, or some terminals wrap.
  const std::string drawn = "\r\x1b[K" + cut_middle(line, look_.progress_width - 1);
  std::fwrite(drawn.data(), 1, drawn.size(), err_);
  std::fflush(err_);
  progress_shown_ = true;
}

void Terminal::progress_line(std::size_t done, std::size_t total, std::string_view what) {
  const std::string line = fmt::format("[{}/{}] {}\n", done, total, printable(what));
  std::fwrite(line.data(), 1, line.size(), err_);
  std::fflush(err_);
}

void Terminal::clear_progress() {
  if (!progress_shown_) return;
  std::fputs("\r\x1b[K", err_);
  std::fflush(err_);
  progress_shown_ = false;
}

}  // namespace culprit
