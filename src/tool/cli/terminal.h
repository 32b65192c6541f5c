#pragma once
// Where output goes: results to stdout, progress and complaints to stderr. All output of the program passes through
// here.

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace culprit {

/// What the two streams can show.
struct Look {
  bool colour = false;    ///< of stdout
  int width = 80;         ///< columns of stdout
  bool progress = false;  ///< stderr is a terminal that can rewrite a line
  int progress_width = 80;
};

/// From isatty, NO_COLOR (no-color.org), TERM and the size of the window.
Look look_of_standard_streams();

class Terminal {
 public:
  Terminal(std::FILE* out, std::FILE* err, Look look) : out_(out), err_(err), look_(look) {}
  [[nodiscard]] const Look& look() const { return look_; }
  void silence_progress() { look_.progress = false; }

  /// A result, to stdout, flushed. A full disk is ErrorKind::io, now and in every call after, for the result has a
  /// hole. A reader that went away (`| head`) is no error: the rest is dropped.
  Result<void> print(std::string_view text);
  /// "culprit: " and the text, to stderr, on lines of their own.
  void complain(std::string_view text);
  /// "[12/40] fuse_bn_into_conv …", one line written over and over. Nothing unless stderr is a terminal.
  void progress(std::size_t done, std::size_t total, std::string_view what);
  /// The same on a line of its own, for a stderr that is no terminal.
  void progress_line(std::size_t done, std::size_t total, std::string_view what);
  void clear_progress();

 private:
  std::FILE* out_;
  std::FILE* err_;
  Look look_;
  bool reader_left_ = false;
  std::optional<Error> failed_;
  bool progress_shown_ = false;
};

}  // namespace culprit
