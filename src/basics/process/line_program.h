#pragma once
// A program that answers each line with a line, or speaks when it likes. It is started without a shell, limited,
// watched while it is asked, and ended with us, with all that it started.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "process/child.h"
#include "process/run_program.h"

namespace culprit {

struct LineProgramOptions {
  std::filesystem::path scratch;  ///< for its log; exists
  Limits each_answer;             ///< CPU time of one answer (or as long asleep), and memory
  Stop stop = {};                 ///< asked while it is waited for
  double last_seconds = 1;        ///< that it has to end by itself
};

class LineProgram {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 10;  ///< bytes of an answer

  /// Starts it. That there is no such program, the first question tells.
  static Result<LineProgram> start(ProgramCall call, LineProgramOptions options);
  LineProgram(LineProgram&&) = default;
  LineProgram& operator=(LineProgram&&) = delete;
  /// Tells it that nothing more comes, gives it its last seconds to end by itself, and ends it.
  ~LineProgram();

  /// Sends a line and waits for one. ErrorKind::bad_input says what the program did instead of answering, with its last
  /// words: it ended (how), it was over a limit, its line is too long, it had printed something before it was asked,
  /// it could not be started. ErrorKind::interrupted. After an error it answers no more.
  Result<std::string> ask(std::string_view line);
  /// Waits for one more line.
  Result<std::string> next_line();

  /// Sends a line, for which nothing need come back.
  void tell(std::string_view line);
  /// What it said since it was heard last. If that is nothing, waits until it says something, `other` (-1: none) has
  /// something to read, or the time is over. Errors: as of `ask`, once all that it had said was taken.
  Result<std::vector<std::string>> lines_within(int milliseconds, int other);

  /// For a fork of the process that started it: who watches over the fork watches over the answer (`pid`), so nothing
  /// is limited here. ErrorKind::bad_input where it ended or its line is too long. If the fork dies meanwhile, or this
  /// fails, there may be half an answer left: it is to be given up.
  [[nodiscard]] Result<std::string> ask_from_fork(std::string_view line) const;
  [[nodiscard]] pid_t pid() const { return child_.pid(); }
  /// It ended, or was given up.
  [[nodiscard]] bool is_over() { return !in_.valid() || child_.over(); }
  /// It is not waited for: its end is that of this object.
  void give_up() { in_.close(); }

 private:
  LineProgram(Child child, Fd in, Fd out, LineProgramOptions options)
      : child_(std::move(child)), in_(std::move(in)), out_(std::move(out)), options_(std::move(options)) {}
  std::optional<std::string> whole_line();
  bool exchange(int milliseconds, int other = -1);
  void receive();
  void send();
  Error how_it_ended();
  Error failed(const std::string& what, const std::string& hint = {});

  Child child_;  // runs the program, and ends what that started
  Fd in_, out_;  // our ends of its stdin and stdout
  LineProgramOptions options_;
  std::string unsent_, received_;
  bool has_answered_ = false, has_closed_ = false;
};

}  // namespace culprit
