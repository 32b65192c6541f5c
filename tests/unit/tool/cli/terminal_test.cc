#include "cli/terminal.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// What was written to a stream.
class Sink {
 public:
  std::FILE* stream() { return file_; }
  std::string text() {
    std::fflush(file_);
    std::string all(static_cast<std::size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    EXPECT_EQ(std::fread(all.data(), 1, all.size(), file_), all.size());
    return all;
  }
  ~Sink() { std::fclose(file_); }

 private:
  std::FILE* file_ = std::tmpfile();
};

TEST(TerminalTest, ResultsAndComplaintsGoTheirWays) {
  Sink out, err;
  Terminal terminal(out.stream(), err.stream(), {});
  EXPECT_TRUE(terminal.print("result\n"));
  terminal.complain("bad \x1b[2Jthing\nhere");
  EXPECT_EQ(out.text(), "result\n");
  EXPECT_EQ(err.text(), "culprit: bad thing here\n");
}

TEST(TerminalTest, AFullDiskIsAnError) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  Sink err;
  Terminal terminal(full, err.stream(), {});
  const auto printed = terminal.print("result\n");
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().kind, ErrorKind::io);
  EXPECT_THAT(printed.error().text(), HasSubstr("No space left on device"));
  EXPECT_FALSE(terminal.print("")) << "what was lost stays lost";
  std::fclose(full);
}

TEST(TerminalTest, AReaderThatLeavesIsNoError) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::FILE* out = fdopen(ends[1], "w");
  close(ends[0]);
  Sink err;
  Terminal terminal(out, err.stream(), {});
  EXPECT_TRUE(terminal.print("one\n"));
  EXPECT_TRUE(terminal.print("two\n"));
  std::fclose(out);
  std::signal(SIGPIPE, before);
}

TEST(TerminalTest, ProgressIsOneLineRewrittenAndClearedBeforeAnythingElse) {
  Sink out, err;
  Look look;
  look.progress = true;
  look.progress_width = 30;
  Terminal terminal(out.stream(), err.stream(), look);
  terminal.progress(1, 40, "fuse_bn_into_conv");
  terminal.progress(2, 40, "a_pass_with_a_very_very_long_name");
  EXPECT_TRUE(terminal.print("x"));
  terminal.clear_progress();
  EXPECT_EQ(err.text(), "\r\x1b[K[1/40] fuse_bn_into_conv …\r\x1b[K[2/40] a_pass_…ry_long_name …\r\x1b[K");
}

TEST(TerminalTest, NoProgressWhereNobodyLooksOrWants) {
  Sink out, err;
  Terminal elsewhere(out.stream(), err.stream(), {});
  elsewhere.progress(1, 2, "x");
  Look look;
  look.progress = true;
  Terminal silenced(out.stream(), err.stream(), look);
  silenced.silence_progress();
  silenced.progress(1, 2, "x");
  EXPECT_EQ(err.text(), "");
}

}  // namespace
}  // namespace culprit
