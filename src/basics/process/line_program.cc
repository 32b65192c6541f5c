#include "process/line_program.h"

#include <fcntl.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "process/start_child.h"

namespace culprit {
namespace {

constexpr int rounds_unwatched = 50, milliseconds_unwatched = 100;
constexpr const char* ask_hint = "it must print one line for each line that it reads, and flush it";

struct Pipe {
  Fd reads, writes;
};

/// Above the standard streams, which a child puts in other places.
Fd moved_up(int fd) {
  const Fd low(fd);
  return Fd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::io, std::string("cannot make a pipe: ") + std::strerror(errno));
  Pipe pipe{moved_up(ends[0]), moved_up(ends[1])};
  if (!pipe.reads.valid() || !pipe.writes.valid())
    return fail(ErrorKind::io, std::string("cannot make a pipe: ") + std::strerror(errno));
  return pipe;
}

void wait_for_nobody(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

/// In one line: what was said last is what counts.
std::string end_of(std::string_view words) {
  constexpr std::size_t longest = 300;
  words = trim(words);
  if (words.size() <= longest) return printable(words);
  return "…" + printable(words.substr(words.size() - longest));
}

bool is_to_be_tried_again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Result<LineProgram> LineProgram::start(ProgramCall call, LineProgramOptions options) {
  auto to = make_pipe();
  if (!to) return tl::unexpected(to.error());
  auto from = make_pipe();
  if (!from) return tl::unexpected(from.error());
  call.streams = {to->reads.get(), from->writes.get()};
  const auto body = [&](Channel& parent) {
    to->writes.close();  // else it would never hear that nothing more comes
    from->reads.close();
    parent.send_now(word_of_end(run_program(call)));
  };
  // CPU time is limited for each answer, not for the whole of its life.
  auto child = start_fork(body, options.scratch, {0, options.each_answer.memory_bytes});
  if (!child) return tl::unexpected(child.error());
  wait_for_nobody(to->writes);
  wait_for_nobody(from->reads);
  return LineProgram(std::move(*child), std::move(to->writes), std::move(from->reads), std::move(options));
}

LineProgram::~LineProgram() {
  if (!in_.valid()) return;
  if (!unsent_.empty()) send();
  in_.close();
  child_.watch({options_.last_seconds, 0});
  while (!child_.over()) {
    wait_for({&child_}, {}, child_.milliseconds());
    child_.check_limits();
  }
}

Result<std::string> LineProgram::ask(std::string_view line) {
  child_.log().keep_small();
  receive();
  if (has_answered_ && !received_.empty()) {
    const std::string said = received_.substr(0, received_.find('\n'));
    return tl::unexpected(failed("it printed more than one line for a question: " + printable(said, 100), ask_hint));
  }
  has_answered_ = true;
  unsent_.append(line).push_back('\n');
  return next_line();
}

/// Who answers at once is not watched: to look at a process takes longer than most answers.
Result<std::string> LineProgram::next_line() {
  child_.unwatch();
  for (int round = 0; true; ++round) {
    if (auto line = whole_line()) return std::move(*line);
    if (received_.size() > longest_line)
      return tl::unexpected(failed("its line has more than " + human_bytes(longest_line), ask_hint));
    if (is_stopped(options_.stop)) {
      in_.close();  // it is not waited for
      return ended_early();
    }
    if (has_closed_ || child_.condemned()) return tl::unexpected(how_it_ended());
    if (round < rounds_unwatched && exchange(milliseconds_unwatched)) continue;
    if (round < rounds_unwatched) child_.watch(options_.each_answer);
    round = rounds_unwatched;
    exchange(child_.milliseconds());
    child_.check_limits();
  }
}

void LineProgram::tell(std::string_view line) {
  child_.log().keep_small();
  unsent_.append(line).push_back('\n');
  send();
}

Result<std::vector<std::string>> LineProgram::lines_within(int milliseconds, int other) {
  std::vector<std::string> lines;
  const auto take_whole_ones = [&] {
    while (auto line = whole_line()) lines.push_back(std::move(*line));
  };
  take_whole_ones();
  if (lines.empty() && !has_closed_) exchange(milliseconds, other);
  take_whole_ones();
  if (!lines.empty()) return lines;
  if (received_.size() > longest_line)
    return tl::unexpected(failed("its line has more than " + human_bytes(longest_line)));
  if (has_closed_) return tl::unexpected(how_it_ended());
  return lines;
}

Result<std::string> LineProgram::ask_from_fork(std::string_view line) const {
  const auto wait_until = [](int fd, short ready) {
    pollfd one{fd, ready, 0};
    while (::poll(&one, 1, -1) < 0 && errno == EINTR) {
    }
  };
  std::string unsent = std::string(line) + "\n", received;
  while (!unsent.empty()) {
    wait_until(in_.get(), POLLOUT);
    const ssize_t sent = ::write(in_.get(), unsent.data(), unsent.size());
    if (sent > 0) unsent.erase(0, static_cast<std::size_t>(sent));
    if (sent < 0 && !is_to_be_tried_again()) return fail(ErrorKind::bad_input, "it reads no more");
  }
  std::array<char, 4096> bytes;
  while (!received.ends_with('\n')) {
    wait_until(out_.get(), POLLIN);
    const ssize_t got = ::read(out_.get(), bytes.data(), bytes.size());
    if (got > 0) received.append(bytes.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && !is_to_be_tried_again()))
      return fail(ErrorKind::bad_input, "it ended before it answered");
    if (received.size() > longest_line) return fail(ErrorKind::bad_input, "its line is too long");
  }
  received.pop_back();
  return received;
}

std::optional<std::string> LineProgram::whole_line() {
  const auto end = received_.find('\n');
  if (end > longest_line) return std::nullopt;  // or there is none: npos is larger than all
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

/// False: nothing came or went in this time.
bool LineProgram::exchange(int milliseconds, int other) {
  std::array<pollfd, 3> fds{
      {{out_.get(), POLLIN, 0}, {unsent_.empty() ? -1 : in_.get(), POLLOUT, 0}, {other, POLLIN, 0}}};
  if (::poll(fds.data(), fds.size(), milliseconds) <= 0) return false;
  if (fds[0].revents != 0) receive();
  if (fds[1].revents != 0) send();
  return true;
}

/// Not more than is looked at: whoever prints without end waits.
void LineProgram::receive() {
  std::array<char, 16384> bytes;
  while (received_.size() <= longest_line) {
    const ssize_t got = ::read(out_.get(), bytes.data(), bytes.size());
    if (got > 0) received_.append(bytes.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && !is_to_be_tried_again())) has_closed_ = true;
    if (got <= 0) return;
  }
}

void LineProgram::send() {
  const ssize_t sent = ::write(in_.get(), unsent_.data(), unsent_.size());
  if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
  if (sent < 0 && !is_to_be_tried_again()) unsent_.clear();  // it reads no more; it may have answered before
}

/// It closed its stdout, or is over a limit.
Error LineProgram::how_it_ended() {
  if (child_.condemned()) {
    const Failure end = child_.bury();
    return failed("it " + end.message, ask_hint);
  }
  child_.watch({1, 0});
  while (!child_.over()) {
    wait_for({&child_}, {}, child_.milliseconds());
    child_.check_limits();
  }
  const auto word = child_.channel().next();
  const Failure end = word ? end_of_word(*word) : Failure{};
  if (end.ending == Ending::threw) return failed(end.message);
  if (end.failed()) return failed("it " + end.message);
  return failed(word ? "it ended before it answered" : "it closed its stdout before it answered", ask_hint);
}

Error LineProgram::failed(const std::string& what, const std::string& hint) {
  in_.close();
  const std::string words = end_of(child_.log().last_words());
  return {ErrorKind::bad_input, what + (words.empty() ? "" : "; its last words: " + words), hint};
}

}  // namespace culprit
